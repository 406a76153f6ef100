/* SPDX-License-Identifier: MIT */
/*
 * jif/jiffies.h - the one counter that drives everything
 *
 * A jiffy is the time between two ticks. The counter has 32 bits and wraps:
 * two of its values are compared by the functions below, never by '<'.
 */
#ifndef JIF_JIFFIES_H
#define JIF_JIFFIES_H

#include <jif/config.h>
#include <jif/types.h>

JIF_BEGIN_DECLS

/* The counter itself, for the face of Linux; all others call jif_now(). */
extern volatile unsigned long jif_jiffies;

/**
 * jif_tick - one jiffy has passed
 *
 * All that a tick ISR has to do.
 * Context: one caller at a time; the tick ISR, or a host test.
 */
void jif_tick(void);

/**
 * jif_ticks - some jiffies have passed
 * @count:	how many
 *
 * For a port that lets the tick stay away while the machine sleeps.
 * Context: as jif_tick().
 */
void jif_ticks(uint32_t count);

/**
 * jif_now - the jiffies that have passed
 * Context: any. Never torn, also where 32 bits take several loads.
 * Return: the counter, in jiffies.
 */
uint32_t jif_now(void);

/**
 * jif_now64 - the jiffies that have passed, in a count that never wraps
 *
 * Its lower half is jif_now(). Where a long has 32 bits, each tick takes a few
 * instructions for it, and CONFIG_JIF_NOW64=n takes it out.
 * Context: any. Never torn, nor ever less than before.
 * Return: the counter, in jiffies, from CONFIG_JIF_INITIAL_JIFFIES on.
 */
#if JIF_HAS_NOW64
uint64_t jif_now64(void);

/**
 * jif_uptime_ms - the whole milliseconds since the first jiffy
 * Context: any. Never less than before.
 * Return: milliseconds.
 */
static inline uint64_t jif_uptime_ms(void)
{
	uint64_t ticks =
		jif_now64() - (unsigned long)CONFIG_JIF_INITIAL_JIFFIES;

	return CONFIG_JIF_HZ == 1000 ? ticks : ticks * 1000 / CONFIG_JIF_HZ;
}
#endif

/**
 * jif_time_after - is @a later than @b?
 * @a:	absolute, in jiffies
 * @b:	absolute, in jiffies
 *
 * Right across the wrap while the two are less than 2^31 jiffies apart.
 * Context: any.
 * Return: true if @a is later than @b.
 */
static inline bool jif_time_after(uint32_t a, uint32_t b)
{
	return (uint32_t)(b - a) > JIF_DELAY_MAX;
}

/**
 * jif_time_before - is @a sooner than @b? See jif_time_after().
 * @a:	absolute, in jiffies
 * @b:	absolute, in jiffies
 * Context: any.
 * Return: true if @a is sooner than @b.
 */
static inline bool jif_time_before(uint32_t a, uint32_t b)
{
	return jif_time_after(b, a);
}

/**
 * jif_time_after_eq - is @a @b, or later? See jif_time_after().
 * @a:	absolute, in jiffies
 * @b:	absolute, in jiffies
 * Context: any.
 * Return: true if @a is not sooner than @b.
 */
static inline bool jif_time_after_eq(uint32_t a, uint32_t b)
{
	return (uint32_t)(a - b) <= JIF_DELAY_MAX;
}

/**
 * jif_time_before_eq - is @a @b, or sooner? See jif_time_after().
 * @a:	absolute, in jiffies
 * @b:	absolute, in jiffies
 * Context: any.
 * Return: true if @a is not later than @b.
 */
static inline bool jif_time_before_eq(uint32_t a, uint32_t b)
{
	return jif_time_after_eq(b, a);
}

/**
 * jif_time_coalesce - the roundest time within some slack
 * @expires:	absolute, in any wheel's time
 * @slack:	how much later it may be, in ticks, up to JIF_DELAY_MAX
 *
 * For an ordinary timer that is armed for it, where a second wheel is too much.
 * Multiples of large powers of two are chosen by many timers, whatever their
 * delays: those whose slacks overlap often expire on one tick.
 * Context: any.
 * Return: absolute: @expires or later, by @slack at most.
 */
static inline uint32_t jif_time_coalesce(uint32_t expires, uint32_t slack)
{
	uint32_t last = expires + slack;
	uint32_t below = (expires - 1) ^ last;

	below |= below >> 1;
	below |= below >> 2;
	below |= below >> 4;
	below |= below >> 8;
	below |= below >> 16;
	return last & ~(below >> 1);
}

/**
 * JIF_MS - how many jiffies last at least @ms milliseconds: a constant
 * @ms:	a constant: a whole number, of any type
 *
 * Rounds up, at compile time: for static objects, too. What does not fit, or is
 * less than 0, is UINT32_MAX: as a time-out or a sleep, JIF_FOREVER;
 * calls that take a delay, first call or period refuse it.
 */
#define JIF_MS(ms) JIF_SPAN(ms, 1)

/** JIF_SECONDS - as JIF_MS(), in seconds: no product of 16 bits on AVR */
#define JIF_SECONDS(s) JIF_SPAN(s, 1000)

/** JIF_MINUTES - as JIF_MS(), in minutes */
#define JIF_MINUTES(min) JIF_SPAN(min, 60000)

#define JIF_SPAN(n, ms)                                                        \
	((uint32_t)(((uint64_t)((n) | 0) / (JIF_MS_MAX / (ms) + 1)) ?          \
			    UINT32_MAX :                                       \
			    ((uint64_t)((n) | 0) * CONFIG_JIF_HZ * (ms) +      \
			     999) / 1000))
#define JIF_MS_MAX (UINT64_C(1000) * UINT32_MAX / CONFIG_JIF_HZ)

/**
 * jif_msecs_to_jiffies - how many jiffies last at least @ms milliseconds
 * @ms:	a time span, in milliseconds; 64 bits are taken whole
 *
 * Rounds up. As a delay, for jif_timer_add_in() and its like, that is never
 * early; added to jif_now(), it may be, by what has passed of a tick by then.
 * Context: any.
 * Return: jiffies; UINT32_MAX if they do not fit, and of 64 bits below 0.
 */
uint32_t jif_msecs_to_jiffies(uint32_t ms)
	JIF_AGREE_ON(CONFIG_JIF_HZ, jif_msecs_to_jiffies);

/* A span of 64 bits is converted where that is asked for: none of it is cut. */
static inline uint32_t jif_wide_msecs(uint64_t ms)
{
	return ms > UINT32_MAX ? JIF_MS(ms) :
				 jif_msecs_to_jiffies((uint32_t)ms);
}

/**
 * jif_jiffies_to_msecs - how many whole milliseconds @span lasts
 * @span:	a time span, in jiffies; 64 bits are taken whole
 *
 * Rounds down.
 * Context: any.
 * Return: milliseconds; UINT32_MAX if they do not fit.
 */
uint32_t jif_jiffies_to_msecs(uint32_t span)
	JIF_AGREE_ON(CONFIG_JIF_HZ, jif_jiffies_to_msecs);

static inline uint32_t jif_wide_jiffies(uint64_t span)
{
	if (span > ((UINT64_C(1) << 32) * CONFIG_JIF_HZ - 1) / 1000)
		return UINT32_MAX;
	return span > UINT32_MAX ? (uint32_t)(span * 1000 / CONFIG_JIF_HZ) :
				   jif_jiffies_to_msecs((uint32_t)span);
}

JIF_END_DECLS

#ifdef __cplusplus
template <typename T> inline uint32_t jif_msecs_to_jiffies(T ms)
{
	return sizeof(ms) > 4 ? jif_wide_msecs(uint64_t(ms)) :
				jif_msecs_to_jiffies(uint32_t(ms));
}

template <typename T> inline uint32_t jif_jiffies_to_msecs(T span)
{
	return sizeof(span) > 4 ? jif_wide_jiffies(uint64_t(span)) :
				  jif_jiffies_to_msecs(uint32_t(span));
}
#else
#define JIF_BY_SIZE(of, wide, narrow)                                          \
	(sizeof(1 * (of)) > 4 ? wide((uint64_t)(1 * (of))) :                   \
				narrow((uint32_t)(1 * (of))))
#define jif_msecs_to_jiffies(ms)                                               \
	JIF_BY_SIZE(ms, jif_wide_msecs, jif_msecs_to_jiffies)
#define jif_jiffies_to_msecs(span)                                             \
	JIF_BY_SIZE(span, jif_wide_jiffies, jif_jiffies_to_msecs)
#endif

#endif
