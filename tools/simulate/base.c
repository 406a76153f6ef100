/* SPDX-License-Identifier: MIT */
/* Memory, words that are spelled nearly alike, JSON */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base.h"
#include "diag.h"

#define WORD_MAX    63
#define REPLACEMENT "\xef\xbf\xbd"

static void *check(void *block)
{
	if (block)
		return block;
	fputs("jifsim: out of memory\n", stderr);
	exit(STATUS_INTERNAL);
}

void *mem_alloc(size_t count, size_t size)
{
	return check(calloc(count ? count : 1, size));
}

void *mem_resize(void *array, size_t count, size_t size)
{
	return check(count <= SIZE_MAX / size ? realloc(array, count * size) :
						NULL);
}

/* The room doubles whenever the count comes to a power of two. */
void *mem_push(void *array, size_t count, size_t size)
{
	if (count & (count - 1))
		return array;
	return mem_resize(array, count ? 2 * count : 1, size);
}

char *mem_print(const char *format, ...)
{
	va_list args;
	char *text;
	int length;

	va_start(args, format);
	length = vsnprintf(NULL, 0, format, args);
	va_end(args);
	text = mem_alloc((size_t)length + 1, 1);
	va_start(args, format);
	vsnprintf(text, (size_t)length + 1, format, args);
	va_end(args);
	return text;
}

unsigned text_character(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	uint32_t code, least;
	unsigned length;

	if (at[0] < 0x80)
		return 1;
	if (at[0] < 0xc2 || at[0] > 0xf4)
		return 0;
	length = at[0] < 0xe0 ? 2 : at[0] < 0xf0 ? 3 : 4;
	least = length == 2 ? 0x80 : length == 3 ? 0x800 : 0x10000;
	code = at[0] & (0x7fu >> length);
	for (unsigned i = 1; i < length; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (at[i] & 0x3f);
	}
	if (code < least || code > 0x10ffff || (code & ~0x7ffu) == 0xd800)
		return 0;
	return length;
}

/*
 * Insertions, deletions, changes and swaps of neighbours that turn one word
 * into the other (optimal string alignment).
 */
static size_t distance(const char *a, size_t la, const char *b, size_t lb)
{
	static uint8_t d[WORD_MAX + 1][WORD_MAX + 1];
	unsigned least;

	for (size_t i = 0; i <= la; i++)
		for (size_t j = 0; j <= lb; j++) {
			if (!i || !j) {
				d[i][j] = (uint8_t)(i + j);
				continue;
			}
			least = d[i - 1][j - 1];
			least += a[i - 1] != b[j - 1];
			if (d[i - 1][j] + 1u < least)
				least = d[i - 1][j] + 1u;
			if (d[i][j - 1] + 1u < least)
				least = d[i][j - 1] + 1u;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1] &&
			    d[i - 2][j - 2] + 1u < least)
				least = d[i - 2][j - 2] + 1u;
			d[i][j] = (uint8_t)least;
		}
	return d[la][lb];
}

struct near near_word(const char *word, size_t length)
{
	size_t most = length < 4 ? length / 2 : length < 9 ? 2 : length / 3;

	if (length > WORD_MAX)
		most = 0;
	return (struct near){ word, length, NULL, most + 1 };
}

bool near_try(struct near *near, const char *candidate)
{
	size_t length = strlen(candidate);
	size_t far = length > near->length ? length - near->length :
					     near->length - length;

	if (length > WORD_MAX || far >= near->distance)
		return false;
	far = distance(near->word, near->length, candidate, length);
	if (far < near->distance) {
		near->distance = far;
		near->best = candidate;
	}
	return !far;
}

const char *near_hint(const struct near *near)
{
	static char hint[WORD_MAX + 32];

	hint[0] = '\0';
	if (near->best && near->distance)
		snprintf(hint, sizeof(hint), " (did you mean '%s'?)",
			 near->best);
	return hint;
}

void json_text(const char *text)
{
	unsigned length;

	putchar('"');
	for (; *text; text += length ? length : 1) {
		length = text_character(text);
		if (!length)
			fputs(REPLACEMENT, stdout);
		else if (*text == '"' || *text == '\\')
			printf("\\%c", *text);
		else if ((length == 1 && *text < ' ') || *text == 0x7f)
			printf("\\u%04x", (unsigned)*text);
		else
			fwrite(text, 1, length, stdout);
	}
	putchar('"');
}

void json_start(const char *type)
{
	printf("{\"schema\":\"jifsim/1\",\"type\":\"%s\"", type);
}

void json_key(const char *key)
{
	printf(",\"%s\":", key);
}

void json_string(const char *key, const char *value)
{
	json_key(key);
	json_text(value);
}

void json_number(const char *key, int64_t value)
{
	printf(",\"%s\":%" PRId64, key, value);
}

void json_stop(void)
{
	puts("}");
}
