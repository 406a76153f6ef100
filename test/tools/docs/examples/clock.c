/* SPDX-License-Identifier: MIT */
/*
 * test/tools/docs/examples/clock.c - a clock for docs/examples/clock.c, which
 * moves only while the program sleeps, and a little each time it is read
 */
#define _POSIX_C_SOURCE 200809L
#include <time.h>

/* In nanoseconds. In milliseconds, 32 bits of it wrap within the second. */
#define READING 1000
static long long now = 4294966896400000;

int __wrap_clock_gettime(clockid_t clock, struct timespec *t);
int __wrap_nanosleep(const struct timespec *t, struct timespec *rest);

int __wrap_clock_gettime(clockid_t clock, struct timespec *t)
{
	(void)clock;
	now += READING;
	t->tv_sec = now / 1000000000;
	t->tv_nsec = now % 1000000000;
	return 0;
}

int __wrap_nanosleep(const struct timespec *t, struct timespec *rest)
{
	(void)rest;
	now += t->tv_sec * 1000000000LL + t->tv_nsec;
	return 0;
}
