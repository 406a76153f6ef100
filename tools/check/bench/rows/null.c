/* SPDX-License-Identifier: MIT */
/* No timers at all: what the harness itself costs */
#include "../ops.h"

static bool row_init(uint32_t now)
{
	return true;
}

static void *row_make(void *memory)
{
	return memory;
}

static void row_arm(void *timer, uint32_t expires)
{
}

static void row_cancel(void *timer)
{
}

static void row_run(uint32_t now)
{
}

BENCH_ROW(.size = sizeof(void *), .rearm = row_arm);
