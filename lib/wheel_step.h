/* SPDX-License-Identifier: MIT */
/*
 * lib/wheel_step.h - the rings, and how the hands move on them: once in a
 * program, for the run of lib/wheel.c or for a lock's owner, lib/held.h
 */
#ifndef JIF_LIB_WHEEL_STEP_H
#define JIF_LIB_WHEEL_STEP_H

#include "rings.h"

#define RING(unit)                                                             \
	{                                                                      \
		.ticks = unit##_TICKS, .first = unit##_FIRST,                  \
		.slots = JIF_WHEEL_SLOTS_OF(unit), PER_SLOT(unit)              \
	}

const struct ring jif_rings[LEVELS + 1] = {
	RING(SEC),
	RING(MIN),
	RING(HOUR),
	RING(DAY),
	{ .ticks = WEEK_TICKS,
	  .first = WEEK_FIRST,
	  .slots = LAST_SLOT + 1 - WEEK_FIRST },
	{ .ticks = UINT32_MAX, .first = LAST_SLOT + 1 },
};

/* A move of the highest hand that moves. */
struct step {
	uint32_t clk;  /* what the clock shows then */
	index_t level; /* which hand it is; those below begin a turn */
	index_t slot;  /* where it points then; but for that of the weeks */
};

/* A step towards @clk: to there or, if lower hands move further, before it. */
static inline struct step find_step(const struct jif_wheel *wheel, uint32_t clk)
{
	const struct ring *ring;
	uint32_t begin, slots;
	index_t level = SEC;

	JIF_UNROLL(4)
	for (; level < WEEK; level++)
		if (clk - wheel->since[level + 1] < jif_rings[level + 1].ticks)
			break;
	ring = &jif_rings[level];
	begin = wheel->since[level];
	if (level == WEEK)
		return (struct step){ begin + whole_weeks(clk - begin), WEEK,
				      0 };
	slots = slots_in(clk - begin, ring);
	return (struct step){ begin + slots * ring->ticks, level,
			      (index_t)(wheel->hand[level] + slots) };
}

/* The clock is last: who has read it sees the hands of that time, or later. */
static inline void take_step(struct jif_wheel *wheel, struct step step,
			     bool due)
{
	index_t level = step.level, slot = step.slot;

	wheel->levels_due = due ? (uint8_t)(level + 1) : 0;
	if (level == WEEK) {
		begin_week(wheel, step.clk);
		slot = (index_t)turn_begin(wheel, --level);
	}
	while (level > SEC) {
		WRITE_SHARED(&wheel->hand[level], (jif_slot_t)slot);
		WRITE_SHARED(&wheel->since[level], step.clk);
		slot = (index_t)turn_begin(wheel, --level);
	}
	set_clock(wheel, step.clk, (jif_slot_t)slot);
	renew_moves(wheel);
}

#endif
