/* SPDX-License-Identifier: MIT */
/* Memory, words that are spelled nearly alike, JSON */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Memory, or the end: what these return is never NULL; the first is zeroed. */
void *mem_alloc(size_t count, size_t size);
void *mem_resize(void *array, size_t count, size_t size);

/* Makes room for one more than @count elements, one after the other. */
void *mem_push(void *array, size_t count, size_t size);

/* Adds an element behind those that an array has. */
#define mem_add(array, count, ...)                                             \
	((array) = mem_push(array, (size_t)(count), sizeof(*(array))),         \
	 (array)[(count)++] = __VA_ARGS__)

char *mem_print(const char *format, ...) __attribute__((format(printf, 1, 2)));

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

/*
 * A JSON object in a line of its own on standard output: its schema and type,
 * its members, and its end.
 */
void json_start(const char *type);
void json_string(const char *key, const char *value);
void json_number(const char *key, int64_t value);
void json_stop(void);

/* A key whose value the caller prints. */
void json_key(const char *key);

/* A string, quoted; what is not UTF-8 becomes U+FFFD. */
void json_text(const char *text);
