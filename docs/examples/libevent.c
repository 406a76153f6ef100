/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/libevent.c - timers in a loop of libevent
 */
#include <event2/event.h>
#include <jif/host/loop.h>
#include <stdio.h>

#define MS UINT64_C(1000000)

static struct jif_loop timers;
static struct event_base *base;

static void run_timers(evutil_socket_t fd, short events, void *arg)
{
	(void)fd;
	(void)events;
	(void)arg;
	jif_loop_run(&timers);
}

static void blink(struct jif_timer *timer)
{
	(void)timer;
	puts("blink");
}

static void finish(struct jif_timer *timer)
{
	(void)timer;
	puts("finish");
	event_base_loopbreak(base);
}

int main(void)
{
	struct jif_timer first = JIF_TIMER_INIT(blink);
	struct jif_timer last = JIF_TIMER_INIT(finish);
	uint64_t now;
	struct event *due;

	base = event_base_new();
	if (!base || jif_loop_init(&timers))
		return 1;
	due = event_new(base, timers.fd, EV_READ | EV_PERSIST, run_timers,
			NULL);
	event_add(due, NULL);

	now = jif_loop_now(&timers);
	jif_loop_add(&timers, &last, now + 60 * MS);
	jif_loop_add(&timers, &first, now + 20 * MS);
	event_base_dispatch(base);
	event_free(due);
	event_base_free(base);
	jif_loop_shutdown(&timers);
	return 0;
}
