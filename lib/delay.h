/* SPDX-License-Identifier: MIT */
/*
 * lib/delay.h - delays from now on, and pauses
 */
#ifndef JIF_LIB_DELAY_H
#define JIF_LIB_DELAY_H

#include <jif/jiffies.h>
#include <jif/wheel.h>

/* What time it is; interrupts are off. A source that is behind is not asked. */
static inline uint32_t now_of(const struct jif_wheel *wheel)
{
	uint32_t now, ahead = 0;

	/* The source may move the clock on. */
	if (wheel->time) {
		now = wheel->time(wheel);
		ahead = now - wheel->clk;
	}
	return wheel->clk + (ahead <= JIF_DELAY_MAX ? ahead : 0);
}

/* What a pending timer has left then; 0 if it is due. Interrupts are off. */
static inline uint32_t left_of(const struct jif_wheel *wheel,
			       const struct jif_timer *timer)
{
	uint32_t now = now_of(wheel);
	uint32_t left = jif_timer_expires(wheel, timer) - now;

	return left <= JIF_DELAY_MAX ? left : 0;
}

/*
 * When @delay ticks are over, each of them whole: what is left of the one under
 * way is none. A wheel that is behind jif_now() reaches less far; false if it
 * is too far. Interrupts are off.
 */
static inline bool expiry_after(const struct jif_wheel *wheel, uint32_t delay,
				uint32_t *expires)
{
	uint32_t now = wheel->time ? now_of(wheel) : jif_now();
	uint32_t behind = now - wheel->clk;

	if (behind > JIF_DELAY_MAX)
		behind = 0;
	*expires = now + delay + 1;
	return delay < JIF_DELAY_MAX - behind;
}

/*
 * A paused timer is idle, and its @next is NULL. Removal from a list leaves
 * @next set, and arming sets it, so that no other call knows of pauses.
 */
static inline bool is_paused(const struct jif_timer *timer)
{
	return timer->where == JIF_TIMER_IDLE && !timer->next;
}

#endif
