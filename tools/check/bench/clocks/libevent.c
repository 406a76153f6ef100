/* SPDX-License-Identifier: MIT */
/* tools/check/bench/clocks/libevent.c - libevent's loop, with FLAGS */
#include <event2/event.h>

#include "load.h"

static struct event_base *base;
static struct event *events[TIMERS];

static void expired(evutil_socket_t none, short what, void *timer)
{
	if (load_expired((unsigned)(uintptr_t)timer))
		event_base_loopbreak(base);
}

void clock_init(void)
{
	struct event_config *config = event_config_new();

	event_config_set_flag(config, FLAGS);
	base = event_base_new_with_config(config);
	for (unsigned i = 0; i < TIMERS; i++)
		events[i] = evtimer_new(base, expired, (void *)(uintptr_t)i);
}

void clock_arm(unsigned timer, uint64_t due, unsigned ms)
{
	struct timeval in = { 0, (suseconds_t)ms * 1000 };

	evtimer_add(events[timer], &in);
}

void clock_run(void)
{
	event_base_dispatch(base);
}
