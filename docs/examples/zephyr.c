/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/zephyr.c - a thread of Zephyr that runs a wheel of timers
 *
 * The wheel's time is Zephyr's uptime, in ticks. One thread runs the wheel, and
 * waits for the next expiry or for a semaphore, which each arming gives: no
 * arming is missed between the look and the wait. Threads and handlers arm,
 * move and delete as they like.
 *
 * The port of jif for the processor keeps them out of each other's way; its
 * source, and jif_tick(), are not needed.
 */
#include <jif/periodic.h>
#include <jif/wheel.h>
#include <zephyr/kernel.h>

#include "board.h"

static struct jif_wheel wheel;

/* Given by each arming. */
K_SEM_DEFINE(armed, 0, 1);

/* Wraps at 32 bits, which a wheel is made for. */
static uint32_t uptime(void)
{
	return (uint32_t)k_uptime_ticks();
}

static void run_timers(void *p1, void *p2, void *p3)
{
	uint32_t when, wait;

	(void)p1;
	(void)p2;
	(void)p3;
	for (;;) {
		jif_wheel_run(&wheel, uptime());
		wait = JIF_SLEEP_MAX;
		if (jif_wheel_next_expiry(&wheel, &when))
			wait = when - uptime();
		if (wait <= JIF_SLEEP_MAX)
			k_sem_take(&armed, K_TICKS(wait));
	}
}

/* Before the first thread, which may arm timers. */
static int make_wheel(void)
{
	jif_wheel_init(&wheel, uptime());
	return 0;
}

SYS_INIT(make_wheel, POST_KERNEL, 50);
K_THREAD_DEFINE(timers, 1024, run_timers, NULL, NULL, NULL, 5, 0, 0);

/* From any thread or handler. */
static void timer_start(struct jif_timer *timer, uint32_t ms)
{
	jif_timer_mod(&wheel, timer, uptime() + k_ms_to_ticks_ceil32(ms));
	k_sem_give(&armed);
}

static void on_blink(struct jif_periodic *p)
{
	(void)p;
	board_log("blink");
}

static void on_silence(struct jif_timer *timer)
{
	(void)timer;
	board_log("nothing received for a second");
}

static struct jif_timer silence = JIF_TIMER_INIT(on_silence);
static struct jif_periodic blink;

int main(void)
{
	jif_periodic_init(&blink, on_blink, JIF_CATCHUP_SKIP);
	jif_periodic_start_at(&wheel, &blink,
			      uptime() + k_ms_to_ticks_ceil32(700),
			      k_ms_to_ticks_ceil32(700), 0);
	k_sem_give(&armed);
	for (int i = 0; i < 3; i++) {
		board_log("received");
		timer_start(&silence, 1000);
		k_sleep(K_MSEC(300));
	}
	return 0;
}
