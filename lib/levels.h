/* SPDX-License-Identifier: MIT */
/*
 * lib/levels.h - where a timer waits, and how the hands move
 *
 * lib/wheel.c says why. With CONFIG_JIF_SPREAD, lib/levels_spread.h stands in
 * for this file: who reads one need not read the other.
 */
#ifndef JIF_LIB_LEVELS_H
#define JIF_LIB_LEVELS_H

#include "rings.h"

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

/* Until which second is there nothing to do, when a run is done? */
static inline index_t find_quiet(const struct jif_wheel *wheel)
{
	return bitmap_find(wheel->occupied, wheel->hand[SEC] + 1u, MIN_FIRST);
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
	return READ_SHARED(&wheel->hand[WEEK]) ^ (WEEK_FIRST ^ LAST_SLOT);
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
		if (delay >= ring[1].ticks)
			continue;
		ticks = delay;
		if (!JIF_UNROLLS || level != SEC)
			ticks += clk - READ_SHARED(&wheel->since[level]);
		slots = slots_in(ticks, ring);
		return SPOT(wrap(ring,
				 (index_t)(READ_SHARED(&wheel->hand[level]) +
					   slots)),
			    ticks - slots * ring->ticks);
	}
	return SPOT(far_slot(wheel), clk + delay);
}

/* Where an entry of the slot under a hand goes: down or, if postponed, anew. */
INLINE_IF_UNROLLED spot_t find_lower(const struct jif_wheel *wheel,
				     uint32_t remaining, index_t level)
{
	uint32_t clk = clock_of(wheel);

	if (level == WEEK)
		remaining -= clk;
	return find_spot(wheel, clk, remaining,
			 (index_t)(level - (level > SEC)));
}

/* With spreading, entries are moved before their slot is reached. */
static inline bool move_ahead(struct jif_wheel *wheel, struct run *run)
{
	(void)wheel;
	(void)run;
	return true;
}

/* And a tick has so many moves. */
static inline void renew_moves(struct jif_wheel *wheel)
{
	(void)wheel;
}

static inline void count_move(struct jif_wheel *wheel)
{
	(void)wheel;
}

/* The begin of the week in which far_due is; if that is this one, its end. */
static inline uint32_t week_stop(const struct jif_wheel *wheel)
{
	uint32_t weeks =
		whole_weeks(READ_SHARED(&wheel->far_due) - wheel->since[WEEK]);

	return wheel->since[WEEK] + (weeks ? weeks : WEEK_TICKS);
}

/* As level_of(), in fewer bytes, for a slot that is mostly of the seconds. */
static inline index_t climb_to(index_t slot)
{
	index_t level = SEC;

	JIF_UNROLL(4)
	while (slot >= jif_rings[level + 1].first)
		level++;
	return level;
}

/*
 * When a hand gets to the next slot with entries of the lowest level that has
 * some or, if there is none ahead of the hand, to the end of that ring.
 */
static inline uint32_t lowest_stop(const struct jif_wheel *wheel)
{
	index_t slot = bitmap_find(wheel->occupied, SEC_FIRST, WEEK_FIRST);
	index_t level = climb_to(slot);
	const struct ring *ring = &jif_rings[level];
	index_t hand = wheel->hand[level];

	if (level == WEEK)
		return week_stop(wheel);
	if (slot <= hand)
		slot = bitmap_find(wheel->occupied, hand + 1u, ring[1].first);
	return wheel->since[level] + (uint32_t)(slot - hand) * ring->ticks;
}

/* That, or @now if it is sooner. */
static inline uint32_t next_stop(const struct jif_wheel *wheel, uint32_t now)
{
	uint32_t stop = lowest_stop(wheel);

	return stop - clock_of(wheel) > now - clock_of(wheel) ? now : stop;
}

static inline void begin_week(struct jif_wheel *wheel, uint32_t begin)
{
	if (wheel->far_due - begin < WEEK_TICKS)
		WRITE_SHARED(&wheel->hand[WEEK], (jif_slot_t)far_slot(wheel));
	WRITE_SHARED(&wheel->since[WEEK], begin);
}

/* The first slot with entries after a hand; @first counts on beyond the end. */
static inline unsigned slot_after(const struct jif_wheel *wheel,
				  const struct ring *ring, unsigned hand,
				  unsigned first)
{
	unsigned slot;

	if (first > hand)
		return first;
	slot = bitmap_find(wheel->occupied, hand + 1u, ring[1].first);
	return slot < ring[1].first ? slot : first + ring->slots;
}

/* Nothing on a higher level can come before the end of this ring's turn. */
static inline uint32_t ticks_to_stop(const struct jif_wheel *wheel)
{
	const struct ring *ring = jif_rings;
	uint32_t stop, nearest = NEVER;
	index_t slot, hand, level = SEC;

	do {
		slot = bitmap_find(wheel->occupied, ring->first, LAST_SLOT + 1);
		if (slot > LAST_SLOT)
			break;
		for (; slot >= ring[1].first; ring++)
			level++;
		if (level == WEEK) {
			stop = week_stop(wheel);
		} else {
			hand = wheel->hand[level];
			slot = (index_t)slot_after(wheel, ring, hand, slot);
			stop = wheel->since[level] +
			       (uint32_t)(slot - hand) * ring->ticks;
		}
		if (stop - clock_of(wheel) < nearest)
			nearest = stop - clock_of(wheel);
		level++;
	} while (slot >= (++ring)->first);
	return nearest;
}

#endif
