/* SPDX-License-Identifier: MIT */
/*
 * lib/wheel_view.h - where a timer waits, as a user sees it
 *
 * A user sees four rings, each of one turn. What waits for a later week is seen
 * in the slot of its day, with the weeks that it has to wait in its remaining
 * value.
 */
#ifndef JIF_LIB_WHEEL_VIEW_H
#define JIF_LIB_WHEEL_VIEW_H

#include "wheel.h"
#include "wheel_spread.h"

/**
 * struct view - of a timer
 * @level:	0 seconds, 1 minutes, 2 hours, 3 days
 * @slot:	within the level
 * @remaining:	ticks left when the wheel reaches that slot
 */
struct view {
	unsigned level;
	unsigned slot;
	uint32_t remaining;
};

/* What is due in a later week, counted in days. */
static inline struct view view_of_day(const struct jif_wheel *wheel,
				      const struct jif_timer *timer)
{
	const struct ring *ring = &jif_rings[DAY];
	uint32_t ticks = timer->remaining - wheel->moved[DAY];
	uint32_t weeks = 0;
	unsigned days;

	for (uint32_t step = WEEK_TICKS << 11; step >= WEEK_TICKS; step /= 2)
		if (ticks - weeks >= step + DAY_TICKS)
			weeks += step;
	days = (unsigned)divide(ticks - weeks, &ring->per_slot);
	ticks -= days * DAY_TICKS;
	days += in_turn(ring, wheel->hand[DAY]);
	return (struct view){ DAY, days % JIF_DAY_SLOTS, ticks };
}

static inline struct view view_of(const struct jif_wheel *wheel,
				  const struct jif_timer *timer)
{
	unsigned slot = (unsigned)timer->where;
	unsigned level = level_of(slot);

	if (level == WEEK)
		return view_of_day(wheel, timer);
	slot = in_turn(&jif_rings[level], slot);
	return (struct view){ level, slot, timer->remaining };
}

#endif
