/* SPDX-License-Identifier: MIT */
/*
 * rows/libev.c - libev, a loop of its own; a tick is a millisecond
 *
 * The loop turns once a tick. What is due at 5 runs when the clock is past 5,
 * so the clock is read in the middle of each tick.
 */
#include <ev.h>

#include "virtual.h"

static struct ev_loop *loop;

static void expired(struct ev_loop *unused, ev_timer *timer, int events)
{
	bench_expire(timer);
}

static void *row_make(void *memory)
{
	ev_timer *timer = memory;

	ev_timer_init(timer, expired, 0., 0.);
	return timer;
}

static double delay(uint32_t expires)
{
	return ((double)(expires - bench_now) - .5) * 1e-3;
}

static void row_arm(void *memory, uint32_t expires)
{
	ev_timer *timer = memory;

	ev_timer_set(timer, delay(expires), 0.);
	ev_timer_start(loop, timer);
}

static void row_cancel(void *timer)
{
	ev_timer_stop(loop, (ev_timer *)timer);
}

/* This is the cheapest way, and without a period it expires once. */
static void row_rearm(void *memory, uint32_t expires)
{
	ev_timer *timer = memory;

	timer->repeat = delay(expires);
	ev_timer_again(loop, timer);
	timer->repeat = 0.;
}

static void row_run(uint32_t now)
{
	ev_run(loop, EVRUN_NOWAIT);
}

static void row_jump(void)
{
	ev_run(loop, EVRUN_ONCE);
}

static bool row_init(uint32_t now)
{
	virtual_tick = MS;
	virtual_past = MS / 2;
	loop = ev_loop_new(EVBACKEND_EPOLL | EVFLAG_NOENV);
	row_run(now);
	return loop;
}

BENCH_ROW(.size = sizeof(ev_timer), .rearm = row_rearm, .jump = row_jump);
