/* SPDX-License-Identifier: MIT */
/*
 * rows/jif.c - jif: linked with its library, or one unit with its sources,
 * hence names that are not theirs
 */
#include <jif/wheel.h>

#include "../ops.h"

static struct jif_wheel wheel;

static void row_expired(struct jif_timer *timer)
{
	bench_expire(timer);
}

static bool row_init(uint32_t now)
{
	jif_wheel_init(&wheel, now);
	return true;
}

static void *row_make(void *memory)
{
	jif_timer_init(memory, row_expired);
	return memory;
}

static void row_arm(void *timer, uint32_t expires)
{
	(void)!jif_timer_add(&wheel, timer, expires);
}

static void row_cancel(void *timer)
{
	jif_timer_del(&wheel, timer);
}

static void row_rearm(void *timer, uint32_t expires)
{
	jif_timer_mod(&wheel, timer, expires);
}

static void row_postpone(void *timer, uint32_t expires)
{
	jif_timer_postpone(&wheel, timer, expires);
}

static void row_run(uint32_t now)
{
	jif_wheel_run(&wheel, now);
}

static void row_jump(void)
{
	if (jif_wheel_next_expiry(&wheel, &bench_now))
		jif_wheel_run(&wheel, bench_now);
}

static void row_idle(uint32_t ticks)
{
}

static void row_search(void)
{
	jif_wheel_sleep(&wheel, row_idle);
}

BENCH_ROW(.size = sizeof(struct jif_timer), .wheel_size = sizeof(wheel),
	  .rearm = row_rearm, .postpone = row_postpone, .jump = row_jump,
	  .search = row_search);
