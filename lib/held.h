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
 *
 * The first entry of a slot is the one that is due first, unless the slot is
 * unsure, as it is once its first entry was taken off: then the others are as
 * they came. What comes down comes before what is due with it, as it was armed
 * before: it is the first entry or, if one is due sooner, the second.
 */
#ifndef JIF_LIB_HELD_H
#define JIF_LIB_HELD_H

#include "wheel_step.h"

#if CONFIG_JIF_SPREAD
#error "lib/held.h is for a wheel without spreading"
#endif

/**
 * struct held - a wheel, and what is known of its slots
 * @wheel:	its hands are moved by what is below only
 * @unsure:	the slots of which the first entry is not known
 */
struct held {
	struct jif_wheel wheel;
	jif_word_t unsure[JIF_WHEEL_WORDS];
};

static inline bool held_is_unsure(const struct held *held, unsigned slot)
{
	return held->unsure[slot / WORD_BITS] & WORD_MASK(slot);
}

/* Puts the first entry of a list behind the next one. */
static inline void held_go_second(struct jif_timer **list,
				  struct jif_timer *timer)
{
	struct jif_timer *first = timer->next;

	timers_del(list, timer);
	timers_add_head(&first, timer);
	if (*list == first)
		*list = timer;
}

/* Behind the others of its tick or, if armed before all of them, @in_front. */
static inline void held_put(struct held *held, spot_t spot,
			    struct jif_timer *timer, bool in_front)
{
	struct jif_timer **list = enqueue(spot, &held->wheel, timer);
	int32_t later = (int32_t)(timer->remaining - timer->next->remaining);

	if (in_front && later > 0)
		held_go_second(list, timer);
	else if (!in_front &&
		 (later >= 0 || held_is_unsure(held, SLOT_OF(spot))))
		*list = timer;
}

/*
 * Arms an idle timer, up to JIF_DELAY_MAX after the clock. One that is due at
 * the clock runs on this tick.
 */
static inline void held_arm(struct held *held, struct jif_timer *timer,
			    uint32_t expires, bool in_front)
{
	const struct jif_wheel *wheel = &held->wheel;
	uint32_t clk = clock_of(wheel);
	spot_t spot = SPOT(wheel->hand[SEC], 0);

	if (expires != clk)
		spot = find_spot(wheel, clk, expires - clk, SEC);
	held_put(held, spot, timer, in_front);
}

/* Disarms a pending timer. */
static inline void held_del(struct held *held, struct jif_timer *timer)
{
	unsigned slot = (unsigned)timer->where;

	if (held->wheel.slot[slot - 1] == timer->prev &&
	    timer->next->remaining != timer->remaining)
		bitmap_set(held->unsure, slot);
	dequeue(&held->wheel, timer);
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
static inline bool held_move(struct held *held, unsigned level)
{
	struct jif_wheel *wheel = &held->wheel;
	unsigned slot = wheel->hand[level];
	struct jif_timer *timer = wheel->slot[slot - 1];

	if (!timer)
		return false;
	if (timers_del(&wheel->slot[slot - 1], timer))
		bitmap_clear(wheel->occupied, slot);
	held_put(held, find_lower(wheel, timer->remaining, (index_t)level),
		 timer, true);
	return true;
}

/* So many entries are looked at before others are let in. */
#define HELD_LOOKS 8u

/**
 * struct held_first - what is due first, as far as it was looked for
 * @ticks:	nothing is due sooner after the clock; UINT32_MAX: nothing
 * @timer:	it is due then; NULL: @looks were used up, that is a bound
 * @looks:	how many more entries may be looked at
 * @let_in:	if not NULL, it is called after some; false if others have
 *		changed something, which ends the search
 */
struct held_first {
	uint32_t ticks;
	struct jif_timer *timer;
	unsigned looks;
	bool (*let_in)(void);
};

/*
 * Finds the first entry of a slot that is unsure, or else the looks are used up
 * and it stays so. Entries are due @away later than what they have remaining.
 */
static JIF_NOINLINE bool held_sort(struct held *held, unsigned slot,
				   uint32_t away, struct held_first *first)
{
	struct jif_timer **list = &held->wheel.slot[slot - 1], *last = *list;
	struct jif_timer *timer = last->next, *soonest = timer;
	unsigned looks = first->looks;

	for (; timer != last && looks; looks--) {
		if (first->let_in && looks % HELD_LOOKS == 0 &&
		    !first->let_in())
			return false;
		timer = timer->next;
		if (timer->remaining + away < soonest->remaining + away)
			soonest = timer;
	}
	first->looks = looks;
	if (timer != last)
		return true;
	bitmap_clear(held->unsure, slot);
	timers_del(list, soonest);
	timers_add_head(list, soonest);
	return true;
}

/* Looks at a slot of which nothing is due in less than @bound. */
static inline bool held_look(struct held *held, unsigned slot, uint32_t away,
			     uint32_t bound, struct held_first *first)
{
	const struct jif_timer *last = held->wheel.slot[slot - 1];
	struct jif_timer *timer = NULL;

	if (!last || bound > first->ticks)
		return true;
	if (held_is_unsure(held, slot) && !held_sort(held, slot, away, first))
		return false;
	if (!held_is_unsure(held, slot)) {
		timer = held->wheel.slot[slot - 1]->next;
		bound = timer->remaining + away;
		/* The hands stop at far_due: it has to be the soonest. */
		if (slot >= WEEK_FIRST)
			held->wheel.far_due = timer->remaining;
		if (bound >= first->ticks)
			return true;
	}
	first->ticks = bound;
	first->timer = timer;
	return true;
}

static inline bool held_find(struct held *held, struct held_first *first)
{
	const struct jif_wheel *wheel = &held->wheel;
	uint32_t clk = clock_of(wheel), away;
	const struct ring *ring = &jif_rings[SEC];
	index_t slot, next, level;

	first->ticks = UINT32_MAX;
	first->timer = NULL;
	for (;;) {
		slot = bitmap_find(wheel->occupied, ring->first, WEEK_FIRST);
		level = level_of(slot);
		ring = &jif_rings[level];
		if (level == WEEK)
			return held_look(held, far_slot(wheel), -clk,
					 wheel->far_due - clk, first);
		next = (index_t)slot_after(wheel, ring, wheel->hand[level],
					   slot);
		away = wheel->since[level] +
		       (uint32_t)(next - wheel->hand[level]) * ring->ticks -
		       clk;
		if (!held_look(held, wrap(ring, next), away, away, first))
			return false;
		/* Does no hand further up move sooner? */
		ring++;
		if (ring->ticks - (clk - wheel->since[level + 1]) >
		    first->ticks)
			return true;
		if (first->let_in && !first->let_in())
			return false;
	}
}

#endif
