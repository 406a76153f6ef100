/* SPDX-License-Identifier: MIT */
/*
 * lib/wheel_sleep.c - main loops sleep until the next expiry
 *
 * Which one that is takes a search, and the search lets interrupts in. Any
 * arming clears quiet_until. One look at it, with interrupts off, shows whether
 * what was found is still the first, however many timers there are.
 *
 * In a sleep, the wheel's clock falls behind, and a delay reaches less far. So
 * the clock moves on before the main loop does, up to where it has work to do.
 */
#include "wheel_sleep.h"

#include "delay.h"

JIF_STATIC_ASSERT(JIF_SLEEP_MAX <= JIF_DELAY_MAX, "the wheel can follow");

uint32_t jif_wheel_sleep_ticks(struct jif_wheel *wheel, uint32_t until)
{
	uint32_t ticks = until - time_to_run(wheel);

	return is_undisturbed(wheel) && ticks <= JIF_SLEEP_MAX ? ticks : 0;
}

void jif_wheel_sleep_over(struct jif_wheel *wheel)
{
	jif_irq_t flags = jif_irq_save();
	uint32_t now = time_to_run(wheel);

	if (now != clock_of(wheel))
		jif_wheel_run_most(wheel, now, 0, flags);
	else
		jif_irq_restore(flags);
}

bool jif_wheel_sleep(struct jif_wheel *wheel, void (*idle)(uint32_t ticks))
{
	uint32_t until, ticks;
	jif_irq_t flags;

	if (CONFIG_JIF_DEBUG && !idle) {
		jif_misused("a sleep has no function that sleeps", wheel, NULL);
		return false;
	}
	until = jif_wheel_sleep_until(wheel);
	flags = jif_irq_save();
	ticks = jif_wheel_sleep_ticks(wheel, until);
	if (ticks) {
		trace(JIF_TRACE_SLEEP, wheel, NULL, ticks);
		idle(ticks);
		trace_wake(wheel);
	}
	jif_irq_restore(flags);
	if (ticks)
		jif_wheel_sleep_over(wheel);
	return ticks;
}
