/* SPDX-License-Identifier: MIT */
/*
 * rows/null.c - no timers at all: what the harness itself costs
 */
#include "../ops.h"

static bool init(uint32_t now)
{
	(void)now;
	return true;
}

static void *make(void *memory)
{
	return memory;
}

static void arm(void *timer, uint32_t expires)
{
	(void)timer;
	(void)expires;
}

static void cancel(void *timer)
{
	(void)timer;
}

static void run(uint32_t now)
{
	(void)now;
}

BENCH_TICKS(run)

const struct bench_ops bench_ops = {
	.size = sizeof(void *),
	.init = init,
	.make = make,
	.arm = arm,
	.cancel = cancel,
	.rearm = arm,
	.run = run,
	.ticks = ticks,
};
