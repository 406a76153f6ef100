/* SPDX-License-Identifier: MIT */
/*
 * lib/levels.h - where a timer waits, and how the hands move
 *
 * lib/wheel.c says why. With CONFIG_JIF_SPREAD, lib/levels_spread.h stands in
 * for this file: who reads one need not read the other.
 */
#ifndef JIF_LIB_LEVELS_H
#define JIF_LIB_LEVELS_H

#include "trace.h"
#include "wheel.h"

/* Where in its turn a slot is. */
static inline unsigned in_turn(const struct ring *ring, unsigned slot)
{
	return slot - ring->first;
}

/* Where the turn of a hand begins. */
static inline unsigned turn_begin(const struct jif_wheel *wheel, unsigned level)
{
	(void)wheel;
	return jif_rings[level].first;
}

static inline unsigned turn_end(const struct jif_wheel *wheel, unsigned level)
{
	(void)wheel;
	return jif_rings[level + 1].first;
}

/* After a run: until which second is there nothing to do? */
static inline void note_quiet(struct jif_wheel *wheel)
{
	wheel->quiet_until = (uint8_t)bitmap_find(
		wheel->occupied, wheel->hand[SEC] + 1u, MIN_FIRST);
}

/* Does a level span a timer due at @expires? */
static inline bool spans(const struct jif_wheel *wheel, unsigned level,
			 uint32_t expires)
{
	return expires - clock_of(wheel) < jif_rings[level + 1].ticks;
}

/* May entries of the slot under a hand be due a full turn later? */
static inline bool is_full_turn(const struct jif_wheel *wheel, unsigned level)
{
	return level != WEEK && clock_of(wheel) != wheel->since[level];
}

/* One of the two lists is taken when the hand gets there; the other is far. */
static inline unsigned far_slot(const struct jif_wheel *wheel)
{
	return WEEK_FIRST + LAST_SLOT - wheel->hand[WEEK];
}

/* The tick from which the remaining values in a slot count. */
static inline uint32_t visit_of(const struct jif_wheel *wheel, unsigned slot)
{
	unsigned level = level_of((index_t)slot);
	const struct ring *ring = &jif_rings[level];
	uint32_t visit;

	if (level == WEEK)
		return 0;
	visit = wheel->since[level] +
		((uint32_t)slot - wheel->hand[level]) * ring->ticks;
	/* The hand has passed that slot, and gets there in its next turn. */
	if ((int32_t)(visit - clock_of(wheel)) < 0)
		visit += ring->slots * ring->ticks;
	return visit;
}

/* Returns the far list, where remaining values count from tick 0. */
static inline unsigned place_far(struct jif_wheel *wheel, uint32_t expires)
{
	unsigned slot = far_slot(wheel);

	if (!wheel->slot[slot - 1] || (int32_t)(expires - wheel->far_due) < 0)
		wheel->far_due = expires;
	return slot;
}

/*
 * Puts a timer at the head of the list for timers due at @expires, on the
 * lowest level that spans it, but not below @level. Returns that list.
 */
INLINE_IF_UNROLLED struct jif_timer **place(struct jif_wheel *wheel,
					    struct jif_timer *timer,
					    uint32_t expires, index_t level)
{
	const struct ring *ring = &jif_rings[level];
	unsigned slot = NO_SLOT;
	uint32_t slots, ticks;

	timer->remaining = expires;
	JIF_UNROLL(4)
	for (; level < WEEK; level++, ring++) {
		if (expires - clock_of(wheel) >= ring[1].ticks)
			continue;
		ticks = expires - wheel->since[level];
		slots = slots_in(ticks, ring);
		timer->remaining = ticks - slots * ring->ticks;
		slot = wrap(ring, (index_t)(wheel->hand[level] + slots));
		break;
	}
	if (slot == NO_SLOT)
		slot = place_far(wheel, expires);
	return enqueue(wheel, timer, slot);
}

/* An entry of the slot under a hand goes down or, if postponed, waits anew. */
static inline void cascade(struct jif_wheel *wheel, struct jif_timer *timer,
			   index_t level)
{
	uint32_t expires = timer->remaining;

	if (level != WEEK)
		expires += clock_of(wheel);
	place(wheel, timer, expires, (index_t)(level - (level > SEC)));
	trace_slot(JIF_TRACE_CASCADE, wheel, timer, timer->remaining);
}

/* With spreading, entries are moved before their slot is reached. */
static inline bool move_ahead(struct jif_wheel *wheel, struct run *run)
{
	(void)wheel;
	(void)run;
	return true;
}

/**
 * struct step - how far time moves on at once
 * @clk:	what the clock shows then
 * @weeks:	ticks from the begin of this week to that of the week in which
 *		@clk is, if that is another one
 */
struct step {
	uint32_t clk;
	uint32_t weeks;
};

/* The begin of the week in which far_due is; if that is this one, its end. */
static inline uint32_t week_stop(const struct jif_wheel *wheel)
{
	uint32_t weeks = whole_weeks(wheel->far_due - wheel->since[WEEK]);

	return wheel->since[WEEK] + (weeks ? weeks : WEEK_TICKS);
}

/*
 * When a hand gets to the next slot with entries of the lowest level that has
 * some or, if there is none ahead of the hand, to the end of that ring.
 */
static inline uint32_t lowest_stop(const struct jif_wheel *wheel)
{
	index_t slot = bitmap_find(wheel->occupied, SEC_FIRST, WEEK_FIRST);
	index_t level = level_of(slot);
	const struct ring *ring = &jif_rings[level];
	index_t hand = wheel->hand[level];

	if (level == WEEK)
		return week_stop(wheel);
	if (slot <= hand)
		slot = bitmap_find(wheel->occupied, hand + 1u, ring[1].first);
	return wheel->since[level] + (uint32_t)(slot - hand) * ring->ticks;
}

/* A step to that stop, or to @now if that is sooner. */
static inline struct step find_step(const struct jif_wheel *wheel, uint32_t now)
{
	struct step step = { lowest_stop(wheel), 0 };

	if (step.clk - clock_of(wheel) > now - clock_of(wheel))
		step.clk = now;
	step.weeks = whole_weeks(step.clk - wheel->since[WEEK]);
	return step;
}

/* A week begins, so many ticks after this one. Returns when. */
static inline uint32_t begin_week(struct jif_wheel *wheel, uint32_t weeks)
{
	uint32_t begin = wheel->since[WEEK] + weeks;

	if (wheel->far_due - begin < WEEK_TICKS)
		wheel->hand[WEEK] = (jif_slot_t)far_slot(wheel);
	wheel->since[WEEK] = begin;
	return begin;
}

/*
 * The highest hand that moves is looked for from below. From it down, each hand
 * is set by a division of the remainder of the turn above.
 */
static inline void take_step(struct jif_wheel *wheel, struct step step)
{
	const struct ring *ring = jif_rings;
	uint32_t slots, clk = step.clk, begin = wheel->since[MIN];
	index_t level, due = MIN;

	for (; due < WEEK && clk - begin >= ring[1].ticks; ring++)
		begin = wheel->since[++due];
	level = (index_t)(due - 1);
	if (clk - begin >= WEEK_TICKS) {
		begin = begin_week(wheel, step.weeks);
		due = begin == clk ? LEVELS : WEEK;
	}
	for (; level > SEC; level--, ring--) {
		slots = slots_in(clk - begin, ring);
		begin += slots * ring->ticks;
		wheel->since[level] = begin;
		wheel->hand[level] = (jif_slot_t)(ring->first + slots);
		due = begin == clk ? due : level;
	}
	WRITE_SHARED(&wheel->since[SEC], clk);
	wheel->hand[SEC] = (jif_slot_t)(SEC_FIRST + clk - begin);
	wheel->levels_due = (uint8_t)due;
}

/* The first slot with entries after a hand; @first counts on beyond the end. */
static inline unsigned slot_after(const struct jif_wheel *wheel, unsigned level,
				  unsigned first)
{
	const struct ring *ring = &jif_rings[level];
	unsigned slot = first;

	if (slot <= wheel->hand[level])
		slot = bitmap_find(wheel->occupied, wheel->hand[level] + 1u,
				   ring[1].first);
	return slot < ring[1].first ? slot : first + ring->slots;
}

/* Nothing on a higher level can come before the end of this ring's turn. */
static inline uint32_t ticks_to_stop(const struct jif_wheel *wheel)
{
	uint32_t stop, nearest = NEVER;
	index_t slot, level = SEC;

	do {
		slot = bitmap_find(wheel->occupied, jif_rings[level].first,
				   LAST_SLOT + 1);
		if (slot > LAST_SLOT)
			break;
		level = level_of(slot);
		if (level == WEEK) {
			stop = week_stop(wheel);
		} else {
			slot = (index_t)slot_after(wheel, level, slot);
			stop = wheel->since[level] +
			       (uint32_t)(slot - wheel->hand[level]) *
				       jif_rings[level].ticks;
		}
		if (stop - clock_of(wheel) < nearest)
			nearest = stop - clock_of(wheel);
	} while (slot >= jif_rings[++level].first);
	return nearest;
}

#endif
