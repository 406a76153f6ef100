/* SPDX-License-Identifier: MIT */
/*
 * names.h - the names of timers, each with a number
 */
#ifndef JIFSIM_NAMES_H
#define JIFSIM_NAMES_H

#include <stdbool.h>
#include <stdint.h>

#define NAMES_MAX   2000000u
#define NAME_LENGTH 43		       /* at most, without a number */
#define NAME_SIZE   (NAME_LENGTH + 21) /* with one, and a NUL */

/*
 * struct name - of a timer
 * @armed:	some line arms it
 * @due:	while a trace is read: when the recorder has it expire, plus
 *		one; 0: it is not armed
 */
struct name {
	char *text;
	int64_t due;
	bool armed;
};

/*
 * struct names - all names of a scenario
 * @name:	of each number
 * @bucket:	a hash table: numbers plus one, or 0
 * @buckets:	its size, a power of two
 */
struct names {
	struct name *name;
	uint32_t count;
	uint32_t *bucket;
	uint32_t buckets;
};

/* Returns the number of a name, a new one if it is new. */
uint32_t names_add(struct names *names, const char *text);

void names_free(struct names *names);

#endif
