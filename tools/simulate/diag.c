/* SPDX-License-Identifier: MIT */
/* What went wrong, and where */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base.h"
#include "diag.h"

#define LINE_SHOWN 100

bool diag_json;
unsigned diag_errors;

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

/* What could change the terminal is shown as '?'. Returns the bytes taken. */
static unsigned show_character(const char *at)
{
	unsigned length = text_character(at);
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
static void show_line(struct place place)
{
	size_t length, from = 0, at;
	size_t caret = place.column - 1;
	const char *line = find_line(place.source, place.line, &length);
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
		unsigned bytes = text_character(line + at);

		putc(line[at] == '\t' ? '\t' : ' ', stderr);
		at += bytes ? bytes : 1;
	}
	fputs("^\n", stderr);
}

void diag_show(struct place place, const char *kind, const char *message)
{
	fputs(place.source->path, stderr);
	if (place.line)
		fprintf(stderr, ":%u:%u", place.line, place.column);
	fprintf(stderr, ": %s: %s\n", kind, message);
}

static void print_json(struct place place, const char *message)
{
	json_start("error");
	json_string("file", place.source->path);
	if (place.line) {
		json_number("line", place.line);
		json_number("column", place.column);
	}
	json_string("message", message);
	json_stop();
}

bool diag_error(struct place place, const char *format, ...)
{
	char message[512];
	va_list args;

	if (diag_errors++ >= DIAG_SHOWN)
		return false;
	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	diag_show(place, "error", message);
	if (place.line)
		show_line(place);
	if (diag_json)
		print_json(place, message);
	return false;
}

void diag_stop(const struct source *source)
{
	if (diag_errors > DIAG_SHOWN)
		fprintf(stderr, "%s: %u more error%s\n", source->path,
			diag_errors - DIAG_SHOWN,
			diag_errors == DIAG_SHOWN + 1 ? "" : "s");
}
