/* SPDX-License-Identifier: MIT */
/*
 * rows/null.c - no timers at all: what the harness itself costs
 */
#include "../ops.h"

static bool row_init(uint32_t now)
{
	(void)now;
	return true;
}

static void *row_make(void *memory)
{
	return memory;
}

static void row_arm(void *timer, uint32_t expires)
{
	(void)timer;
	(void)expires;
}

static void row_cancel(void *timer)
{
	(void)timer;
}

static void row_run(uint32_t now)
{
	(void)now;
}

BENCH_ROW(.size = sizeof(void *), .rearm = row_arm);
