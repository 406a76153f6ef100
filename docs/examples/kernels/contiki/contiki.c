/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/kernels/contiki/contiki.c - Contiki-NG: a process, its wheel
 *
 * A process may not block, so that jif_kernel_run() is none. This one runs what
 * is due, sets an etimer for the next expiry, and returns. Who arms something
 * polls it: in a handler, too, and a poll while it runs calls it once more.
 */
#include <contiki.h>
#include <jif/jiffies.h>
#include <jif/wheel.h>
#include <jif_port.h>

JIF_STATIC_ASSERT(CONFIG_JIF_HZ == CLOCK_SECOND, "a jiffy is a clock tick");

struct jif_wheel timers;

PROCESS(timer_process, "timers");

/* On a host, the first time is that since it was started: of any size. */
void jif_port_count(void)
{
	static uint32_t counted;
	static bool begun;
	uint32_t passed = (uint32_t)clock_time() - counted;

	if (begun && passed > INT32_MAX)
		return;
	begun = true;
	counted += passed;
	jif_count(passed);
}

int arm_in(struct jif_timer *timer, uint32_t delay)
{
	int ret = jif_timer_mod_in(&timers, timer, delay);

	process_poll(&timer_process);
	return ret;
}

/* The next stop is never later than the next expiry. */
static void sleep_until_next(struct etimer *sleep)
{
	uint32_t when, now = jif_now();

	if (!jif_wheel_next_stop(&timers, &when))
		etimer_stop(sleep);
	else
		etimer_set(sleep, jif_time_after(when, now) ? when - now : 0);
}

PROCESS_THREAD(timer_process, ev, data)
{
	static struct etimer sleep;

	PROCESS_BEGIN();
	jif_wheel_init_time(&timers, jif_time_jiffies);
	for (;;) {
		jif_wheel_poll(&timers);
		sleep_until_next(&sleep);
		PROCESS_YIELD();
	}
	PROCESS_END();
}
