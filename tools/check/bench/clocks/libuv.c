/* SPDX-License-Identifier: MIT */
/* tools/check/bench/clocks/libuv.c - libuv's loop */
#include <uv.h>

#include "load.h"

static uv_timer_t timers[TIMERS];

static void expired(uv_timer_t *timer)
{
	if (load_expired((unsigned)(timer - timers)))
		uv_stop(timer->loop);
}

void clock_init(void)
{
	for (unsigned i = 0; i < TIMERS; i++)
		uv_timer_init(uv_default_loop(), &timers[i]);
}

void clock_arm(unsigned timer, uint64_t due, unsigned ms)
{
	uv_timer_start(&timers[timer], expired, ms, 0);
}

void clock_run(void)
{
	uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
