/* SPDX-License-Identifier: MIT */
/* The same numbers for the same seed */
#pragma once

#include <stdint.h>

static inline uint64_t random_begin(uint64_t seed)
{
	return seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

static inline uint32_t random_next(uint64_t *random, uint32_t end)
{
	*random ^= *random << 13;
	*random ^= *random >> 7;
	*random ^= *random << 17;
	return (uint32_t)(((*random >> 32) * end) >> 32);
}

/* Of an input, as many bytes as it takes; 0 at its end. */
static inline uint32_t random_read(const uint8_t **input,
				   const uint8_t *input_end, uint32_t end)
{
	uint64_t number = 0;
	uint64_t span = 1;

	for (; span < end && *input < input_end; span <<= 8)
		number = number << 8 | *(*input)++;
	return (uint32_t)(number % end);
}
