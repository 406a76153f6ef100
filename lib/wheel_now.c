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

void jif_wheel_init_time(struct jif_wheel *wheel, jif_time_fn *time)
{
	jif_irq_t flags = jif_irq_save();
	uint32_t now = time(wheel);

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
	return jif_wheel_run(wheel, jif_wheel_now(wheel));
}
