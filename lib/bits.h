/* SPDX-License-Identifier: MIT */
/*
 * lib/bits.h - the occupancy map: a bit per slot
 */
#ifndef JIF_LIB_BITS_H
#define JIF_LIB_BITS_H

#include <jif/wheel.h>

#define WORD_BITS ((unsigned)JIF_WORD_BITS)

static inline jif_word_t bit_mask(unsigned bit)
{
	return (jif_word_t)((jif_word_t)1 << bit % WORD_BITS);
}

static inline void bit_set(jif_word_t *map, unsigned bit)
{
	map[bit / WORD_BITS] |= bit_mask(bit);
}

static inline void bit_clear(jif_word_t *map, unsigned bit)
{
	map[bit / WORD_BITS] &= (jif_word_t)~bit_mask(bit);
}

static inline unsigned bit_lowest(jif_word_t word)
{
	unsigned bit = 0;

	if (CONFIG_JIF_CTZ)
		return (unsigned)(sizeof(word) > sizeof(unsigned) ?
					  __builtin_ctzll(word) :
					  __builtin_ctz(word));
	while (!(word & 1)) {
		word >>= 1;
		bit++;
	}
	return bit;
}

/* The first bit that is set from @bit on and before @end, or else @end. */
static inline unsigned bit_find(const jif_word_t *map, unsigned bit,
				unsigned end)
{
	jif_word_t word;

	if (bit >= end)
		return end;
	word = (jif_word_t)(map[bit / WORD_BITS] >> bit % WORD_BITS);
	while (!word) {
		bit = (bit / WORD_BITS + 1) * WORD_BITS;
		if (bit >= end)
			return end;
		word = map[bit / WORD_BITS];
	}
	bit += bit_lowest(word);
	return bit < end ? bit : end;
}

#endif
