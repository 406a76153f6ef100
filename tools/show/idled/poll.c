/* SPDX-License-Identifier: MIT */
/* What is waited for: the wheel, its clock, descriptors */
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

static int control(int op, int fd, bool on)
{
	struct epoll_event event = { .events = on ? EPOLLIN : 0,
				     .data.fd = fd };

	return epoll_ctl(poll_fd, op, fd, &event) ? errno : 0;
}

int watch(int fd)
{
	return control(EPOLL_CTL_ADD, fd, true);
}

int watch_again(int fd, bool on)
{
	return control(EPOLL_CTL_MOD, fd, on);
}
