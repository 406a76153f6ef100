/* SPDX-License-Identifier: MIT */
/*
 * rows/virtual.h - time for libraries that read a clock and wait
 *
 * In a copy of such a library, these functions stand for those of the C
 * library: reading the clock is a division and no system call, and to wait is
 * to let bench_now jump. Nothing but a time-out ever ends it.
 */
#include <sys/epoll.h>
#include <sys/time.h>
#include <time.h>

#include "../ops.h"

#define SECOND 1000000000u
#define MS     1000000u

static uint64_t virtual_tick; /* nanoseconds; a row says so once */
static uint64_t virtual_past; /* nanoseconds into a tick, for the clock */

int virtual_clock_gettime(clockid_t id, struct timespec *now)
{
	uint64_t ns = bench_now * virtual_tick + virtual_past;

	now->tv_sec = (time_t)(ns / SECOND);
	now->tv_nsec = (long)(ns % SECOND);
	return 0;
}

int virtual_gettimeofday(struct timeval *now, void *zone)
{
	struct timespec time;

	virtual_clock_gettime(CLOCK_REALTIME, &time);
	now->tv_sec = time.tv_sec;
	now->tv_usec = time.tv_nsec / 1000;
	return 0;
}

/* Up to the tick in which the time-out ends. */
int virtual_epoll_wait(int epoll, struct epoll_event *events, int most, int ms)
{
	if (ms > 0)
		bench_now += (uint32_t)(((uint64_t)ms * MS + virtual_tick - 1) /
					virtual_tick);
	return 0;
}
