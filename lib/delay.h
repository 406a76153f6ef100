/* SPDX-License-Identifier: MIT */
/*
 * lib/delay.h - delays from now on, of timers, work and tasks
 */
#ifndef JIF_LIB_DELAY_H
#define JIF_LIB_DELAY_H

#include <jif/jiffies.h>
#include <jif/wheel.h>

/*
 * When @delay ticks are over, each of them whole: what is left of the one under
 * way is none. A wheel that is behind jif_now() reaches less far; false if it
 * is too far. Interrupts are off.
 */
static inline bool expiry_after(const struct jif_wheel *wheel, uint32_t delay,
				uint32_t *expires)
{
	uint32_t now = jif_now();
	uint32_t behind = now - wheel->clk;

	if (behind > JIF_DELAY_MAX)
		behind = 0;
	*expires = now + delay + 1;
	return delay < JIF_DELAY_MAX - behind;
}

#endif
