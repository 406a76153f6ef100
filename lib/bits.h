/* SPDX-License-Identifier: MIT */
/*
 * lib/bits.h - the occupancy map: a bit per slot
 */
#ifndef JIF_LIB_BITS_H
#define JIF_LIB_BITS_H

#include <jif/wheel.h>
#include <stddef.h>

#define WORD_BITS ((unsigned)JIF_WORD_BITS)

static inline jif_word_t bit_mask(size_t bit)
{
	return (jif_word_t)((jif_word_t)1 << bit % WORD_BITS);
}

static inline void bit_set(jif_word_t *map, size_t bit)
{
	map[bit / WORD_BITS] |= bit_mask(bit);
}

static inline void bit_clear(jif_word_t *map, size_t bit)
{
	map[bit / WORD_BITS] &= (jif_word_t)~bit_mask(bit);
}

/* @count bits from @bit on, which are all in one word. */
static inline jif_word_t bit_masks(size_t bit, unsigned count)
{
	return (jif_word_t)((jif_word_t)((1u << count) - 1) << bit % WORD_BITS);
}

static inline bool bit_any(const jif_word_t *map, size_t bit, unsigned count)
{
	return map[bit / WORD_BITS] & bit_masks(bit, count);
}

static inline void bit_clear_all(jif_word_t *map, size_t bit, unsigned count)
{
	map[bit / WORD_BITS] &= (jif_word_t)~bit_masks(bit, count);
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
static inline size_t bit_find(const jif_word_t *map, size_t bit, size_t end)
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

/*
 * With CONFIG_JIF_HOST, each level begins with a word of the map. If that word
 * holds the whole level, from @begin to before @end, it is all to look at.
 */
static inline bool bit_one_word(size_t begin, size_t end)
{
	return CONFIG_JIF_HOST && end - begin < WORD_BITS;
}

static inline bool bit_none(const jif_word_t *map, size_t begin, size_t end)
{
	return bit_one_word(begin, end) && !map[begin / WORD_BITS];
}

/* As bit_find(), between @begin and @end. */
static inline size_t bit_find_in(const jif_word_t *map, size_t begin,
				 size_t bit, size_t end)
{
	jif_word_t word;

	if (!bit_one_word(begin, end))
		return bit_find(map, bit, end);
	word = (jif_word_t)(map[begin / WORD_BITS] >> bit % WORD_BITS);
	return word ? bit + bit_lowest(word) : end;
}

/* The first in the ring from @begin to before @end, as one comes round. */
static inline size_t bit_find_round(const jif_word_t *map, size_t begin,
				    size_t bit, size_t end)
{
	jif_word_t word = map[begin / WORD_BITS];
	size_t found;

	if (bit_one_word(begin, end)) {
		if (!word)
			return end;
		found = bit_find_in(map, begin, bit, end);
		return found < end ? found : begin + bit_lowest(word);
	}
	found = bit_find(map, bit, end);
	if (found < end)
		return found;
	found = bit_find(map, begin, bit);
	return found < bit ? found : end;
}

#endif
