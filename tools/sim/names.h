/* SPDX-License-Identifier: MIT */
/*
 * names.h - the names of timers, each with a number
 */
#ifndef JIFSIM_NAMES_H
#define JIFSIM_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NAME_MAX_LENGTH 63
#define NAMES_MAX	2000000u

/*
 * struct names - all names of a scenario
 * @text:	of each number
 * @armed:	of each number: some line arms it
 * @count:	how many there are
 * @room:	of @text and @armed
 * @bucket:	a hash table: numbers plus one, or 0
 * @buckets:	its size, a power of two
 */
struct names {
	char **text;
	uint8_t *armed;
	uint32_t count;
	size_t room;
	uint32_t *bucket;
	uint32_t buckets;
};

/* Returns the number of a name, a new one if it is new. */
uint32_t names_add(struct names *names, const char *text);

void names_free(struct names *names);

#endif
