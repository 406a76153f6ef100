/* SPDX-License-Identifier: MIT */
/* A timerfd of the kernel for each, and epoll */
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "load.h"

static int poll_fd, fds[TIMERS];

void clock_init(void)
{
	struct rlimit limit = { 2 * TIMERS, 2 * TIMERS };

	setrlimit(RLIMIT_NOFILE, &limit);
	poll_fd = epoll_create1(0);
	for (unsigned i = 0; i < TIMERS; i++) {
		struct epoll_event event = { EPOLLIN, { .u32 = i } };

		fds[i] = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
		epoll_ctl(poll_fd, EPOLL_CTL_ADD, fds[i], &event);
	}
}

void clock_arm(unsigned timer, uint64_t due, unsigned ms)
{
	struct itimerspec when = { .it_interval = { 0, 0 } };

	when.it_value.tv_sec = (time_t)(due / 1000000000);
	when.it_value.tv_nsec = (long)(due % 1000000000);
	timerfd_settime(fds[timer], TFD_TIMER_ABSTIME, &when, NULL);
}

void clock_run(void)
{
	struct epoll_event ready[64];
	uint64_t times;
	bool over = false;

	while (!over) {
		int n = epoll_wait(poll_fd, ready, 64, -1);

		for (int i = 0; i < n && !over; i++) {
			unsigned timer = ready[i].data.u32;

			if (read(fds[timer], &times, sizeof(times)) > 0)
				over = load_expired(timer);
		}
	}
}
