/* SPDX-License-Identifier: MIT */
/*
 * rows/libevent.c - libevent; a tick is a second
 *
 * With COMMON, the delays of heartbeats are common time-outs: a queue for each
 * of them, whose first is in the heap. The others are in the heap.
 */
#include <event2/event.h>
#include <event2/event_struct.h>

#include "../ops.h"
#include "virtual.h"

#define SECOND	   1000000000u
#define COMMON_MIN 30
#define COMMON_MAX 60

static struct event_base *base;
static const struct timeval *common[COMMON_MAX + 1];

static void expired(evutil_socket_t none, short events, void *timer)
{
	(void)none;
	(void)events;
	bench_expire(timer);
}

static bool init(uint32_t now)
{
	struct timeval delay = { 0, 0 };

	(void)now;
	virtual_tick = SECOND;
	base = event_base_new();
	if (!base)
		return false;
	for (int i = COMMON_MIN; COMMON && i <= COMMON_MAX; i++) {
		delay.tv_sec = i;
		common[i] = event_base_init_common_timeout(base, &delay);
	}
	return true;
}

static void *make(void *memory)
{
	evtimer_assign((struct event *)memory, base, expired, memory);
	return memory;
}

static void arm(void *timer, uint32_t expires)
{
	struct timeval delay = { expires - bench_now, 0 };

	if (delay.tv_sec <= COMMON_MAX && common[delay.tv_sec])
		event_add(timer, common[delay.tv_sec]);
	else
		event_add(timer, &delay);
}

static void cancel(void *timer)
{
	event_del(timer);
}

static void run(uint32_t now)
{
	(void)now;
	event_base_loop(base, EVLOOP_NONBLOCK | EVLOOP_ONCE);
}

static void jump(void)
{
	event_base_loop(base, EVLOOP_ONCE);
}

BENCH_TICKS(run)

const struct bench_ops bench_ops = {
	.size = sizeof(struct event),
	.init = init,
	.make = make,
	.arm = arm,
	.cancel = cancel,
	.rearm = arm,
	.run = run,
	.ticks = ticks,
	.jump = jump,
};
