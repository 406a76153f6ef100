/* SPDX-License-Identifier: MIT */
/*
 * random.h - numbers that are the same on every machine
 *
 * SplitMix64: G. L. Steele, D. Lea, C. H. Flood, Fast Splittable Pseudorandom
 * Number Generators, OOPSLA 2014.
 */
#ifndef JIFSIM_RANDOM_H
#define JIFSIM_RANDOM_H

#include <stdint.h>

/*
 * struct generator - where delays come from
 * @state:	the seed, at first
 * @least:	the shortest delay
 * @most:	the longest delay
 */
struct generator {
	uint64_t state;
	uint32_t least;
	uint32_t most;
};

static inline uint64_t random_next(struct generator *generator)
{
	uint64_t z = generator->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* A delay; each is as likely as any other. */
static inline uint32_t random_delay(struct generator *generator)
{
	uint64_t choices = (uint64_t)generator->most - generator->least + 1;
	uint64_t whole = UINT64_MAX - UINT64_MAX % choices;
	uint64_t number;

	do {
		number = random_next(generator);
	} while (number >= whole);
	return generator->least + (uint32_t)(number % choices);
}

#endif
