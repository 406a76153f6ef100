/* SPDX-License-Identifier: MIT */
/*
 * lex.h - the words of a scenario, line by line
 *
 * What returns bool takes something off the line, or reports what is wrong
 * there and returns false.
 */
#pragma once

#include "scenario.h"

/* A place in a source. */
struct cursor {
	const struct source *source;
	struct scenario *scenario;
	struct stmt *stmt;	   /* what the line says */
	const struct piece *piece; /* what is to be taken off the line */
	const char *next;	   /* where the next line begins */
	const char *begin;	   /* where this line begins */
	const char *end; /* where it ends: behind it there is a NUL at least */
	const char *at;	 /* how far it has been read */
	uint32_t line;	 /* its number */
};

/* What stands for itself in a statement. */
struct piece {
	const char *name;
	bool (*take)(struct cursor *cursor);
	size_t field;	  /* of the statement: where it goes */
	const char *what; /* as it is called in messages */
	uint64_t least;	  /* of a number */
	uint64_t most;
};

/* Goes on with the next line; at first, of .next. False if there is none. */
bool lex_line(struct cursor *cursor);

struct place lex_place(const struct cursor *cursor, const char *at);

/* The place of the next word, or of where one is missing. */
struct place lex_here(struct cursor *cursor);

/* Report an error: at a place of this line, or at the next word. */
#define lex_fail(cursor, at, ...) diag_error(lex_place(cursor, at), __VA_ARGS__)
bool lex_expected(struct cursor *cursor, const char *what);

/* Steps over blanks; are there no more words? */
bool lex_at_end(struct cursor *cursor);

/* The length of the next word; 0 at the end. */
size_t lex_word(struct cursor *cursor);

/* A word as it may be shown, in a buffer. */
const char *lex_quote(const char *word, size_t length);

/* Step over a word, and over some bytes, if they are next. */
bool lex_is(struct cursor *cursor, const char *word);
bool lex_skip(struct cursor *cursor, const char *bytes);

/*
 * Steps over @length bytes if they are one of @count words, and returns which;
 * or else @count, and in @near what they may have been meant to be.
 */
unsigned lex_choose(struct cursor *cursor, size_t length,
		    const char *const *words, unsigned count,
		    struct near *near);

/* Is the word after so many others this one? */
bool lex_is_ahead(const struct cursor *cursor, int words, const char *word);

/* The word has to end here; or else something is unexpected @where @what. */
bool lex_boundary(struct cursor *cursor, const char *where, const char *what);

/* Digits, whatever follows them. A value that is too large is not reported. */
bool lex_value(struct cursor *cursor, uint64_t most, uint64_t *number);
bool lex_digits(struct cursor *cursor, uint64_t most, uint64_t *number);

/* Pieces: a number, a duration, one that is not zero, DUR..DUR. */
bool lex_number(struct cursor *cursor);
bool lex_span(struct cursor *cursor);
bool lex_length(struct cursor *cursor);
bool lex_delays(struct cursor *cursor);

/* HH:MM[:SS[.mmm]], a time, one that does not count from another. */
bool lex_clock(struct cursor *cursor);
bool lex_time(struct cursor *cursor);
bool lex_start(struct cursor *cursor);

/* Nothing may follow. */
bool lex_end(struct cursor *cursor);
