/* SPDX-License-Identifier: MIT */
/*
 * lib/timer.h - delays from now on, of timers, work and tasks
 */
#ifndef JIF_LIB_TIMER_H
#define JIF_LIB_TIMER_H

#include <jif/wheel.h>

/*
 * A wheel that is behind @now, which is jif_now(), reaches less far. Interrupts
 * are off.
 */
static inline bool reaches(const struct jif_wheel *wheel, uint32_t now,
			   uint32_t delay)
{
	uint32_t behind = now - wheel->clk;

	if (behind > JIF_DELAY_MAX)
		behind = 0;
	return delay <= JIF_DELAY_MAX - behind;
}

#endif
