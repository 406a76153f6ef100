/* SPDX-License-Identifier: MIT */
/*
 * diag.h - what went wrong, and where
 */
#ifndef JIFSIM_DIAG_H
#define JIFSIM_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum status {
	STATUS_OK = 0,
	STATUS_FAILED = 1,    /* an expectation is not met */
	STATUS_ERROR = 2,     /* in the scenario or the trace */
	STATUS_USAGE = 64,    /* these are those of <sysexits.h> */
	STATUS_NO_INPUT = 66, /* a file cannot be read */
	STATUS_INTERNAL = 70, /* the engine or this program is wrong */
	STATUS_OUTPUT = 74,   /* the output cannot be written */
};

/*
 * struct source - a file in memory
 * @path:	as it is called in messages
 * @text:	what is in it, without a byte order mark; a NUL follows
 * @size:	of the text, in bytes
 */
struct source {
	char *path;
	char *text;
	size_t size;
};

/* Both count from 1. Columns are bytes. */
struct place {
	uint32_t line;
	uint32_t column;
};

/* @json: errors are objects on stdout, too. @color: of what goes to stderr. */
void diag_init(bool json, bool color);

#define DIAG_SHOWN 20

/* Reports an error with its line and a caret; the first 20 are shown. */
void diag_error(const struct source *source, struct place place,
		const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same for what is odd but does no harm; the first 20 are shown. */
void diag_warn(const struct source *source, struct place place,
	       const char *format, ...) __attribute__((format(printf, 3, 4)));

/* An expectation that is not met: one line, without a limit. */
void diag_fail(const struct source *source, struct place place,
	       const char *message);

/* About a file as a whole, which cannot be read. */
void diag_file(const char *path, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* What can never happen, but did. */
void diag_internal(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

/* Tells how many errors have not been shown, if any. */
void diag_stop(const char *path);

/* How many errors there were so far, shown or not. */
unsigned diag_errors(void);

/*
 * A near name: diag_near_try() keeps the candidate that is spelled most like
 * @word. None is near enough at first.
 */
struct near {
	const char *word;
	size_t length;
	const char *best;
	size_t distance;
};

struct near diag_near(const char *word, size_t length);
void diag_near_try(struct near *near, const char *candidate);

/* " (did you mean 'NAME'?)" or nothing, in a buffer of its own. */
const char *diag_near_hint(const struct near *near);

#endif
