/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/clock.c - timers in real time, in a program on a PC
 *
 * The wheel's time is the system's monotonic clock, in milliseconds, which is
 * a tick while CONFIG_JIF_HZ is 1000. The program sleeps until the next expiry.
 * No thread, no signal, no jif_tick().
 */
#define _POSIX_C_SOURCE 200809L
#include <jif/jif.h>
#include <stdio.h>
#include <time.h>

static struct jif_wheel wheel;
static uint32_t start;

static uint32_t milliseconds(const struct jif_wheel *unused)
{
	struct timespec t;

	(void)unused;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint32_t)((uint64_t)t.tv_sec * 1000 +
			  (uint64_t)t.tv_nsec / 1000000);
}

static void beat(struct jif_periodic *p)
{
	(void)p;
	printf("%u ms: beat\n", (unsigned)(jif_wheel_now(&wheel) - start));
}

static void finish(struct jif_timer *timer)
{
	(void)timer;
	printf("%u ms: end\n", (unsigned)(jif_wheel_now(&wheel) - start));
}

static void sleep_until(uint32_t when)
{
	uint32_t now = jif_wheel_now(&wheel);
	uint32_t left = jif_time_after(when, now) ? when - now : 0;
	struct timespec t = { left / 1000, left % 1000 * 1000000 };

	nanosleep(&t, NULL);
}

int main(void)
{
	static struct jif_timer end = JIF_TIMER_INIT(finish);
	static struct jif_periodic heart;
	uint32_t next;

	jif_wheel_init_time(&wheel, milliseconds);
	start = jif_wheel_now(&wheel);
	jif_periodic_init(&heart, beat, JIF_CATCHUP_SKIP);
	if (jif_periodic_start(&wheel, &heart, JIF_MS(500), JIF_MS(500), 3) ||
	    jif_timer_add_in(&wheel, &end, JIF_MS(1250)))
		return 1;
	while (jif_wheel_next_expiry(&wheel, &next)) {
		sleep_until(next);
		jif_wheel_poll(&wheel);
	}
	return 0;
}
