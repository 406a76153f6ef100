/* SPDX-License-Identifier: MIT */
/*
 * lib/wheel_count.c - how many timers are pending
 */
#include <jif/wheel.h>

static int count_one(void *arg, const struct jif_timer *timer, unsigned level,
		     unsigned slot, uint32_t remaining)
{
	unsigned *count = arg;

	(void)timer;
	(void)level;
	(void)slot;
	(void)remaining;
	++*count;
	return 0;
}

unsigned jif_wheel_count(struct jif_wheel *wheel)
{
	unsigned count = 0;

	jif_wheel_walk(wheel, count_one, &count);
	return count;
}
