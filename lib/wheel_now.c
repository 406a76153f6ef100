/* SPDX-License-Identifier: MIT */
/*
 * lib/wheel_now.c - what time it is, while a wheel's clock stands still
 */
#include <jif/jiffies.h>
#include <jif/wheel.h>

#include "delay.h"
#include "port/jif_port.h"

uint32_t jif_time_jiffies(const struct jif_wheel *wheel)
{
	(void)wheel;
	return jif_now();
}

/* In a debug build, false if there is no time source. */
static inline bool has_time(const struct jif_wheel *wheel, jif_time_fn *time)
{
	if (!CONFIG_JIF_DEBUG || time)
		return true;
	jif_misused("a wheel is initialised with no time source", wheel, NULL);
	return false;
}

void jif_wheel_init_time(struct jif_wheel *wheel, jif_time_fn *time)
{
	jif_irq_t flags;
	uint32_t now;

	if (!has_time(wheel, time))
		return;
	flags = jif_irq_save();
	now = time(wheel);
	jif_irq_restore(flags);
	jif_wheel_init(wheel, now);
	wheel->time = time;
}

void jif_wheel_set_time(struct jif_wheel *wheel, jif_time_fn *time)
{
	jif_irq_t flags = jif_irq_save();

	wheel->time = time;
	jif_irq_restore(flags);
}

uint32_t jif_wheel_now(const struct jif_wheel *wheel)
{
	jif_irq_t flags = jif_irq_save();
	uint32_t now = now_of(wheel);

	jif_irq_restore(flags);
	return now;
}

unsigned jif_wheel_poll(struct jif_wheel *wheel)
{
	if (CONFIG_JIF_DEBUG && is_set_up(wheel) && !wheel->time) {
		jif_refused("a wheel without time source is polled", wheel,
			    NULL);
		return jif_wheel_run(wheel, jif_wheel_clock(wheel));
	}
	return jif_wheel_run(wheel, jif_wheel_now(wheel));
}
