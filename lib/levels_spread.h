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
 * ahead of time. No tick moves more than K while so many timers are due at
 * most: 60 K in each minute slot, 1,770 K in each hour slot, 27,600 K in each
 * day slot, 172,800 K in each week and all later together. See docs/timing.md.
 */
#ifndef JIF_LIB_LEVELS_SPREAD_H
#define JIF_LIB_LEVELS_SPREAD_H

#include <jif/jiffies.h>

#include "rings.h"

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

static inline unsigned turn_end(const struct jif_wheel *wheel, unsigned level)
{
	const struct ring *ring = &jif_rings[level];
	unsigned middle = ring->first + ring->slots / TURNS;

	return wheel->hand[level] < middle ? middle : ring[1].first;
}

/* Until which second is there nothing to do, when a run is done? */
static inline index_t find_quiet(const struct jif_wheel *wheel)
{
	/* If moves are left, the next slots are empty. */
	if (!wheel->moves_left)
		return SEC_FIRST;
	return bitmap_find(wheel->occupied, wheel->hand[SEC] + 1u,
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

static inline unsigned far_slot(const struct jif_wheel *wheel)
{
	return wrap(&jif_rings[WEEK], READ_SHARED(&wheel->hand[WEEK]) + 2u);
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
 * Where a timer waits that is due in @delay: on the lowest level that spans it,
 * but not below @level. Reads what only a run changes: hands and since[].
 */
INLINE_IF_UNROLLED spot_t find_spot(const struct jif_wheel *wheel, uint32_t clk,
				    uint32_t delay, index_t level)
{
	const struct ring *ring = &jif_rings[level];
	uint32_t slots, ticks;

	JIF_UNROLL(4)
	for (; level < WEEK; level++, ring++) {
		if (clk + delay - READ_SHARED(&wheel->since[level + 1]) >=
		    TURNS * ring[1].ticks)
			continue;
		ticks = clk + delay - READ_SHARED(&wheel->since[level]);
		slots = slots_in(ticks, ring);
		return SPOT(wrap(ring,
				 (index_t)(READ_SHARED(&wheel->hand[level]) +
					   slots)),
			    ticks - slots * ring->ticks);
	}
	return SPOT(far_slot(wheel), clk + delay);
}

/*
 * Where an entry of the slot under a hand goes: down or, if postponed, anew. Of
 * the hand's list of the weeks, what is due later goes to the next list.
 */
INLINE_IF_UNROLLED spot_t find_lower(const struct jif_wheel *wheel,
				     uint32_t remaining, index_t level)
{
	uint32_t clk = clock_of(wheel);

	if (level == WEEK) {
		if (remaining - wheel->since[WEEK] >= WEEK_TICKS)
			return SPOT(next_slot(wheel, WEEK), remaining);
		remaining -= clk;
	}
	return find_spot(wheel, clk, remaining,
			 (index_t)(level - (level > SEC)));
}

static inline void renew_moves(struct jif_wheel *wheel)
{
	wheel->moves_left = CONFIG_JIF_SPREAD;
}

static inline void count_move(struct jif_wheel *wheel)
{
	if (wheel->moves_left)
		wheel->moves_left--;
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

/* When an entry of the next slot of a level is due. */
static inline uint32_t expiry_ahead(const struct jif_wheel *wheel,
				    uint32_t remaining, index_t level)
{
	if (level == WEEK)
		return remaining;
	return remaining + wheel->since[level] + jif_rings[level].ticks;
}

/* At the end of a tick. False if the budget is used up and entries are left. */
static inline bool move_ahead(struct jif_wheel *wheel, struct run *run)
{
	struct jif_timer *timer;
	uint32_t was, clk = clock_of(wheel);
	index_t level, slot;
	spot_t spot;

	watch_arming(wheel);
	for (;;) {
		run->flags = jif_irq_window(run->flags);
		level = wheel->moves_left ? level_ahead(wheel) : (index_t)SEC;
		if (level == SEC)
			break;
		if (--run->left < 0) {
			wheel->levels_due = SEC + 1;
			return false;
		}
		slot = next_slot(wheel, level);
		timer = last_of(wheel, slot);
		was = timer->remaining;
		jif_irq_restore(run->flags);
		spot = find_spot(wheel, clk,
				 expiry_ahead(wheel, was, level) - clk,
				 level - 1);
		run->flags = jif_irq_save();
		if (wheel->slot[slot - 1] == timer &&
		    move_entry(wheel, timer, slot, was, spot))
			wheel->moves_left--;
	}
	run->flags = jif_irq_window(run->flags);
	return true;
}

/* The next stop, or @now if that is sooner. */
static inline uint32_t next_stop(const struct jif_wheel *wheel, uint32_t now)
{
	uint32_t ticks = jif_ticks_to_stop(wheel);

	return ticks < now - clock_of(wheel) ? clock_of(wheel) + ticks : now;
}

static inline void begin_week(struct jif_wheel *wheel, uint32_t begin)
{
	uint32_t weeks = begin - wheel->since[WEEK];
	unsigned next = next_slot(wheel, WEEK);

	WRITE_SHARED(&wheel->since[WEEK], begin);
	/* An odd number of weeks has the lowest bit that one week has. */
	if (weeks & WEEK_TICKS & (0u - WEEK_TICKS))
		wheel->odd_week = !wheel->odd_week;
	if (wheel->far_due - begin < TURNS * WEEK_TICKS ||
	    wheel->slot[next - 1])
		WRITE_SHARED(&wheel->hand[WEEK], (jif_slot_t)next);
}

/* Until a week may begin with which the roles change, or less. */
static inline uint32_t ticks_to_week(const struct jif_wheel *wheel)
{
	uint32_t left = READ_SHARED(&wheel->far_due) - clock_of(wheel);

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
			/* Until it is reached or, above the seconds, next. */
			ticks = (slot - wheel->hand[level] - (level > SEC)) *
					jif_rings[level].ticks -
				(clock_of(wheel) - wheel->since[level]);
		}
		if (ticks < nearest)
			nearest = ticks;
		/* Higher levels come after the turn of this hand. */
	} while (level < WEEK && slot >= turn_end(wheel, level++));
	return nearest;
}

#endif
