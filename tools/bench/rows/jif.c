/* SPDX-License-Identifier: MIT */
/*
 * rows/jif.c - jif, with the options that its row is compiled with
 *
 * One unit with the sources of the engine, so that calls can be inlined; hence
 * names that are not theirs.
 */
#include <jif/trace.h>
#include <jif/wheel.h>

#include "../ops.h"

#ifndef BENCH_POSTPONE
#define BENCH_POSTPONE 0
#endif
#ifndef BENCH_STOPS
#define BENCH_STOPS 0
#endif

static struct jif_wheel wheel;

static void row_expired(struct jif_timer *timer)
{
	bench_expire(timer);
}

static void row_moved(const struct jif_timer *timer, int from, unsigned level,
		      unsigned slot, uint32_t remaining)
{
	(void)timer;
	(void)level;
	(void)slot;
	(void)remaining;
	bench_touched += from != JIF_TRACE_ARMED;
}

static bool row_init(uint32_t now)
{
	if (CONFIG_JIF_TRACE)
		jif_trace = row_moved;
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
	jif_timer_add(&wheel, timer, expires);
}

static void row_cancel(void *timer)
{
	jif_timer_del(&wheel, timer);
}

static void row_rearm(void *timer, uint32_t expires)
{
	if (BENCH_POSTPONE)
		jif_timer_postpone(&wheel, timer, expires);
	else
		jif_timer_mod(&wheel, timer, expires);
}

static void row_run(uint32_t now)
{
	jif_wheel_run(&wheel, now);
}

static void row_jump(void)
{
	if (BENCH_STOPS ? jif_wheel_next(&wheel, &bench_now) :
			  jif_wheel_next_expiry(&wheel, &bench_now))
		jif_wheel_run(&wheel, bench_now);
}

BENCH_TICKS(row_run)

const struct bench_ops bench_ops __attribute__((externally_visible)) = {
	.size = sizeof(struct jif_timer),
	.wheel_size = sizeof(struct jif_wheel),
	.init = row_init,
	.make = row_make,
	.arm = row_arm,
	.cancel = row_cancel,
	.rearm = row_rearm,
	.run = row_run,
	.ticks = ticks,
	.jump = row_jump,
};
