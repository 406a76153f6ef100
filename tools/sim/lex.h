/* SPDX-License-Identifier: MIT */
/*
 * lex.h - the words of a scenario, line by line
 *
 * What returns bool takes something off the line, or reports what is wrong
 * there and returns false.
 */
#ifndef JIFSIM_LEX_H
#define JIFSIM_LEX_H

#include "scenario.h"

/* A place in a source. */
struct cursor {
	const struct source *source;
	const char *next;  /* where the next line begins */
	const char *begin; /* where this line begins */
	const char *end; /* where it ends: behind it there is a NUL at least */
	const char *at;	 /* how far it has been read */
	uint32_t line;	 /* its number */
};

void lex_init(struct cursor *cursor, const struct source *source);

/* Goes on with the next line; false if there is none. */
bool lex_line(struct cursor *cursor);

struct place lex_place(const struct cursor *cursor, const char *at);

/* The place of the next word, or of where one is missing. */
struct place lex_here(struct cursor *cursor);

/* Report an error: at a place of this line, or at the next word. */
bool lex_fail(const struct cursor *cursor, const char *at, const char *format,
	      ...) __attribute__((format(printf, 3, 4)));
bool lex_expected(struct cursor *cursor, const char *what);

/* Steps over blanks; are there no more words? */
bool lex_at_end(struct cursor *cursor);

/* The length of the next word; 0 at the end. */
size_t lex_word(struct cursor *cursor);

/* A word and the next word as they may be shown, in one buffer. */
const char *lex_quote(const char *word, size_t length);
const char *lex_found(struct cursor *cursor);

/* Step over a word, and over some bytes, if they are next. */
bool lex_is(struct cursor *cursor, const char *word);
bool lex_skip(struct cursor *cursor, const char *bytes);

/* Is the word after so many others this one? */
bool lex_is_ahead(const struct cursor *cursor, int words, const char *word);

/* The word has to end here; or else something is unexpected @where @what. */
bool lex_boundary(struct cursor *cursor, const char *where, const char *what);

/* Digits and a duration, without a look at what follows them. */
bool lex_digits(struct cursor *cursor, uint64_t most, uint64_t *number);
bool lex_span_part(struct cursor *cursor, struct span *span);

/* A word that is a number, a duration, HH:MM[:SS[.mmm]], a time. */
bool lex_number(struct cursor *cursor, const char *what, uint64_t most,
		uint64_t *number);
bool lex_span(struct cursor *cursor, struct span *span);
bool lex_clock(struct cursor *cursor, struct when *when);
bool lex_when(struct cursor *cursor, struct when *when);

/* Steps over the name of a day, and returns its number; 7 if there is none. */
unsigned lex_day(struct cursor *cursor);

/* Text between quotes, to be freed. */
bool lex_string(struct cursor *cursor, char **text);

/* Nothing may follow. */
bool lex_end(struct cursor *cursor);

#endif
