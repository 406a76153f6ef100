/* SPDX-License-Identifier: MIT */
/*
 * lib/firmware/key_hash.c - a hash of keys that others choose
 *
 * HalfSipHash-1-3: without the seed, nobody can find keys of one bucket.
 */
#include "key.h"

/* The four words of the hash. */
struct state {
	uint32_t v[4];
};

static uint32_t rotate(uint32_t word, unsigned n)
{
	return word << n | word >> (32 - n);
}

static void mix(struct state *s, unsigned rounds)
{
	uint32_t *v = s->v;

	while (rounds--) {
		v[0] += v[1];
		v[1] = rotate(v[1], 5) ^ v[0];
		v[0] = rotate(v[0], 16);
		v[2] += v[3];
		v[3] = rotate(v[3], 8) ^ v[2];
		v[0] += v[3];
		v[3] = rotate(v[3], 7) ^ v[0];
		v[2] += v[1];
		v[1] = rotate(v[1], 13) ^ v[2];
		v[2] = rotate(v[2], 16);
	}
}

static void absorb(struct state *s, uint32_t word)
{
	s->v[3] ^= word;
	mix(s, 1);
	s->v[0] ^= word;
}

/* The first of @n bytes is the lowest; there are 4 at most. */
static uint32_t word_of(const uint8_t *byte, unsigned n)
{
	uint32_t word = 0;

	while (n--)
		word = word << 8 | byte[n];
	return word;
}

uint32_t jif_key_hash_seeded(struct jif_key key, uint64_t seed)
{
	uint32_t low = (uint32_t)seed, high = (uint32_t)(seed >> 32);
	struct state s = { { low, high, UINT32_C(0x6c796765) ^ low,
			     UINT32_C(0x74656462) ^ high } };
	uint32_t last = (uint32_t)key.number << 24;
	const uint8_t *byte = key.bytes;

	if (byte) {
		for (; key.number >= 4; key.number -= 4, byte += 4)
			absorb(&s, word_of(byte, 4));
		absorb(&s, last | word_of(byte, (unsigned)key.number));
	} else {
		absorb(&s, (uint32_t)key.number);
		absorb(&s, HIGH_HALF(key.number));
	}
	s.v[2] ^= 0xff;
	mix(&s, 3);
	return s.v[1] ^ s.v[3];
}
