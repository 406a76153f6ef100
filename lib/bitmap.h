/* SPDX-License-Identifier: MIT */
/*
 * lib/bitmap.h - a map of bits, in which the next one that is set is found fast
 *
 * Bits are changed with interrupts off and looked for with interrupts on, so a
 * word is loaded once, by one access.
 */
#ifndef JIF_LIB_BITMAP_H
#define JIF_LIB_BITMAP_H

#include <jif/wheel.h>

#include "shared.h"

#define WORD_BITS ((unsigned)JIF_WORD_BITS)

/* A small number, as that of a bit: a byte where registers are bytes. */
#if UINTPTR_MAX > 0xffff || CONFIG_JIF_SPREAD
typedef unsigned index_t;
#else
typedef uint8_t index_t;
#endif

/* Of the word that it is in. */
#define WORD_MASK(bit) ((jif_word_t)((jif_word_t)1 << (bit) % WORD_BITS))

static inline void bitmap_set(jif_word_t *map, unsigned bit)
{
	jif_word_t *word = &map[bit / WORD_BITS];

	WRITE_SHARED(word, (jif_word_t)(*word | WORD_MASK(bit)));
}

static inline void bitmap_clear(jif_word_t *map, unsigned bit)
{
	jif_word_t *word = &map[bit / WORD_BITS];

	WRITE_SHARED(word, (jif_word_t)(*word & ~WORD_MASK(bit)));
}

static inline unsigned lowest_bit(jif_word_t word)
{
	unsigned bit = 0;

	if (CONFIG_JIF_CTZ)
		return (unsigned)JIF_CTZ(word);
	for (; !(word & 1); word >>= 1)
		bit++;
	return bit;
}

/* The first bit that is set from @from on and before @to, or else @to. */
static inline index_t bitmap_find(const jif_word_t *map, unsigned from,
				  unsigned to)
{
	index_t bit = (index_t)from, end = (index_t)to;
	jif_word_t word = JIF_LOAD(&map[bit / WORD_BITS], RELAXED);

	word = (jif_word_t)(word >> bit % WORD_BITS);
	while (!word) {
		bit = (index_t)((bit / WORD_BITS + 1) * WORD_BITS);
		if (bit >= end)
			return end;
		word = JIF_LOAD(&map[bit / WORD_BITS], RELAXED);
	}
	bit = (index_t)(bit + lowest_bit(word));
	return bit < end ? bit : end;
}

#endif
