/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/zephyr.c - any number of timers in one thread of Zephyr
 *
 * Jiffies are Zephyr's ticks, by the port of that name. One thread runs the
 * timers. All others, and handlers, arm them, move and delete.
 */
#include <jif/jiffies.h>
#include <jif/kernel.h>
#include <jif/periodic.h>
#include <zephyr/kernel.h>

#include "board.h"

static struct jif_kernel timers;

static void run_timers(void *p1, void *p2, void *p3)
{
	(void)p1;
	(void)p2;
	(void)p3;
	jif_kernel_run(&timers);
}

/* Before the first thread, which may arm timers. */
static int make_timers(void)
{
	jif_kernel_init(&timers);
	return 0;
}

SYS_INIT(make_timers, POST_KERNEL, 50);
K_THREAD_DEFINE(timer_thread, 1024, run_timers, NULL, NULL, NULL, 5, 0, 0);

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
	uint32_t period = jif_msecs_to_jiffies(700);

	jif_periodic_init(&blink, on_blink, JIF_CATCHUP_SKIP);
	if (jif_periodic_start(&timers.wheel, &blink, period, period,
			       JIF_FOREVER) < 0)
		return 1;
	jif_kernel_wake(&timers, jif_now());
	for (int i = 0; i < 3; i++) {
		board_log("received");
		if (jif_kernel_mod_in(&timers, &silence,
				      jif_msecs_to_jiffies(1000)) < 0)
			board_log("refused");
		k_sleep(K_MSEC(300));
	}
	return 0;
}
