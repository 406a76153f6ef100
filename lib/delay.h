/* SPDX-License-Identifier: MIT */
/* lib/delay.h - delays from now on, and pauses */
#ifndef JIF_LIB_DELAY_H
#define JIF_LIB_DELAY_H

#include <jif/jiffies.h>
#include <jif/wheel.h>

#include "wheel_debug.h"

/* As its source says or, without one, jif_now(). Interrupts are off. */
static JIF_ALWAYS_INLINE uint32_t time_or_jiffies(const struct jif_wheel *wheel)
{
	return source_of(wheel) ? wheel->time(wheel) : jif_now();
}

/* What time it is: never before the clock. Interrupts are off. */
static inline uint32_t now_of(const struct jif_wheel *wheel)
{
	uint32_t now;

	if (!source_of(wheel)) {
		check_clock(wheel);
		return clock_of(wheel);
	}
	/* The source may move the clock on. */
	now = wheel->time(wheel);
	check_ahead(wheel, now - clock_of(wheel));
	return jif_time_before(now, clock_of(wheel)) ? clock_of(wheel) : now;
}

/* For its owner, who gives it a source if it has none. Interrupts are off. */
static inline uint32_t time_to_run(struct jif_wheel *wheel)
{
	if (!wheel->time)
		wheel->time = jif_time_jiffies;
	return CONFIG_JIF_DEBUG ? now_of(wheel) : wheel->time(wheel);
}

/* What a pending timer has left then; 0 if it is due. Interrupts are off. */
static inline uint32_t left_of(const struct jif_wheel *wheel,
			       const struct jif_timer *timer)
{
	uint32_t now = now_of(wheel);
	uint32_t left;

	if (is_on(wheel, timer) <= 0)
		return 0;
	left = expiry_of(wheel, timer) - now;
	return left <= JIF_DELAY_MAX ? left : 0;
}

/*
 * When @delay whole ticks are over: the one under way does not count. A wheel
 * that is behind reaches less far; false if it is too far. Without a source,
 * jif_now() is asked, which may be before the clock. Interrupts are off.
 */
static JIF_ALWAYS_INLINE bool tell_expiry(const struct jif_wheel *wheel,
					  uint32_t delay, uint32_t *expires)
{
	uint32_t now = time_or_jiffies(wheel);
	uint32_t behind = now - clock_of(wheel);

	check_delay(wheel, behind);
	if (source_of(wheel))
		check_ahead(wheel, behind);
	if (behind > JIF_DELAY_MAX) {
		behind = 0;
		now = wheel->time ? clock_of(wheel) : now;
	}
	*expires = now + delay + 1;
	return delay < JIF_DELAY_MAX - behind;
}

/*
 * Where what is armed in @delay is to wait, and until when. Who looks again, as
 * time has moved on, gives the same one: what is too far by now, and was @near
 * before, is for the time that was found then.
 */
struct look {
	uint32_t delay;
	uint32_t expires;
	uint32_t clk;
	spot_t spot;
	jif_irq_t flags;
	bool near;
};

/* Not an initialiser, for which clang calls a function of a C library. */
static inline void begin_look(struct look *look, uint32_t delay)
{
	look->delay = delay;
	look->near = false;
}

/* With interrupts on; false if that is too far. */
bool jif_look(const struct jif_wheel *wheel, struct look *look);

/* Has no run moved time on since? Interrupts are off. */
static inline bool is_current(const struct jif_wheel *wheel,
			      const struct look *look)
{
	return look->clk == clock_of(wheel);
}

/* As jif_look(), but interrupts are off then, and what it found is current. */
static inline bool look_after(const struct jif_wheel *wheel, struct look *look)
{
	while (jif_look(wheel, look)) {
		look->flags = jif_irq_save();
		if (is_current(wheel, look))
			return true;
		jif_irq_restore(look->flags);
	}
	return false;
}

/* After interrupts were let in: is a timer where it was armed? */
static inline bool is_armed_there(const struct jif_wheel *wheel,
				  const struct jif_timer *timer,
				  const struct look *look)
{
	return timer->where == (int)SLOT_OF(look->spot) &&
	       timer->remaining == LEFT_OF(look->spot) &&
	       is_current(wheel, look);
}

/*
 * A paused timer is idle, and its @next NULL: removal leaves it set, and arming
 * sets it. Of other calls, only jif_timer_del() knows of pauses: it ends them.
 */
static inline bool is_paused(const struct jif_timer *timer)
{
	return timer->where == JIF_TIMER_IDLE && !timer->next;
}

#endif
