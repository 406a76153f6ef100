/* SPDX-License-Identifier: MIT */
/*
 * lib/wheel_spread.h - CONFIG_JIF_SPREAD: cascades spread over many ticks
 *
 * All entries of a slot go down a level in the tick in which its hand gets
 * there. With CONFIG_JIF_SPREAD = K, each tick also moves up to K entries of
 * the slot that is reached next: the minutes' first, then the hours', the days'
 * and the weeks'. So little or nothing is left by then. For that, each ring has
 * the slots of two turns, the weeks have a third list, and a level spans all of
 * the next turn, too:
 *
 *	seconds		what is due in this minute or the next one
 *	minutes		else, in this hour or the next one
 *	hours		else, today or tomorrow
 *	days		else, this week or the next one
 *	weeks		otherwise
 *
 * So nothing is armed into a slot that is being moved ahead: it is armed below
 * it. Hence the order holds by the same rule as without spreading: for one
 * expiry, an entry on a higher level was armed earlier, and what goes down is
 * taken from the tail and put in front.
 *
 * The wheel stops where a slot becomes the one that is reached next and, while
 * there is something to move ahead, at each tick. A minute slot is next for 60
 * ticks: if it holds no more than 60 K entries, nothing is left of it when it
 * is reached. docs/realtime.md tells what that means for all levels together.
 */
#ifndef JIF_LIB_WHEEL_SPREAD_H
#define JIF_LIB_WHEEL_SPREAD_H

#include "wheel.h"

/* Where in its present turn a hand is. */
static inline index_t in_turn(const struct ring *ring, unsigned hand)
{
	unsigned turn = ring->slots / TURNS;
	unsigned slots = hand - ring->first;

	return (index_t)(TURNS == 1 || slots < turn ? slots : slots - turn);
}

/* Where that turn ends. */
static inline index_t turn_end(const struct ring *ring, unsigned hand)
{
	index_t middle = (index_t)(ring->first + ring->slots / TURNS);

	return TURNS > 1 && hand < middle ? middle : ring[1].first;
}

/*
 * Does a ring span what is due in @delta ticks, which is @ticks after its hand
 * moved?
 */
static inline bool spans(const struct ring *ring, unsigned hand, uint32_t delta,
			 uint32_t ticks)
{
	if (TURNS == 1)
		return delta < ring[1].ticks;
	return (ticks + in_turn(ring, hand) * ring->ticks) / TURNS <
	       ring[1].ticks;
}

/* Has a ring no entries for its next turn either? */
static inline bool is_clear(const struct jif_wheel *wheel,
			    const struct ring *ring)
{
	return TURNS == 1 || bitmap_find(wheel->occupied, ring->first,
					 ring[1].first) == ring[1].first;
}

/*
 * Spreading: a level whose hand reaches @slot next, which has entries; LEVELS
 * if there is none.
 */
static inline index_t level_ahead(const struct jif_wheel *wheel, unsigned *slot)
{
	const struct ring *ring;
	index_t level;

	for (level = MIN; TURNS > 1 && level < LEVELS; level++) {
		ring = &jif_rings[level];
		*slot = wheel->hand[level] + 1u;
		if (*slot == ring[1].first)
			*slot = ring->first;
		if (wheel->slot[*slot - 1])
			return level;
	}
	return LEVELS;
}

/*
 * How many entries may still be moved on this tick, by cascades or ahead of
 * time. While some may, all that can be moved ahead has been.
 */
#if CONFIG_JIF_SPREAD
static inline unsigned moves_left(const struct jif_wheel *wheel)
{
	return wheel->ahead;
}

static inline void allow_moves(struct jif_wheel *wheel, unsigned moves)
{
	wheel->ahead = (uint8_t)moves;
}
#else
static inline unsigned moves_left(const struct jif_wheel *wheel)
{
	(void)wheel;
	return 1;
}

static inline void allow_moves(struct jif_wheel *wheel, unsigned moves)
{
	(void)wheel;
	(void)moves;
}
#endif

#endif
