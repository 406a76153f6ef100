/* SPDX-License-Identifier: MIT */
/* lib/wheel_now.c - what time it is, by the clock and by a time source */
#include <jif/wheel.h>

#include "delay.h"
#include "port/jif_port.h"

uint32_t jif_wheel_clock(const struct jif_wheel *wheel)
{
	jif_irq_t flags;
	uint32_t clk;

	LOOK_ANEW();
	if (!TEARS)
		return READ_SHARED(&wheel->since[SEC]);
	flags = jif_irq_save();
	clk = clock_of(wheel);
	jif_irq_restore(flags);
	return clk;
}

void jif_wheel_init_time(struct jif_wheel *wheel, jif_time_fn *time)
{
	jif_irq_t flags;
	uint32_t now;

	if (CONFIG_JIF_DEBUG && !time) {
		jif_misused("a wheel is initialised with no time source", wheel,
			    NULL);
		return;
	}
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

void jif_wheel_init(struct jif_wheel *wheel, uint32_t now)
{
	check_init(wheel);
	*wheel = (struct jif_wheel){
		.since = { now, now, now, now, now },
		.target = now,
		.hand = { SEC_FIRST, MIN_FIRST, HOUR_FIRST, DAY_FIRST,
			  WEEK_FIRST },
		.quiet_until = SEC_FIRST,
	};
}

/* In days: half of what 16 bits have. */
#define SOME_WEEKS (4681u * JIF_DAY_SLOTS)

void jif_wheel_init_at(struct jif_wheel *wheel, uint32_t now, unsigned day,
		       unsigned hour, unsigned minute, unsigned second)
{
	uint32_t ticks = day;

	check_init_at(wheel, day | hour | minute | second);
	/* 2^16 days are more than 2^32 ticks: as many weeks less. */
	if (ticks >= SOME_WEEKS)
		ticks -= SOME_WEEKS;
	ticks = ticks * JIF_HOUR_SLOTS + hour;
	ticks = ticks * JIF_MIN_SLOTS + minute;
	ticks = ticks * JIF_SEC_SLOTS + second;
	while (ticks > JIF_DELAY_MAX)
		ticks -= WEEK_TICKS << 11;
	jif_wheel_init(wheel, now - ticks);
	jif_wheel_run(wheel, now);
}
