/* SPDX-License-Identifier: MIT */
/*
 * names.c - the names of timers, each with a number
 */
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "names.h"

/* The bucket of a name, or the free one in which it belongs: FNV-1a. */
static uint32_t *find(const struct names *names, const char *text)
{
	uint32_t at = 2166136261u;

	for (const char *byte = text; *byte; byte++)
		at = (at ^ (unsigned char)*byte) * 16777619u;
	at &= names->buckets - 1;
	while (names->bucket[at] &&
	       strcmp(names->name[names->bucket[at] - 1].text, text))
		at = (at + 1) & (names->buckets - 1);
	return &names->bucket[at];
}

/* Keeps the table at most half full. */
static void grow(struct names *names)
{
	if (names->count < names->buckets / 2)
		return;
	names->buckets = names->buckets ? names->buckets * 2 : 64;
	free(names->bucket);
	names->bucket = mem_alloc(names->buckets, sizeof(*names->bucket));
	for (uint32_t i = 0; i < names->count; i++)
		*find(names, names->name[i].text) = i + 1;
}

uint32_t names_add(struct names *names, const char *text)
{
	uint32_t *bucket;

	grow(names);
	bucket = find(names, text);
	if (!*bucket) {
		names->name = mem_push(names->name, names->count,
				       sizeof(*names->name));
		names->name[names->count] =
			(struct name){ .text = mem_print("%s", text) };
		*bucket = ++names->count;
	}
	return *bucket - 1;
}

void names_free(struct names *names)
{
	for (uint32_t i = 0; i < names->count; i++)
		free(names->name[i].text);
	free(names->name);
	free(names->bucket);
}
