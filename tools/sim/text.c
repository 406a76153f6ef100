/* SPDX-License-Identifier: MIT */
/*
 * text.c - characters, and words that are spelled nearly alike
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "text.h"

#define WORD_MAX 63

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
	if (near->best)
		snprintf(hint, sizeof(hint), " (did you mean '%s'?)",
			 near->best);
	return hint;
}
