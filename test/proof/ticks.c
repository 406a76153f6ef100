/* SPDX-License-Identifier: MIT */
/*
 * test/proof/ticks.c - for Frama-C's EVA: 1,000 ticks of a whole wheel
 *
 * What each call is given is known to the tool, so it follows them one by one:
 * no memory is read or written that is not there or has no value yet.
 */
#include <jif/wheel.h>

static struct jif_wheel wheel;
static struct jif_timer timers[8];
static unsigned calls;

static void again(struct jif_timer *timer)
{
	static const uint32_t delays[] = {
		13, 59, 60, 61, 600, 601, 3600, 86400
	};
	uint32_t now = jif_wheel_clock(&wheel);
	unsigned which = (unsigned)(timer - timers);

	calls++;
	(void)!jif_timer_add(&wheel, timer, now + delays[which]);
	if (which == 2)
		jif_timer_mod(&wheel, &timers[5], now + 3601);
	if (which == 3)
		jif_timer_postpone(&wheel, &timers[6], now + 5000);
	if (which == 4)
		jif_timer_reduce(&wheel, &timers[7], now + 900);
}

int main(void)
{
	uint32_t now = UINT32_MAX - 500;

	jif_wheel_init_at(&wheel, now, 6, 23, 59, 10);
	for (int i = 0; i < 8; i++) {
		jif_timer_init(&timers[i], again);
		(void)!jif_timer_add(&wheel, &timers[i], now + 1 + (uint32_t)i);
	}
	for (int i = 0; i < 1000; i++)
		jif_wheel_run(&wheel, ++now);
	return (int)calls;
}
