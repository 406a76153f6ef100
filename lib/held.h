/* SPDX-License-Identifier: MIT */
/*
 * lib/held.h - a wheel whose owner holds a lock: no run, no masks
 *
 * For a kernel's queue of time-outs. Its owner calls all of this with the lock
 * held, may let others in between any two calls, and runs what is due itself.
 * Entries run from level 0 only, in arming order, as lib/wheel.c has it; what
 * it says of hands, slots and lists holds whenever the lock is free.
 *
 * The clock may stay behind the owner's time while nothing is due: a tick costs
 * nothing here then. What is armed counts from the clock, so only the owner has
 * to know. It must not move on past an entry that is due.
 */
#ifndef JIF_LIB_HELD_H
#define JIF_LIB_HELD_H

#include "wheel_step.h"

#if CONFIG_JIF_SPREAD
#error "lib/held.h is for a wheel without spreading"
#endif

/*
 * Arms an idle timer, up to JIF_DELAY_MAX after the clock, behind the others of
 * its tick or, if it was armed before all of them, @in_front. One that is due
 * at the clock runs on this tick.
 */
static inline void held_arm(struct jif_wheel *wheel, struct jif_timer *timer,
			    uint32_t expires, bool in_front)
{
	uint32_t clk = clock_of(wheel);
	spot_t spot = SPOT(wheel->hand[SEC], 0);
	struct jif_timer **list;

	if (expires != clk)
		spot = find_spot(wheel, clk, expires - clk, SEC);
	list = enqueue(spot, wheel, timer);
	if (!in_front)
		*list = timer;
}

/* The next one that is due at the clock; NULL if there is none. */
static inline struct jif_timer *held_due(const struct jif_wheel *wheel)
{
	struct jif_timer *last = wheel->slot[wheel->hand[SEC] - 1];

	return last ? last->next : NULL;
}

/*
 * The clock moves on, to @now or to a stop before it; nothing is due in
 * between. The slots under the hands below the level that is returned are to be
 * emptied then, the highest first, but for that of the seconds.
 */
static inline unsigned held_step(struct jif_wheel *wheel, uint32_t now)
{
	uint32_t ticks = now - wheel->since[MIN];

	if (ticks < MIN_TICKS) {
		set_clock(wheel, now, (jif_slot_t)(SEC_FIRST + ticks));
		return 0;
	}
	take_step(wheel, find_step(wheel, now), true);
	return wheel->levels_due;
}

/* One entry of the slot under a hand goes down; false if there was none. */
static inline bool held_move(struct jif_wheel *wheel, unsigned level)
{
	struct jif_timer *timer = wheel->slot[wheel->hand[level] - 1];

	return timer &&
	       move_entry(wheel, timer, timer->remaining,
			  find_lower(wheel, timer->remaining, (index_t)level));
}

/* So many entries are looked at before others are let in. */
#define HELD_LOOKS 8u

/**
 * struct held_first - what is due first, as far as it was looked for
 * @ticks:	nothing is due sooner after the clock; UINT32_MAX: nothing
 * @timer:	it is due then; NULL: @looks were used up, that is a bound
 * @looks:	how many more entries may be looked at
 */
struct held_first {
	uint32_t ticks;
	struct jif_timer *timer;
	unsigned looks;
};

/* The first of a slot that is reached in @ticks, if that is sooner. */
static inline bool held_look(struct jif_timer *last, uint32_t ticks,
			     struct held_first *first, bool (*let_in)(void))
{
	struct jif_timer *timer = last;

	do {
		timer = timer->next;
		if (!first->looks) {
			first->ticks = ticks;
			first->timer = NULL;
			return true;
		}
		first->looks--;
		if (ticks + timer->remaining < first->ticks) {
			first->ticks = ticks + timer->remaining;
			first->timer = timer;
		}
		if (!timer->remaining)
			return true;
		if (let_in && first->looks % HELD_LOOKS == 0 && !let_in())
			return false;
	} while (timer != last);
	return true;
}

/*
 * Finds what is due first. @let_in, if it is not NULL, is called after some
 * entries; it returns false if others have changed something, and then so does
 * this.
 */
static inline bool held_find(const struct jif_wheel *wheel,
			     struct held_first *first, bool (*let_in)(void))
{
	uint32_t clk = clock_of(wheel), ticks;
	const struct ring *ring;
	index_t slot, next;

	first->ticks = UINT32_MAX;
	first->timer = NULL;
	slot = bitmap_find(wheel->occupied, SEC_FIRST, WEEK_FIRST);
	while (slot < WEEK_FIRST) {
		index_t level = level_of(slot);

		ring = &jif_rings[level];
		/* No hand up here moves sooner. */
		if (ring->ticks - (clk - wheel->since[level]) > first->ticks)
			return true;
		next = (index_t)slot_after(wheel, level, slot);
		ticks = wheel->since[level] +
			(uint32_t)(next - wheel->hand[level]) * ring->ticks -
			clk;
		if (ticks <= first->ticks &&
		    !held_look(wheel->slot[wrap(ring, next) - 1], ticks, first,
			       let_in))
			return false;
		slot = bitmap_find(wheel->occupied, ring[1].first, WEEK_FIRST);
	}
	if (wheel->slot[far_slot(wheel) - 1] &&
	    wheel->far_due - clk < first->ticks) {
		first->ticks = wheel->far_due - clk;
		first->timer = NULL;
	}
	return true;
}

#endif
