/* SPDX-License-Identifier: MIT */
/*
 * lib/wheel.h - rings, slots and hands, as the sources of the wheel share them
 */
#ifndef JIF_LIB_WHEEL_H
#define JIF_LIB_WHEEL_H

#include <jif/wheel.h>

#include "bitmap.h"
#include "divide.h"
#include "list.h"

/*
 * Arming takes a quarter fewer instructions if placing is inlined and its loop
 * unrolled, which only a loop with a visible end is; disarming takes a sixth
 * fewer if dequeue() is inlined.
 */
#if defined(__OPTIMIZE_SIZE__) || !defined(__OPTIMIZE__) ||                    \
	(__GNUC__ < 8 && !defined(__clang__))
#define FAST static
#define UNROLL
#define BEFORE(end) true
#else
#define FAST	    static inline __attribute__((always_inline))
#define UNROLL	    _Pragma("GCC unroll 5")
#define BEFORE(end) (end)
#endif

/* WEEK is the ring of lists for what is due in a week or later. */
enum { SEC, MIN, HOUR, DAY, WEEK, LEVELS };

/* Ticks per slot. */
#define MIN_TICKS  ((uint32_t)JIF_SEC_SLOTS)
#define HOUR_TICKS (MIN_TICKS * JIF_MIN_SLOTS)
#define DAY_TICKS  (HOUR_TICKS * JIF_HOUR_SLOTS)
#define WEEK_TICKS (DAY_TICKS * JIF_DAY_SLOTS)

/* How many turns of a ring have slots of their own. */
#define TURNS ((unsigned)JIF_WHEEL_TURNS)

/* The slots of all rings are numbered in one row. */
#define NO_SLOT	   0u
#define SEC_FIRST  1u
#define MIN_FIRST  (SEC_FIRST + TURNS * JIF_SEC_SLOTS)
#define HOUR_FIRST (MIN_FIRST + TURNS * JIF_MIN_SLOTS)
#define DAY_FIRST  (HOUR_FIRST + TURNS * JIF_HOUR_SLOTS)
#define WEEK_FIRST (DAY_FIRST + TURNS * JIF_DAY_SLOTS)
#define LAST_SLOT  (WEEK_FIRST + TURNS)

/**
 * struct ring - a level
 * @ticks:	per slot
 * @per_slot:	divides by @ticks; there is none for the weeks
 * @first:	number of the first slot
 * @slots:	how many
 */
struct ring {
	uint32_t ticks;
	struct reciprocal per_slot;
	jif_slot_t first;
	jif_slot_t slots;
};

/* The last one ends the row. */
extern const struct ring jif_rings[LEVELS + 1];

#define RECIPROCAL_OF(unit, max)                                               \
	JIF_STATIC_ASSERT(RECIPROCAL_IS_EXACT(unit##_TICKS, JIF_##unit##_MUL,  \
					      JIF_##unit##_PRE,                \
					      JIF_##unit##_SHIFT, max),        \
			  "the reciprocal of " #unit "_TICKS")

RECIPROCAL_OF(MIN, TURNS *HOUR_TICKS + MIN_TICKS);
RECIPROCAL_OF(HOUR, TURNS *DAY_TICKS + HOUR_TICKS);
RECIPROCAL_OF(DAY, TURNS *WEEK_TICKS + DAY_TICKS);

static inline bool is_weeks(const struct ring *ring)
{
	return !ring->per_slot.mul;
}

static inline bool is_pending(const struct jif_timer *timer)
{
	return (unsigned)READ_SHARED(&timer->where) - 1 < LAST_SLOT;
}

static inline struct jif_timer **list_of(struct jif_wheel *wheel, unsigned slot)
{
	return &wheel->slot[slot - 1];
}

static inline unsigned level_of(unsigned slot)
{
	unsigned level = SEC;

	while (slot >= jif_rings[level + 1].first)
		level++;
	return level;
}

static inline bool is_in_ring(const struct ring *ring, unsigned slot)
{
	return slot >= ring->first && slot < ring[1].first;
}

#endif
