/* SPDX-License-Identifier: MIT */
/*
 * text.h - characters, and words that are spelled nearly alike
 */
#ifndef JIFSIM_TEXT_H
#define JIFSIM_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* The length of the UTF-8 character at @text; 0 if there is none. */
unsigned text_character(const char *text);

/* The candidate that is spelled most like a word. */
struct near {
	const char *word;
	size_t length;
	const char *best; /* NULL as long as none is near enough */
	size_t distance;
};

struct near near_word(const char *word, size_t length);

/* Is the candidate the word itself? */
bool near_try(struct near *near, const char *candidate);

/* " (did you mean 'NAME'?)" or nothing, in a buffer of its own. */
const char *near_hint(const struct near *near);

#endif
