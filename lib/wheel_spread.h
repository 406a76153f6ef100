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

#include <jif/jiffies.h>

#include "wheel.h"

/* Where in its turn a slot is. */
static inline index_t in_turn(const struct ring *ring, unsigned slot)
{
	unsigned turn = ring->slots / TURNS;
	unsigned slots = slot - ring->first;

	return (index_t)(TURNS == 1 || slots < turn ? slots : slots - turn);
}

/* Where the turn of a hand ends. */
static inline index_t turn_end(const struct ring *ring, unsigned hand)
{
	index_t middle = (index_t)(ring->first + ring->slots / TURNS);

	return TURNS > 1 && hand < middle ? middle : ring[1].first;
}

/* Where the turn begins to which the hand above, or the week, belongs. */
static inline index_t turn_begin(const struct jif_wheel *wheel, index_t level)
{
	const struct ring *ring = &jif_rings[level];
	bool odd = false;
#if CONFIG_JIF_SPREAD
	odd = level == DAY ? wheel->odd_week :
			     (wheel->hand[level + 1] - ring[1].first) % 2;
#endif
	(void)wheel;
	return (index_t)(ring->first + (odd ? ring->slots / TURNS : 0u));
}

/* Does a ring, whose hand moved at *@moved, span what is due at @expires? */
static inline bool spans(const struct jif_wheel *wheel, const struct ring *ring,
			 const uint32_t *moved, uint32_t expires)
{
	if (TURNS == 1)
		return expires - wheel->clk < ring[1].ticks;
	return expires - moved[1] < TURNS * ring[1].ticks;
}

/*
 * The list of what is due in a later week than those of the days. While what
 * was not moved ahead in time goes down, that is the one which is moved ahead
 * next: what it has of the next week was armed later. The last list is empty
 * then; if it is not, this week has none that is taken.
 */
static inline index_t far_slot(const struct jif_wheel *wheel)
{
	index_t last;

	if (TURNS == 1)
		return (index_t)(WEEK_FIRST + LAST_SLOT - wheel->hand[WEEK]);
	last = wrap(&jif_rings[WEEK], wheel->hand[WEEK] + TURNS);
	if (wheel->due > WEEK && !wheel->slot[last - 1])
		return wrap(&jif_rings[WEEK], wheel->hand[WEEK] + 1u);
	return last;
}

/* The lowest level to which an entry of a slot that is reached may go. */
static inline index_t level_below(const struct jif_wheel *wheel, index_t level,
				  const struct jif_timer *timer)
{
	if (TURNS > 1 && level == WEEK &&
	    timer->remaining - wheel->moved[WEEK] >= WEEK_TICKS)
		return WEEK;
	return (index_t)(level - (level > SEC));
}

/* From then on, the remaining values of later weeks count. */
static inline uint32_t ticks_to_0(const struct jif_wheel *wheel)
{
	return ~wheel->clk + 1;
}

/* Where it waits: its remaining value counts from tick 0. */
static inline unsigned note_far(struct jif_wheel *wheel,
				struct jif_timer *timer, uint32_t expires)
{
	unsigned slot = far_slot(wheel);

	if (!wheel->slot[slot - 1] || jif_time_before(expires, wheel->far_due))
		wheel->far_due = expires;
	timer->remaining = expires;
	return slot;
}

/*
 * A week is over. The hand of the weeks stays where it is until a list has what
 * is due in the week that begins or, with spreading, in the one after it.
 */
static inline void begin_week(struct jif_wheel *wheel)
{
	uint32_t begin = wheel->moved[WEEK] + WEEK_TICKS;
	index_t next = wrap(&jif_rings[WEEK], wheel->hand[WEEK] + 1u);

	wheel->moved[WEEK] = begin;
	if (wheel->far_due - begin < TURNS * WEEK_TICKS ||
	    (TURNS > 1 && wheel->slot[next - 1]))
		wheel->hand[WEEK] = (jif_slot_t)next;
#if CONFIG_JIF_SPREAD
	wheel->odd_week = !wheel->odd_week;
#endif
}

/*
 * The ticks until the hand of the weeks has to move, or less; NEVER if it has
 * not. It moves at the end of the week before far_due is in one that counts.
 */
static inline uint32_t ticks_to_week(const struct jif_wheel *wheel)
{
	uint32_t left = wheel->far_due - wheel->clk;

	if (left > TURNS * WEEK_TICKS)
		return left - TURNS * WEEK_TICKS;
	return wheel->moved[WEEK] + WEEK_TICKS - wheel->clk;
}

/*
 * In how many slots a hand has to stop for what is in @slot. With spreading,
 * above the seconds, that is when the slot becomes the one reached next.
 */
static inline index_t slots_to_stop(const struct ring *ring, index_t hand,
				    index_t slot)
{
	return (index_t)(slot - hand - (TURNS > 1 && ring != jif_rings));
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
static inline unsigned moves_left(const struct jif_wheel *wheel)
{
	(void)wheel;
	return 1;
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

/* The slot that is to be moved ahead next, and on which level; or NO_SLOT. */
static inline unsigned next_ahead(const struct jif_wheel *wheel, index_t *level)
{
	const struct ring *ring = &jif_rings[MIN];
	unsigned slot;

	if (TURNS == 1)
		return NO_SLOT;
	for (*level = MIN; *level < LEVELS; ++*level, ring++) {
		slot = wrap(ring, wheel->hand[*level] + 1u);
		if (wheel->slot[slot - 1])
			return slot;
	}
	return NO_SLOT;
}

static inline bool is_moving_ahead(const struct jif_wheel *wheel)
{
	index_t level;

	return next_ahead(wheel, &level) != NO_SLOT;
}

#endif
