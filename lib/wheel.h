/* SPDX-License-Identifier: MIT */
/*
 * lib/wheel.h - the geometry, as the sources of the wheel share it
 */
#ifndef JIF_LIB_WHEEL_H
#define JIF_LIB_WHEEL_H

#include <jif/wheel.h>

/* Worth a copy at each call, or level, unless the compiler is to save space. */
#ifdef __OPTIMIZE_SIZE__
#define FAST static
#else
#define FAST static inline __attribute__((always_inline))
#endif
#if !defined(__OPTIMIZE_SIZE__) && (defined(__clang__) || __GNUC__ >= 8)
#define EACH_LEVEL_APART _Pragma("GCC unroll 4")
#else
#define EACH_LEVEL_APART
#endif

enum { SEC, MIN, HOUR, DAY };

/* Ticks per slot of each level, and per turn of the highest. */
#define MIN_TICKS  ((uint32_t)JIF_SEC_SLOTS)
#define HOUR_TICKS (MIN_TICKS * JIF_MIN_SLOTS)
#define DAY_TICKS  (HOUR_TICKS * JIF_HOUR_SLOTS)
#define HORIZON	   (DAY_TICKS * JIF_DAY_SLOTS)
#define FORTNIGHT  (HORIZON * 2)

/* All slots in one row: the bucket, then level by level. */
#define BUCKET	  0u
#define SEC_BASE  1u
#define MIN_BASE  (SEC_BASE + JIF_SEC_SLOTS)
#define HOUR_BASE (MIN_BASE + JIF_MIN_SLOTS)
#define DAY_BASE  (HOUR_BASE + JIF_HOUR_SLOTS)
#define WEEK_BASE (DAY_BASE + JIF_DAY_SLOTS)
#define LAST_SLOT (WEEK_BASE + JIF_DAY_SLOTS - 1)

static inline unsigned slot_of(const struct jif_timer *timer)
{
	return (uint8_t)timer->where;
}

static inline bool is_pending(const struct jif_timer *timer)
{
	return timer->where >= JIF_TIMER_SLOT;
}

/* Is it pending, and not the last one of its list? */
static inline bool is_inner(const struct jif_timer *timer)
{
	return (unsigned)timer->where - JIF_TIMER_SLOT < JIF_TIMER_LAST;
}

/* The day slots of next week share the lists of this week's. */
static inline unsigned fold(unsigned slot)
{
	return slot < WEEK_BASE ? slot : slot - JIF_DAY_SLOTS;
}

static inline unsigned level_of(unsigned slot)
{
	if (slot < HOUR_BASE)
		return slot < MIN_BASE ? SEC : MIN;
	return slot < DAY_BASE ? HOUR : DAY;
}

/* Of the level after the last, too: where the row ends. */
static inline unsigned base_of(unsigned level)
{
	static const uint8_t base[] = {
		SEC_BASE,
		MIN_BASE,
		HOUR_BASE,
		DAY_BASE,
		WEEK_BASE + JIF_DAY_SLOTS,
	};

	return base[level];
}

/* The second is the ticks that are over of this minute. */
static inline unsigned second_of(const struct jif_wheel *wheel)
{
	return (unsigned)(wheel->at[SEC] - wheel->at[MIN]);
}

static inline unsigned hand_of(const struct jif_wheel *wheel, unsigned level)
{
	if (level == SEC)
		return SEC_BASE + second_of(wheel);
	return wheel->hand[level - MIN];
}

/* The ticks from the clock until the wheel reaches @slot. */
uint32_t jif_wheel_visit(const struct jif_wheel *wheel, unsigned slot);

#endif
