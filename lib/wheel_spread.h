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

#if CONFIG_JIF_SPREAD

/* Where in its present turn a hand is. */
static inline unsigned in_turn(const struct ring *ring, unsigned hand)
{
	unsigned turn = ring->slots / TURNS;

	return hand < turn ? hand : hand - turn;
}

/* Where that turn ends. */
static inline unsigned turn_end(const struct ring *ring, unsigned hand)
{
	unsigned turn = ring->slots / TURNS;

	return hand < turn ? turn : ring->slots;
}

/* @ticks count from when the hand moved, @delta counts from now. */
static inline bool spans(const struct ring *ring, unsigned hand, uint32_t delta,
			 uint32_t ticks)
{
	(void)delta;
	return (ticks + in_turn(ring, hand) * ring->ticks) / TURNS <
	       ring[1].ticks;
}

/* How long ago the hand of @level moved. */
static inline uint32_t ticks_since(const struct jif_wheel *wheel,
				   unsigned level)
{
	uint32_t ticks = 0;

	while (level-- > SEC)
		ticks += in_turn(&jif_rings[level], wheel->hand[level]) *
			 jif_rings[level].ticks;
	return ticks;
}

/* Has a ring no entries for its next turn either? */
static inline bool is_clear(const struct jif_wheel *wheel,
			    const struct ring *ring)
{
	return bitmap_find(wheel->occupied, ring->first, ring[1].first) ==
	       ring[1].first;
}

/*
 * Where the hand of a ring has to stop, at the end of its turn at the latest:
 * at the next slot with entries or, above the seconds, one before it, where
 * that becomes the slot that is reached next.
 */
static inline unsigned stop_on(const struct jif_wheel *wheel,
			       const struct ring *ring, unsigned hand)
{
	unsigned end = turn_end(ring, hand);
	unsigned next_turn = end < ring->slots ? end : 0;
	unsigned stop = bitmap_find(wheel->occupied, ring->first + hand + 1,
				    ring->first + end) -
			ring->first;

	if (ring == &jif_rings[SEC] ||
	    (stop == end && !wheel->slot[ring->first + next_turn - 1]))
		return stop;
	return stop - 1;
}

/* A slot with entries that its hand reaches next, or NO_SLOT. */
static inline unsigned slot_ahead(const struct jif_wheel *wheel)
{
	unsigned slot;

	for (unsigned level = MIN; level < LEVELS; level++) {
		slot = under_hand(wheel, level) + 1;
		if (slot == jif_rings[level + 1].first)
			slot = jif_rings[level].first;
		if (wheel->slot[slot - 1])
			return slot;
	}
	return NO_SLOT;
}

/* The slot from which to move an entry ahead on this tick, or NO_SLOT. */
static inline unsigned slot_to_move(const struct jif_wheel *wheel)
{
	return wheel->ahead ? slot_ahead(wheel) : NO_SLOT;
}

/* Of CONFIG_JIF_SPREAD moves on a tick, its own cascades use up some. */
static inline void allow_moves(struct jif_wheel *wheel)
{
	wheel->ahead = CONFIG_JIF_SPREAD;
}

static inline void count_move(struct jif_wheel *wheel)
{
	if (wheel->ahead)
		wheel->ahead--;
}

#else

static inline unsigned in_turn(const struct ring *ring, unsigned hand)
{
	(void)ring;
	return hand;
}

static inline unsigned turn_end(const struct ring *ring, unsigned hand)
{
	(void)hand;
	return ring->slots;
}

static inline bool spans(const struct ring *ring, unsigned hand, uint32_t delta,
			 uint32_t ticks)
{
	(void)hand;
	(void)ticks;
	return delta < ring[1].ticks;
}

/* What goes down a level does so when all hands below have come round. */
static inline uint32_t ticks_since(const struct jif_wheel *wheel,
				   unsigned level)
{
	(void)wheel;
	(void)level;
	return 0;
}

static inline bool is_clear(const struct jif_wheel *wheel,
			    const struct ring *ring)
{
	(void)wheel;
	(void)ring;
	return true;
}

static inline unsigned stop_on(const struct jif_wheel *wheel,
			       const struct ring *ring, unsigned hand)
{
	return bitmap_find(wheel->occupied, ring->first + hand + 1u,
			   ring[1].first) -
	       ring->first;
}

static inline unsigned slot_ahead(const struct jif_wheel *wheel)
{
	(void)wheel;
	return NO_SLOT;
}

static inline unsigned slot_to_move(const struct jif_wheel *wheel)
{
	(void)wheel;
	return NO_SLOT;
}

static inline void allow_moves(struct jif_wheel *wheel)
{
	(void)wheel;
}

static inline void count_move(struct jif_wheel *wheel)
{
	(void)wheel;
}

#endif

#endif
