/* SPDX-License-Identifier: MIT */
/*
 * rows/libuv.c - libuv; a tick is a millisecond
 *
 * The loop's clock is set, and what a turn of the loop does for timers is
 * called: the rest of a turn is not counted.
 */
#include <uv.h>

#include "../ops.h"

/* Of the library, and not for its users. */
void uv__run_timers(uv_loop_t *loop);
int uv__next_timeout(const uv_loop_t *loop);

static uv_loop_t loop;

static void expired(uv_timer_t *timer)
{
	bench_expire(timer);
}

static bool row_init(uint32_t now)
{
	if (uv_loop_init(&loop))
		return false;
	loop.time = now;
	return true;
}

static void *row_make(void *memory)
{
	uv_timer_init(&loop, memory);
	return memory;
}

static void row_arm(void *timer, uint32_t expires)
{
	uv_timer_start(timer, expired, expires - loop.time, 0);
}

static void row_cancel(void *timer)
{
	uv_timer_stop(timer);
}

static void row_run(uint32_t now)
{
	loop.time = now;
	uv__run_timers(&loop);
}

static void row_jump(void)
{
	int ms = uv__next_timeout(&loop);

	if (ms >= 0)
		row_run(bench_now += (uint32_t)ms);
}

BENCH_ROW(.size = sizeof(uv_timer_t), .wheel_size = sizeof(loop),
	  .rearm = row_arm, .jump = row_jump);
