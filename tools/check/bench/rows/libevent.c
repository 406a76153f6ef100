/* SPDX-License-Identifier: MIT */
/*
 * rows/libevent.c - libevent; a tick is a second
 *
 * What postpones its heartbeats has common time-outs: a queue for each of their
 * delays, whose first is in the heap. All else is in the heap.
 */
#include <event2/event.h>
#include <event2/event_struct.h>

#include "virtual.h"

#define COMMON_MIN 30
#define COMMON_MAX 60

static struct event_base *base;
static const struct timeval *common[COMMON_MAX + 1];

static void expired(evutil_socket_t none, short events, void *timer)
{
	bench_expire(timer);
}

static bool row_init(uint32_t now)
{
	virtual_tick = SECOND;
	base = event_base_new();
	return base;
}

static void *row_make(void *memory)
{
	evtimer_assign((struct event *)memory, base, expired, memory);
	return memory;
}

static void row_arm(void *timer, uint32_t expires)
{
	struct timeval delay = { expires - bench_now, 0 };

	event_add(timer, &delay);
}

static void row_postpone(void *timer, uint32_t expires)
{
	struct timeval delay = { expires - bench_now, 0 };

	if (delay.tv_sec < COMMON_MIN || delay.tv_sec > COMMON_MAX) {
		event_add(timer, &delay);
		return;
	}
	if (!common[delay.tv_sec])
		common[delay.tv_sec] =
			event_base_init_common_timeout(base, &delay);
	event_add(timer, common[delay.tv_sec]);
}

static void row_cancel(void *timer)
{
	event_del(timer);
}

static void row_run(uint32_t now)
{
	event_base_loop(base, EVLOOP_NONBLOCK | EVLOOP_ONCE);
}

static void row_jump(void)
{
	event_base_loop(base, EVLOOP_ONCE);
}

BENCH_ROW(.size = sizeof(struct event), .rearm = row_arm,
	  .postpone = row_postpone, .jump = row_jump);
