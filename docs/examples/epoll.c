/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/epoll.c - timers in a loop around epoll
 *
 * Other descriptors join the set as this one does.
 */
#include <jif/host/loop.h>
#include <stdio.h>
#include <sys/epoll.h>

#define MS UINT64_C(1000000)

static struct jif_loop timers;
static bool done;

static void blink(struct jif_timer *timer)
{
	(void)timer;
	puts("blink");
}

static void finish(struct jif_timer *timer)
{
	(void)timer;
	puts("finish");
	done = true;
}

int main(void)
{
	struct jif_timer first = JIF_TIMER_INIT(blink);
	struct jif_timer last = JIF_TIMER_INIT(finish);
	struct epoll_event event = { .events = EPOLLIN };
	int set = epoll_create1(EPOLL_CLOEXEC);

	if (set < 0 || jif_loop_init(&timers))
		return 1;
	event.data.fd = timers.fd;
	epoll_ctl(set, EPOLL_CTL_ADD, timers.fd, &event);

	if (jif_loop_mod_in(&timers, &last, 60 * MS) < 0 ||
	    jif_loop_mod_in(&timers, &first, 20 * MS) < 0)
		return 1;
	while (!done && epoll_wait(set, &event, 1, -1) >= 0)
		if (event.data.fd == timers.fd)
			jif_loop_run(&timers);
	jif_loop_shutdown(&timers);
	return 0;
}
