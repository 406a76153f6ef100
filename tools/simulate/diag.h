/* SPDX-License-Identifier: MIT */
/* What went wrong, and where */
#pragma once

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

/* A file in memory. */
struct source {
	char *path; /* as it is called in messages */
	char *text; /* without a byte order mark; a NUL follows */
	size_t size;
};

/*
 * Reads a file, which may be packed with gzip or xz; "-" is the standard input.
 * Errors have been reported when it returns something else than STATUS_OK;
 * there is something to free in any case.
 */
enum status source_read(struct source *source, const char *path);

void source_free(struct source *source);

/* Is the file one that was read, by whatever name? */
bool source_was_read(const char *path);

/*
 * Is the file, its links followed, below the folder of another one? If there is
 * no such file: can its name lead out of it?
 */
bool source_is_below(const char *path, const char *of);

/* Both count from 1, columns in bytes. Line 0: it is about the whole file. */
struct place {
	const struct source *source;
	uint32_t line;
	uint32_t column;
};

#define DIAG_SHOWN 20

/* Errors are objects on standard output, too. */
extern bool diag_json;

/* How many there were so far, shown or not. */
extern unsigned diag_errors;

/* Reports an error with its line and a caret, if it is shown. Returns false. */
bool diag_error(struct place place, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* An error about a file as a whole. */
#define diag_file(of, ...)                                                     \
	diag_error((struct place){ .source = (of) }, __VA_ARGS__)

/* Shows a message: one line, without a limit. */
void diag_show(struct place place, const char *kind, const char *message);

/* Tells how many errors have not been shown, if any. */
void diag_stop(const struct source *source);
