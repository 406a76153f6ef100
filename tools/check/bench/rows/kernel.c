/* SPDX-License-Identifier: MIT */
/*
 * rows/kernel.c - the kernel's kernel/time/timer.c, as it lies in linux-source
 *
 * A tick is a jiffy. Nothing moves from level to level, so that what is far
 * away expires late, by up to an eighth of its delay.
 */
#include "kernel.h"

#include <linux/timer.h>

/* The rest of a kernel calls them from other units. */
#define CALLED __attribute__((noipa))
CALLED void add_timer(struct timer_list *timer);
CALLED int mod_timer(struct timer_list *timer, unsigned long expires);
CALLED int timer_delete(struct timer_list *timer);

#include "timer.c"

#include "../ops.h"

static void row_expired(struct timer_list *timer)
{
	bench_expire(timer);
}

static bool row_init(uint32_t now)
{
	jiffies_64 = now;
	init_timers();
	return true;
}

static void *row_make(void *memory)
{
	timer_setup((struct timer_list *)memory, row_expired, 0);
	return memory;
}

static void row_arm(void *memory, uint32_t expires)
{
	struct timer_list *timer = memory;

	timer->expires = expires;
	add_timer(timer);
}

static void row_cancel(void *timer)
{
	timer_delete(timer);
}

static void row_rearm(void *timer, uint32_t expires)
{
	mod_timer(timer, expires);
}

static void row_run(uint32_t now)
{
	jiffies_64 = now;
	run_local_timers();
}

/* As a kernel without ticks does it. */
static void row_jump(void)
{
	struct timer_base *base = this_cpu_ptr(&timer_bases[BASE_STD]);

	if (base->next_expiry_recalc)
		base->next_expiry = __next_timer_interrupt(base);
	if (base->timers_pending)
		row_run(bench_now = (uint32_t)base->next_expiry);
}

BENCH_ROW(.size = sizeof(struct timer_list), .wheel_size = sizeof(timer_bases),
	  .rearm = row_rearm, .jump = row_jump);
