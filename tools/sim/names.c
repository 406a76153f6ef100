/* SPDX-License-Identifier: MIT */
/*
 * names.c - the names of timers, each with a number
 */
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "names.h"

/* FNV-1a: G. Fowler, L. C. Noll, K.-P. Vo. */
static uint32_t hash(const char *text)
{
	uint32_t value = 2166136261u;

	for (; *text; text++)
		value = (value ^ (unsigned char)*text) * 16777619u;
	return value;
}

/* The bucket of a name, or the free one in which it belongs. */
static uint32_t *find(const struct names *names, const char *text)
{
	uint32_t at = hash(text) & (names->buckets - 1);

	while (names->bucket[at] &&
	       strcmp(names->text[names->bucket[at] - 1], text))
		at = (at + 1) & (names->buckets - 1);
	return &names->bucket[at];
}

/* Keeps the table at most half full. */
static void grow(struct names *names)
{
	size_t room = names->room;

	names->text = mem_grow(names->text, &room, names->count + 1u,
			       sizeof(*names->text));
	names->armed = mem_grow(names->armed, &names->room, names->count + 1u,
				sizeof(*names->armed));
	if (names->count < names->buckets / 2)
		return;
	names->buckets = names->buckets ? names->buckets * 2 : 64;
	free(names->bucket);
	names->bucket = mem_alloc(names->buckets, sizeof(*names->bucket));
	for (uint32_t i = 0; i < names->count; i++)
		*find(names, names->text[i]) = i + 1;
}

uint32_t names_add(struct names *names, const char *text)
{
	uint32_t *bucket;

	grow(names);
	bucket = find(names, text);
	if (!*bucket) {
		names->text[names->count] = mem_copy(text, strlen(text));
		names->armed[names->count] = false;
		*bucket = ++names->count;
	}
	return *bucket - 1;
}

void names_free(struct names *names)
{
	for (uint32_t i = 0; i < names->count; i++)
		free(names->text[i]);
	free(names->text);
	free(names->armed);
	free(names->bucket);
	*names = (struct names){ .count = 0 };
}
