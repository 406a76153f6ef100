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
 * nothing here then. It must not move on past an entry that is due.
 *
 * The first entry of a slot is the one that is due first, unless the slot is
 * unsure, as it may be from the disarming of its first entry to the next search
 * in it: then they are as they came. What comes down comes before what is due
 * with it, as it was armed before: it is the first entry or, if one is due
 * sooner, the second.
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
	return held->unsure[slot / WORD_BITS] >> slot % WORD_BITS & 1;
}

/* Takes a timer off the list of a slot, of which the last one is known. */
static inline void held_take(struct held *held, struct jif_timer *timer,
			     struct jif_timer *last, unsigned slot)
{
	struct jif_timer *tail = last;

	if (timers_del(&tail, timer))
		bitmap_clear(held->wheel.occupied, slot);
	if (tail != last)
		held->wheel.slot[slot - 1] = tail;
}

/* Behind the others of its tick or, if armed before all of them, @in_front. */
static inline void held_put(struct held *held, spot_t spot,
			    struct jif_timer *timer, bool in_front)
{
	unsigned slot = SLOT_OF(spot);
	struct jif_timer **list = &held->wheel.slot[slot - 1];
	struct jif_timer *last = last_of(&held->wheel, slot), *before = last;
	int32_t later = 0;

	if (last)
		later = (int32_t)(LEFT_OF(spot) - last->next->remaining);
	else
		bitmap_set(held->wheel.occupied, slot);
	timer->remaining = LEFT_OF(spot);
	timer->where = (int)slot;
	if (in_front && later > 0)
		before = last->next;
	timers_add_head(&before, timer);
	if (in_front ? !last || (later > 0 && before == last) :
		       later >= 0 || held_is_unsure(held, slot))
		*list = timer;
}

/* Arms an idle timer that is due in a week or later. */
static JIF_NOINLINE void held_arm_far(struct held *held,
				      struct jif_timer *timer, uint32_t expires,
				      bool in_front)
{
	struct jif_wheel *wheel = &held->wheel;
	unsigned slot = far_slot(wheel);

	if (!wheel->slot[slot - 1] || (int32_t)(expires - wheel->far_due) < 0)
		wheel->far_due = expires;
	held_put(held, SPOT(slot, expires), timer, in_front);
}

/*
 * Arms an idle timer, up to JIF_DELAY_MAX after the clock. One that is due at
 * the clock runs on this tick.
 */
static inline void held_arm(struct held *held, struct jif_timer *timer,
			    uint32_t expires)
{
	uint32_t clk = clock_of(&held->wheel);
	spot_t spot = find_spot(&held->wheel, clk, expires - clk, SEC);

	if (SLOT_OF(spot) < WEEK_FIRST)
		held_put(held, spot, timer, false);
	else
		held_arm_far(held, timer, expires, false);
}

/* Disarms a pending timer. */
static inline void held_del(struct held *held, struct jif_timer *timer)
{
	unsigned slot = (unsigned)timer->where;
	struct jif_timer *last = held->wheel.slot[slot - 1];

	if (last == timer->prev && timer->next->remaining != timer->remaining)
		bitmap_set(held->unsure, slot);
	held_take(held, timer, last, slot);
	timer->where = JIF_TIMER_IDLE;
}

/* Disarms the next one that is due at the clock; NULL if there is none. */
static inline struct jif_timer *held_take_due(struct held *held)
{
	unsigned slot = held->wheel.hand[SEC];
	struct jif_timer *last = held->wheel.slot[slot - 1], *timer;

	if (!last)
		return NULL;
	timer = last->next;
	held_take(held, timer, last, slot);
	timer->where = JIF_TIMER_IDLE;
	return timer;
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

/*
 * One entry of the slot under a hand goes down; false if there was none. The
 * hand below is at the begin of its turn.
 */
static inline bool held_move(struct held *held, unsigned level)
{
	const struct ring *ring = &jif_rings[level - 1];
	unsigned slot = held->wheel.hand[level];
	struct jif_timer *timer = held->wheel.slot[slot - 1];
	uint32_t left, slots;

	if (!timer)
		return false;
	held_take(held, timer, timer, slot);
	left = timer->remaining;
	if (level == WEEK)
		left -= clock_of(&held->wheel);
	if (level == WEEK && left >= WEEK_TICKS) {
		held_arm_far(held, timer, timer->remaining, true);
		return true;
	}
	slots = slots_in(left, ring);
	held_put(held, SPOT(ring->first + slots, left - slots * ring->ticks),
		 timer, true);
	return true;
}

/* A search lets others in once in so many looks; their change ends it. */
#define HELD_LOOKS 8u

/**
 * struct held_first - what is due first, as far as it was looked for
 * @ticks:	nothing is due sooner after the clock; UINT32_MAX: nothing
 * @timer:	it is due then; NULL: @looks were used up, that is a bound
 * @looks:	fewer entries than that may be looked at
 * @let_in:	NULL, or lets others in; false if they have changed something
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
 * False if others have changed something.
 */
static JIF_NOINLINE bool held_sort(struct held *held, unsigned slot,
				   uint32_t away, struct held_first *first)
{
	struct jif_timer **list = &held->wheel.slot[slot - 1], *last = *list;
	struct jif_timer *timer = last->next, *soonest = timer;

	while (timer != last) {
		if (first->looks <= 1)
			return true;
		if (--first->looks % HELD_LOOKS == HELD_LOOKS - 1 &&
		    first->let_in && !first->let_in())
			return false;
		timer = timer->next;
		if (timer->remaining + away < soonest->remaining + away)
			soonest = timer;
	}
	bitmap_clear(held->unsure, slot);
	timers_del(list, soonest);
	timers_add_head(list, soonest);
	return true;
}

/* Looks at a slot with entries, of which nothing is due in less than @bound. */
static inline bool held_look(struct held *held, unsigned slot, uint32_t away,
			     uint32_t bound, struct held_first *first)
{
	struct jif_timer *timer = NULL;

	if (bound > first->ticks)
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

/* From no timer at UINT32_MAX on; false if others have changed something. */
static inline bool held_find(struct held *held, struct held_first *first)
{
	const struct jif_wheel *wheel = &held->wheel;
	uint32_t clk = clock_of(wheel), away, bound;
	const struct ring *ring = &jif_rings[SEC];
	index_t slot, hand, level;

	for (;;) {
		slot = bitmap_find(wheel->occupied, ring->first, WEEK_FIRST);
		level = level_of(slot);
		ring = &jif_rings[level];
		if (level == WEEK) {
			slot = (index_t)far_slot(wheel);
			if (!wheel->slot[slot - 1])
				return true;
			away = -clk;
			bound = wheel->far_due - clk;
		} else {
			hand = wheel->hand[level];
			slot = (index_t)slot_after(wheel, ring, hand, slot);
			bound = away = wheel->since[level] - clk +
				       (uint32_t)(slot - hand) * ring->ticks;
			slot = wrap(ring, slot);
		}
		if (!held_look(held, slot, away, bound, first))
			return false;
		/* Does no hand further up move sooner? */
		ring++;
		if (level == WEEK ||
		    ring->ticks - (clk - wheel->since[level + 1]) >
			    first->ticks)
			return true;
		if (first->let_in && !first->let_in())
			return false;
	}
}

#endif
