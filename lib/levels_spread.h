/* SPDX-License-Identifier: MIT */
/*
 * lib/levels_spread.h - with CONFIG_JIF_SPREAD: cascades spread over many ticks
 *
 * Stands in for lib/levels.h, which need not be read. lib/wheel.c explains
 * slots, hands, remaining values and cascades. There, a slot is emptied in
 * the one tick in which its hand reaches it. Here, with CONFIG_JIF_SPREAD = K,
 * each tick also moves up to K entries ahead of time. Each ring has the slots
 * of two turns, and a timer waits on the lowest level that spans its expiry:
 *
 *	seconds		in this minute or the next one
 *	minutes		in this hour or the next one
 *	hours		today or tomorrow
 *	days		in this week or the next one
 *	weeks		later than that
 *
 * The hand of the days is in the second turn of its ring in every other week; a
 * lower hand is while the hand above it is at an odd slot, counted from 0.
 *
 * The next slot of a level is the one after its hand. At the end of each tick,
 * entries of next slots go down a level, as in a cascade: from the tail of the
 * slot to the head of a lower one. Those of the minutes go first, then those of
 * the hours, days and weeks, until K entries were moved in this tick or all
 * next slots are empty. Entries still in a slot when its hand gets there go
 * down at once, however much it is; these moves count among the K of the tick.
 *
 * Nothing is armed into a next slot: a timer due in the next minute waits with
 * the seconds, and so on. So entries are in order, by the rule of wheel.c: for
 * one expiry, an entry on a higher level was armed earlier, and goes in front.
 *
 * THE WEEKS
 *
 * What is due later waits on one of three lists, where remaining values count
 * from tick 0. When a week begins, the lists change roles. In week w:
 *
 *	role	has what is due in	what becomes of it
 *	hand	week w or later		in the first tick, all of it: week w to
 *					the days, later to the next list's head
 *	next	week w + 1 or later	moved ahead: week w + 1 to the days,
 *					later to the far list's head
 *	far	week w + 2 or later	waits; what is armed joins it
 *
 *		week 5		week 6		week 7		week 8
 *	list 1	hand		far		next		hand
 *	list 2	next		hand		far		next
 *	list 3	far		next		hand		far
 *
 * So the hand's list has what was not moved ahead in time, and is empty again
 * when it becomes the far list. The roles stay as they are if the next list is
 * empty and nothing on the far list is due in the week that begins or the one
 * after it. Nothing on the far list is due before far_due.
 *
 * THE BOUND: a minute slot is next for 60 ticks, so 60 K entries can leave it
 * ahead of time. No tick moves more than K entries while so many timers are due
 * at most: 60 K in each minute slot, 1,770 K in each hour slot, 27,600 K in
 * each day slot, 172,800 K in each week and all later ones together. Beyond
 * that, see docs/timing.md.
 */
#ifndef JIF_LIB_LEVELS_SPREAD_H
#define JIF_LIB_LEVELS_SPREAD_H

#include <jif/jiffies.h>

#include "trace.h"
#include "wheel.h"

JIF_STATIC_ASSERT(CONFIG_JIF_SPREAD >= 0 && CONFIG_JIF_SPREAD <= UINT8_MAX,
		  "CONFIG_JIF_SPREAD out of range");

#define TURNS JIF_WHEEL_TURNS

/* Where in its turn a slot is. */
static inline unsigned in_turn(const struct ring *ring, unsigned slot)
{
	return (slot - ring->first) % (ring->slots / TURNS);
}

/* Where the turn of a level begins: the hand above it shows it. */
static inline unsigned turn_begin(const struct jif_wheel *wheel, unsigned level)
{
	const struct ring *ring = &jif_rings[level];
	bool odd = wheel->odd_week;

	if (level != DAY)
		odd = (wheel->hand[level + 1] - ring[1].first) % 2;
	return odd ? ring->first + ring->slots / TURNS : ring->first;
}

/* Where that turn ends. */
static inline unsigned turn_end(const struct jif_wheel *wheel, unsigned level)
{
	const struct ring *ring = &jif_rings[level];
	unsigned middle = ring->first + ring->slots / TURNS;

	return wheel->hand[level] < middle ? middle : ring[1].first;
}

/* After a run: if moves are left, the next slots are empty. */
static inline void note_quiet(struct jif_wheel *wheel)
{
	if (wheel->moves_left)
		wheel->quiet_until = (uint8_t)bitmap_find(wheel->occupied,
							  wheel->hand[SEC] + 1u,
							  turn_end(wheel, SEC));
}

/* Does a level span a timer due at @expires? */
static inline bool spans(const struct jif_wheel *wheel, unsigned level,
			 uint32_t expires)
{
	return expires - wheel->since[level + 1] <
	       TURNS * jif_rings[level + 1].ticks;
}

/* May what is in the slot under a hand be due a full turn later? Not here. */
static inline bool is_full_turn(const struct jif_wheel *wheel, unsigned level)
{
	(void)wheel;
	(void)level;
	return false;
}

/* The next slot of a level, or the next list of the weeks. */
static JIF_ALWAYS_INLINE unsigned next_slot(const struct jif_wheel *wheel,
					    unsigned level)
{
	return wrap(&jif_rings[level], wheel->hand[level] + 1u);
}

/* The far list of the weeks. */
static inline unsigned far_slot(const struct jif_wheel *wheel)
{
	return wrap(&jif_rings[WEEK], wheel->hand[WEEK] + 2u);
}

/* The tick from which the remaining values in a slot count. */
static inline uint32_t visit_of(const struct jif_wheel *wheel, unsigned slot)
{
	unsigned level = level_of((index_t)slot);
	const struct ring *ring = &jif_rings[level];
	uint32_t slots = (uint32_t)slot - wheel->hand[level];

	if (level == WEEK)
		return 0;
	if (slot < wheel->hand[level])
		slots += ring->slots;
	return wheel->since[level] + slots * ring->ticks;
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

	JIF_UNROLL(4)
	for (; level < WEEK; level++, ring++) {
		if (!spans(wheel, level, expires))
			continue;
		ticks = expires - wheel->since[level];
		slots = slots_in(ticks, ring);
		timer->remaining = ticks - slots * ring->ticks;
		slot = wrap(ring, (index_t)(wheel->hand[level] + slots));
		break;
	}
	if (slot == NO_SLOT) {
		slot = far_slot(wheel);
		if (!wheel->slot[slot - 1] ||
		    jif_time_before(expires, wheel->far_due))
			wheel->far_due = expires;
		timer->remaining = expires;
	}
	return enqueue(wheel, timer, slot);
}

/* Puts a moved entry back, not below @level; at the weeks, on the next list. */
static JIF_MAYBE_UNUSED void requeue(struct jif_wheel *wheel,
				     struct jif_timer *timer, index_t level,
				     uint32_t expires)
{
	if (wheel->moves_left)
		wheel->moves_left--;
	if (level == WEEK)
		enqueue(wheel, timer, next_slot(wheel, WEEK));
	else
		place(wheel, timer, expires, level);
	trace_slot(JIF_TRACE_CASCADE, wheel, timer, timer->remaining);
}

/* An entry of the slot under a hand goes down or, if postponed, waits anew. */
static inline void cascade(struct jif_wheel *wheel, struct jif_timer *timer,
			   index_t level)
{
	uint32_t expires = timer->remaining;
	index_t lowest = level ? level - 1 : SEC;

	if (level != WEEK)
		expires += clock_of(wheel);
	else if (expires - wheel->since[WEEK] >= WEEK_TICKS)
		lowest = WEEK;
	requeue(wheel, timer, lowest, expires);
}

/* The lowest level whose next slot has entries; SEC if there is none. */
static inline index_t level_ahead(const struct jif_wheel *wheel)
{
	JIF_UNROLL(4)
	for (index_t level = MIN; level < LEVELS; level++)
		if (wheel->slot[next_slot(wheel, level) - 1])
			return level;
	return SEC;
}

/* At the end of a tick. False if the budget is used up and entries are left. */
static inline bool move_ahead(struct jif_wheel *wheel, struct run *run)
{
	struct jif_timer *timer;
	uint32_t expires;
	index_t level;

	for (;;) {
		run->flags = jif_irq_window(run->flags);
		level = wheel->moves_left ? level_ahead(wheel) : (index_t)SEC;
		if (level == SEC)
			break;
		if (!run->left) {
			wheel->levels_due = SEC + 1;
			return false;
		}
		run->left--;
		timer = last_of(wheel, next_slot(wheel, level));
		expires = timer->remaining;
		if (level != WEEK)
			expires += wheel->since[level] + jif_rings[level].ticks;
		dequeue(wheel, timer);
		requeue(wheel, timer, level - 1, expires);
	}
	run->flags = jif_irq_window(run->flags);
	return true;
}

/**
 * struct step - how far time moves on at once
 * @clk:	what the clock shows then
 * @weeks:	ticks from the begin of this week to that of the one of @clk
 */
struct step {
	uint32_t clk;
	uint32_t weeks;
};

/* To the next stop, or to @now if that is sooner. */
static inline struct step find_step(const struct jif_wheel *wheel, uint32_t now)
{
	uint32_t ticks = jif_ticks_to_stop(wheel), clk = now;

	if (ticks < now - clock_of(wheel))
		clk = clock_of(wheel) + ticks;
	return (struct step){ clk, whole_weeks(clk - wheel->since[WEEK]) };
}

/* A week begins, so many ticks after this one. Returns when. */
static inline uint32_t begin_week(struct jif_wheel *wheel, uint32_t weeks)
{
	uint32_t begin = wheel->since[WEEK] + weeks;
	unsigned next = next_slot(wheel, WEEK);

	wheel->since[WEEK] = begin;
	/* An odd number of weeks has the lowest bit that one week has. */
	if (weeks & WEEK_TICKS & (0u - WEEK_TICKS))
		wheel->odd_week = !wheel->odd_week;
	if (wheel->far_due - begin < TURNS * WEEK_TICKS ||
	    wheel->slot[next - 1])
		wheel->hand[WEEK] = (jif_slot_t)next;
	return begin;
}

/* The hands from @level down go to @clk; the turn of @level began at @begin. */
static inline void move_hands(struct jif_wheel *wheel, index_t level,
			      uint32_t begin, uint32_t clk)
{
	const struct ring *ring = &jif_rings[level];
	index_t due = level + 1u + (begin == clk);
	uint32_t slots;

	for (; level > SEC; level--, ring--) {
		slots = slots_in(clk - begin, ring);
		begin += slots * ring->ticks;
		wheel->since[level] = begin;
		wheel->hand[level] =
			(jif_slot_t)(turn_begin(wheel, level) + slots);
		if (begin != clk)
			due = level;
	}
	WRITE_SHARED(&wheel->since[SEC], clk);
	wheel->hand[SEC] = (jif_slot_t)(turn_begin(wheel, SEC) + clk - begin);
	wheel->levels_due = (uint8_t)due;
}

/* The highest hand that moves is looked for from below. */
static inline void take_step(struct jif_wheel *wheel, struct step step)
{
	uint32_t begin = wheel->since[MIN];
	index_t level = SEC;

	while (level < DAY && step.clk - begin >= jif_rings[level + 1].ticks) {
		level++;
		begin = wheel->since[level + 1];
	}
	if (step.clk - begin >= WEEK_TICKS)
		begin = begin_week(wheel, step.weeks);
	move_hands(wheel, level, begin, step.clk);
	wheel->moves_left = CONFIG_JIF_SPREAD;
}

/* Until a week may begin with which the roles change, or less. */
static inline uint32_t ticks_to_week(const struct jif_wheel *wheel)
{
	uint32_t left = wheel->far_due - clock_of(wheel);

	if (left > TURNS * WEEK_TICKS)
		return left - TURNS * WEEK_TICKS;
	return wheel->since[WEEK] + WEEK_TICKS - clock_of(wheel);
}

/* The first slot with entries after a hand, counted on beyond its ring. */
static inline unsigned find_slot(const struct jif_wheel *wheel, unsigned level,
				 unsigned first)
{
	unsigned end = jif_rings[level + 1].first;
	unsigned hand = wheel->hand[level], slot = first;

	if (slot <= hand)
		slot = bitmap_find(wheel->occupied, hand + 1, end);
	return slot == end ? first + jif_rings[level].slots : slot;
}

/* The ticks until that slot is reached or, above the seconds, is next. */
static inline uint32_t ticks_to_slot(const struct jif_wheel *wheel,
				     unsigned level, unsigned slot)
{
	return (slot - wheel->hand[level] - (level > SEC)) *
		       jif_rings[level].ticks -
	       (clock_of(wheel) - wheel->since[level]);
}

/* To a second with entries, a slot that becomes next, or a move ahead. */
static inline uint32_t ticks_to_stop(const struct jif_wheel *wheel)
{
	uint32_t ticks, nearest = NEVER;
	unsigned slot, level = SEC;

	if (level_ahead(wheel) != SEC)
		return 1;
	do {
		slot = bitmap_find(wheel->occupied, jif_rings[level].first,
				   LAST_SLOT + 1);
		if (slot > LAST_SLOT)
			break;
		level = level_of((index_t)slot);
		if (level == WEEK) {
			ticks = ticks_to_week(wheel);
		} else {
			slot = find_slot(wheel, level, slot);
			ticks = ticks_to_slot(wheel, level, slot);
		}
		if (ticks < nearest)
			nearest = ticks;
		/* Higher levels come after the turn of this hand. */
	} while (level < WEEK && slot >= turn_end(wheel, level++));
	return nearest;
}

#endif
