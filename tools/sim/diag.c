/* SPDX-License-Identifier: MIT */
/*
 * diag.c - what went wrong, and where
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "json.h"

#define WORD_MAX   63
#define LINE_SHOWN 100

static bool to_json;
static bool in_color;
static unsigned errors;
static unsigned warnings;

void diag_init(bool json, bool color)
{
	to_json = json;
	in_color = color;
}

static const char *paint(const char *code)
{
	return in_color ? code : "";
}

/* The text of a line that counts from 1. */
static const char *find_line(const struct source *source, uint32_t line,
			     size_t *length)
{
	const char *end = source->text + source->size;
	const char *at = source->text;
	const char *stop;

	while (--line && (stop = memchr(at, '\n', (size_t)(end - at))))
		at = stop + 1;
	stop = memchr(at, '\n', (size_t)(end - at));
	*length = (size_t)((stop ? stop : end) - at);
	if (*length && at[*length - 1] == '\r')
		--*length;
	return at;
}

/*
 * Prints one character, which takes one column, or a tab. What could change
 * the terminal is shown as '?'. Returns how many bytes it has.
 */
static unsigned show_character(const char *at)
{
	unsigned length = json_utf8_length(at);
	unsigned char first = (unsigned char)at[0];
	bool control = first < ' ' || first == 0x7f ||
		       (first == 0xc2 && (unsigned char)at[1] < 0xa0);

	if (!length || (control && first != '\t'))
		putc('?', stderr);
	else
		fwrite(at, 1, length, stderr);
	return length ? length : 1;
}

/* The line, or of a long one what is around the column, and a caret below. */
static void show_line(const struct source *source, struct place place)
{
	size_t length, from = 0, at;
	size_t caret = place.column - 1;
	const char *line = find_line(source, place.line, &length);
	size_t to = length;

	if (!length)
		return;
	if (length > LINE_SHOWN) {
		from = caret > LINE_SHOWN / 2 ? caret - LINE_SHOWN / 2 : 0;
		to = from + LINE_SHOWN < length ? from + LINE_SHOWN : length;
	}
	fprintf(stderr, "  %s", from ? "..." : "");
	for (at = from; at < to;)
		at += show_character(line + at);
	fprintf(stderr, "%s\n  %s", at < length ? "..." : "",
		from ? "   " : "");
	for (at = from; at < caret && at < length;) {
		unsigned bytes = json_utf8_length(line + at);

		putc(line[at] == '\t' ? '\t' : ' ', stderr);
		at += bytes ? bytes : 1;
	}
	fprintf(stderr, "%s^%s\n", paint("\033[1;32m"), paint("\033[0m"));
}

static void print_json(const char *path, struct place place,
		       const char *message)
{
	json_start(stdout, "error");
	json_string(stdout, "file", path);
	if (place.line) {
		json_number(stdout, "line", place.line);
		json_number(stdout, "column", place.column);
	}
	json_string(stdout, "message", message);
	json_stop(stdout);
}

static void print_head(const char *path, struct place place, const char *color,
		       const char *kind)
{
	fprintf(stderr, "%s%s", paint("\033[1m"), path);
	if (place.line)
		fprintf(stderr, ":%u:%u", place.line, place.column);
	fprintf(stderr, ": %s%s:%s ", paint(color), kind, paint("\033[0m"));
}

void diag_error(const struct source *source, struct place place,
		const char *format, ...)
{
	char message[512];
	va_list args;

	if (errors++ >= DIAG_SHOWN)
		return;
	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	print_head(source->path, place, "\033[31m", "error");
	fprintf(stderr, "%s\n", message);
	show_line(source, place);
	if (to_json)
		print_json(source->path, place, message);
}

void diag_warn(const struct source *source, struct place place,
	       const char *format, ...)
{
	va_list args;

	if (warnings++ >= DIAG_SHOWN)
		return;
	print_head(source->path, place, "\033[35m", "warning");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	putc('\n', stderr);
	show_line(source, place);
}

void diag_fail(const struct source *source, struct place place,
	       const char *message)
{
	print_head(source->path, place, "\033[31m", "expectation failed");
	fprintf(stderr, "%s\n", message);
}

void diag_file(const char *path, const char *format, ...)
{
	struct place nowhere = { 0, 0 };
	char message[512];
	va_list args;

	errors++;
	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	print_head(path, nowhere, "\033[31m", "error");
	fprintf(stderr, "%s\n", message);
	if (to_json)
		print_json(path, nowhere, message);
}

void diag_internal(const char *format, ...)
{
	va_list args;

	fputs("jifsim: internal error: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	putc('\n', stderr);
}

void diag_stop(const char *path)
{
	if (errors > DIAG_SHOWN)
		fprintf(stderr, "%s: %u more errors\n", path,
			errors - DIAG_SHOWN);
}

unsigned diag_errors(void)
{
	return errors;
}

/*
 * Insertions, deletions, changes and swaps of neighbours that turn one word
 * into the other (optimal string alignment).
 */
static size_t distance(const char *a, size_t la, const char *b, size_t lb)
{
	size_t rows[3][WORD_MAX + 1];
	size_t *before = rows[0], *above = rows[1], *row = rows[2], *spare;
	size_t least;

	for (size_t j = 0; j <= lb; j++)
		above[j] = j;
	for (size_t i = 1; i <= la; i++) {
		row[0] = i;
		for (size_t j = 1; j <= lb; j++) {
			least = above[j - 1] + (a[i - 1] != b[j - 1]);
			if (above[j] + 1 < least)
				least = above[j] + 1;
			if (row[j - 1] + 1 < least)
				least = row[j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1] && before[j - 2] + 1 < least)
				least = before[j - 2] + 1;
			row[j] = least;
		}
		spare = before;
		before = above;
		above = row;
		row = spare;
	}
	return above[lb];
}

struct near diag_near(const char *word, size_t length)
{
	size_t most = length < 4 ? length / 2 : length < 9 ? 2 : length / 3;

	if (length > WORD_MAX)
		most = 0;
	return (struct near){ word, length, NULL, most + 1 };
}

void diag_near_try(struct near *near, const char *candidate)
{
	size_t length = strlen(candidate);
	size_t far = length > near->length ? length - near->length :
					     near->length - length;

	if (length > WORD_MAX || far >= near->distance)
		return;
	far = distance(near->word, near->length, candidate, length);
	if (far < near->distance) {
		near->distance = far;
		near->best = candidate;
	}
}

const char *diag_near_hint(const struct near *near)
{
	static char hint[WORD_MAX + 32];

	hint[0] = '\0';
	if (near->best)
		snprintf(hint, sizeof(hint), " (did you mean '%s'?)",
			 near->best);
	return hint;
}
