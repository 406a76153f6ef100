/* SPDX-License-Identifier: MIT */
/*
 * test/proof/every.c - functions with so few inputs that all can be tried
 *
 * usage: every [BITS]
 *
 * bitmap_find() for words of 8 bits, on all maps of so many bits and all ranges
 * in them; else move_hand(), from all positions of the hands to all stops of a
 * turn, against a division of the clock.
 *
 * looped.c is lib/wheel.c with the contracts of loops.sed.
 */
#include <stdio.h>
#include <stdlib.h>

#include <jif/types.h>

/* Not that of the wheel, which is too wide to try all. */
#define jif_word_t uint8_t
#include "bitmap.h"

#include "looped.c"

/* How many positions there are, and ways in which rings are in second turns. */
#define POSITIONS ((TURNS + 1) * WEEK_TICKS)
#define WAYS	  (TURNS > 1 ? 1u << WEEK : 1)

/* Ticks per slot, and slots of a turn. */
static const uint32_t unit[] = { 1, 60, 3600, 86400, 604800, UINT32_MAX };
static const unsigned turn[] = { 60, 60, 24, 7, TURNS + 1 };

/* The first slot of each ring; there are TURNS turns of the rings below. */
static const unsigned begin[] = { 1, 1 + TURNS * 60, 1 + TURNS * 120,
				  1 + TURNS * 144, 1 + TURNS * 151 };

static void same(const char *what, uint32_t want, uint32_t got)
{
	if (want == got)
		return;
	printf("%s: %lu, not %lu\n", what, (unsigned long)got,
	       (unsigned long)want);
	exit(1);
}

/* All ranges of a map; the further down one begins, the lower its first bit. */
static unsigned long find_in(const uint8_t *map, unsigned bits)
{
	unsigned long ranges = 0;
	unsigned first;

	for (unsigned end = 0; end <= bits; end++) {
		first = end;
		for (unsigned bit = end + 1; bit-- > 0; ranges++) {
			if (bit < end && map[bit / 8] / (1u << bit % 8) % 2)
				first = bit;
			same("the first bit", first,
			     bitmap_find(map, bit, end));
		}
	}
	return ranges;
}

static void find(unsigned bits)
{
	unsigned long ranges = 0;

	for (uint32_t i = 0; i < (uint32_t)1 << bits; i++) {
		uint8_t map[] = { i & 255, i >> 8 & 255, i >> 16 & 255, 255 };

		ranges += find_in(map, bits);
	}
	printf("# %lu ranges\n", ranges);
}

/* Where a hand is so many ticks after all were at 0. */
static jif_slot_t hand_at(unsigned level, uint32_t ticks, bool second)
{
	return (jif_slot_t)(begin[level] + ticks / unit[level] % turn[level] +
			    (second ? turn[level] : 0));
}

/* Along the ring of @level to its slot at @to; way has a bit for each ring. */
static void move(unsigned level, uint32_t from, uint32_t to, unsigned way)
{
	static struct jif_wheel wheel;
	unsigned due = level + 1;
	bool ended;

	wheel.clk = UINT32_MAX - WEEK_TICKS + from;
	for (unsigned i = SEC; i < LEVELS; i++)
		wheel.hand[i] = hand_at(i, from, way >> i & 1);
	move_hand(&wheel, &jif_rings[level], &wheel.hand[level],
		  wheel.hand[level] + (to - from) / unit[level]);
	same("the clock", UINT32_MAX - WEEK_TICKS + to, wheel.clk);
	for (unsigned i = SEC; i < LEVELS; i++) {
		ended = i >= level && i < WEEK &&
			from / unit[i + 1] != to / unit[i + 1];
		if (ended)
			due = i + 2;
		if (TURNS > 1 && ended)
			way ^= 1u << i;
		same("a hand", hand_at(i, to, way >> i & 1), wheel.hand[i]);
	}
	same("what has moved", due, wheel.due);
}

/* All moves along any ring, those below which stand at the start of a turn. */
static void move_from(uint32_t from, unsigned way)
{
	uint32_t end;

	for (unsigned i = SEC; i <= DAY && from % unit[i] == 0; i++) {
		end = (from / unit[i + 1] + 1) * unit[i + 1];
		for (uint32_t to = from + unit[i]; to <= end; to += unit[i])
			move(i, from, to, way);
	}
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		find((unsigned)atoi(argv[1]));
		return 0;
	}
	for (uint32_t from = 0; from < POSITIONS; from++)
		for (unsigned way = 0; way < WAYS; way++)
			move_from(from, way);
	printf("# %lu positions\n", (unsigned long)POSITIONS * WAYS);
	return 0;
}
