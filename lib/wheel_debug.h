/* SPDX-License-Identifier: MIT */
/*
 * lib/wheel_debug.h - the engine's questions that only a debug build asks
 *
 * In another build, each is answered at compile time: all is as it should be.
 * docs/misuse.md tells what is found.
 */
#ifndef JIF_LIB_WHEEL_DEBUG_H
#define JIF_LIB_WHEEL_DEBUG_H

#include "bug.h"
#include "port/jif_port.h"
#include "rings.h"

/* The part of jif_irq_t that shows whether interrupts are on. */
#ifdef __AVR__
#define IRQ_BITS 0x80u
#else
#define IRQ_BITS (~0u)
#endif

#define jif_timer_misused(what, timer)                                         \
	jif_misused(what, timer, (void (*)(void))(timer)->fn)
void jif_timer_refused(const struct jif_timer *timer, int err);

static inline bool is_in_ring(const struct ring *ring, unsigned slot)
{
	return slot >= ring->first && slot < ring[1].first;
}

static inline bool bitmap_test(const jif_word_t *map, unsigned bit)
{
	return READ_SHARED(&map[bit / WORD_BITS]) & WORD_MASK(bit);
}

static inline bool is_set_up(const struct jif_wheel *wheel)
{
	bool ready = true;

	for (unsigned level = SEC; level < LEVELS; level++)
		ready = ready &&
			is_in_ring(&jif_rings[level], wheel->hand[level]);
	return ready;
}

static inline bool check_set_up(const struct jif_wheel *wheel)
{
	if (!CONFIG_JIF_DEBUG || is_set_up(wheel))
		return true;
	jif_misused("a wheel is used that was never initialised", wheel, NULL);
	return false;
}

/* What was never initialised has no time source that could be called. */
static inline jif_time_fn *source_of(const struct jif_wheel *wheel)
{
	return !CONFIG_JIF_DEBUG || is_set_up(wheel) ? wheel->time : NULL;
}

/* Before it is initialised: chance does not make map and lists agree. */
static inline void check_init(const struct jif_wheel *wheel)
{
	bool used = false, agree;

	if (!CONFIG_JIF_DEBUG)
		return;
	agree = is_set_up(wheel) && !jif_powers_on;
	for (unsigned slot = SEC_FIRST; agree && slot <= LAST_SLOT; slot++) {
		used |= wheel->slot[slot - 1] != NULL;
		agree = bitmap_test(wheel->occupied, slot) ==
			(wheel->slot[slot - 1] != NULL);
	}
	if (agree && used)
		jif_misused("a wheel is initialised that has pending timers",
			    wheel, NULL);
}

static inline void check_init_at(const struct jif_wheel *wheel, unsigned most)
{
	if (CONFIG_JIF_DEBUG && most > UINT16_MAX)
		jif_misused("a wheel is initialised at no time of day", wheel,
			    NULL);
}

#define TOO_FAR "a timer is armed too far ahead, and runs at once"

/* Is an absolute time so far ahead that it looks like the past? */
static inline bool looks_past(uint32_t expires, uint32_t clk)
{
	return expires - clk - JIF_DELAY_MAX - 1 < JIF_SLEEP_MAX;
}

/* What jif_timer_add() is to return, which returns @err without this. */
static inline int check_add(const struct jif_wheel *wheel,
			    const struct jif_timer *timer, uint32_t expires,
			    int err)
{
	if (!CONFIG_JIF_DEBUG)
		return err;
	if (err)
		jif_timer_refused(timer, err);
	else if (!check_set_up(wheel))
		err = -JIF_EINVAL;
	else if (looks_past(expires, clock_of(wheel)))
		jif_timer_misused(TOO_FAR, timer);
	return err;
}

/* 1 if a timer is pending, 0 if not; or -JIF_EINVAL: on another wheel. */
static inline int is_on(const struct jif_wheel *wheel,
			const struct jif_timer *timer)
{
	if (!is_pending(timer))
		return 0;
	if (CONFIG_JIF_DEBUG &&
	    !jif_timer_is_on(&wheel->slot[timer->where - 1], timer))
		return -JIF_EINVAL;
	return 1;
}

/*
 * Was an entry of a list initialised or overwritten while it was pending? Then
 * its links may lead anywhere. A debug build has reported that before, and
 * stopped; but no function: a bookmark has none.
 */
static inline bool is_overwritten(const struct jif_timer *timer, unsigned slot)
{
	if (CONFIG_JIF_DEBUG && !timer->fn)
		jif_damaged("W2: a pending timer was freed or overwritten",
			    timer, NULL);
	return !CONFIG_JIF_DEBUG && timer->where != (int)slot;
}

/* May a wheel be run? A busy one is not run in any case. */
static inline bool check_run(const struct jif_wheel *wheel, uint32_t now)
{
	if (!check_set_up(wheel))
		return false;
	if (CONFIG_JIF_DEBUG && wheel->nesting && !jif_in_irq())
		jif_refused("a wheel is run within a run, a walk or a drain",
			    wheel, NULL);
	else if (CONFIG_JIF_DEBUG && now - clock_of(wheel) > JIF_DELAY_MAX)
		jif_misused("a wheel is run with a time before its clock",
			    wheel, NULL);
	return true;
}

/* May it be run with that time? A run goes there all the same. */
static inline void check_source(const struct jif_wheel *wheel, uint32_t now)
{
	uint32_t time;

	if (!CONFIG_JIF_DEBUG || !is_set_up(wheel) ||
	    wheel->time == jif_wheel_clock)
		return;
	if (wheel->time)
		time = wheel->time(wheel);
	jif_run_check(wheel, now, clock_of(wheel), wheel->time ? &time : NULL);
}

/* What has set the source of a wheel runs it: is it there? */
static inline void check_owned(const struct jif_wheel *wheel)
{
	if (CONFIG_JIF_DEBUG && is_set_up(wheel) && !wheel->time)
		jif_misused("a wheel was initialised after its scheduler",
			    wheel, NULL);
}

/* Counts what is relative from the wheel's clock, and is that now? */
static inline void check_clock(const struct jif_wheel *wheel)
{
	if (CONFIG_JIF_DEBUG && is_set_up(wheel))
		jif_clock_check(wheel, clock_of(wheel));
}

/* And a delay from jif_now() on, so far ahead of the clock? */
static inline void check_delay(const struct jif_wheel *wheel, uint32_t behind)
{
	if (CONFIG_JIF_DEBUG && is_set_up(wheel) && !wheel->time)
		jif_delay_check(wheel, behind);
}

static inline void check_ahead(const struct jif_wheel *wheel, uint32_t ahead)
{
	if (CONFIG_JIF_DEBUG)
		jif_source_check(wheel, ahead);
}

/* May somebody walk or drain, where those that do add up to @max_nesting? */
static inline bool check_walk(const struct jif_wheel *wheel,
			      unsigned max_nesting)
{
	if (!CONFIG_JIF_DEBUG)
		return true;
	if (jif_in_irq() && !wheel->nesting)
		jif_misused("a wheel is walked or drained in a handler", wheel,
			    NULL);
	else if (wheel->nesting >= max_nesting)
		jif_misused("a wheel is walked or drained within a walk", wheel,
			    NULL);
	else
		return check_set_up(wheel);
	return false;
}

/* After a callback: whether interrupts were on before it, and are now. */
static inline jif_irq_t check_irq(jif_irq_t before, jif_irq_t after,
				  const struct jif_timer *timer,
				  jif_timer_fn *fn)
{
	if (!CONFIG_JIF_DEBUG || !((before ^ after) & IRQ_BITS))
		return after;
	jif_misused("a callback has left interrupts off", timer,
		    (void (*)(void))fn);
	return before;
}

#endif
