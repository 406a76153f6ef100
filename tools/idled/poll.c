/* SPDX-License-Identifier: MIT */
/*
 * tools/idled/poll.c - what is waited for: the wheel, its clock, descriptors
 */
#include <errno.h>
#include <sys/epoll.h>
#include <time.h>

#include "idled.h"

struct jif_wheel wheel;
int poll_fd;

int64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

uint32_t clock_ticks(void)
{
	return (uint32_t)(clock_ns() / 1000000);
}

int watch(int fd, bool on)
{
	struct epoll_event event = { .events = on ? EPOLLIN : 0,
				     .data.fd = fd };

	if (!epoll_ctl(poll_fd, EPOLL_CTL_ADD, fd, &event))
		return 0;
	if (errno == EEXIST && !epoll_ctl(poll_fd, EPOLL_CTL_MOD, fd, &event))
		return 0;
	return errno;
}
