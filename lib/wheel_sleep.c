/* SPDX-License-Identifier: MIT */
/*
 * lib/wheel_sleep.c - a bare main loop sleeps until the next expiry
 */
#include <jif/jiffies.h>
#include <jif/wheel.h>

#include "port/jif_port.h"

JIF_STATIC_ASSERT(JIF_SLEEP_MAX <= JIF_DELAY_MAX, "the wheel can follow");

/*
 * The search lets interrupts in. Any arming clears @quiet: so one look at it,
 * with interrupts off, tells whether what was found is still the first.
 */
bool jif_wheel_sleep(struct jif_wheel *wheel, void (*idle)(uint32_t ticks))
{
	uint32_t ticks = JIF_SLEEP_MAX;
	uint32_t when;
	bool any = jif_wheel_next_expiry(wheel, &when);
	jif_irq_t flags = jif_irq_save();

	if (any)
		ticks = when - jif_now();
	if (!wheel->quiet || ticks > JIF_DELAY_MAX)
		ticks = 0;
	if (ticks)
		idle(ticks < JIF_SLEEP_MAX ? ticks : JIF_SLEEP_MAX);
	jif_irq_restore(flags);
	return ticks;
}
