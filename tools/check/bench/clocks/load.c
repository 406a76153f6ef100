/* SPDX-License-Identifier: MIT */
/*
 * tools/check/bench/clocks/load.c - how late callbacks are, and what they cost
 *
 * Prints, in microseconds, the median of the lateness and that of which one in
 * a hundred is later, how many were early, the processor time of each, and the
 * latest.
 */
#include "load.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define WARM	20000
#define EXPIRED 100000
#define MS	UINT64_C(1000000)

static uint64_t due[TIMERS];
static int64_t late[EXPIRED];
static unsigned expired;
static uint64_t cpu;

static uint64_t time_of(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000 * MS + (uint64_t)now.tv_nsec;
}

uint64_t load_now(void)
{
	return time_of(CLOCK_MONOTONIC);
}

static void arm(unsigned timer)
{
	static uint32_t random = 1;

	random = random * 1664525 + 1013904223;
	unsigned ms = 1 + (random >> 16) % 100;

	due[timer] = load_now() + ms * MS;
	clock_arm(timer, due[timer], ms);
}

bool load_expired(unsigned timer)
{
	if (expired == EXPIRED)
		return true;
	if (expired == WARM)
		cpu = time_of(CLOCK_PROCESS_CPUTIME_ID);
	late[expired++] = (int64_t)(load_now() - due[timer]);
	if (expired == EXPIRED)
		cpu = time_of(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	arm(timer);
	return expired == EXPIRED;
}

static int compare(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

int main(void)
{
	unsigned n = EXPIRED - WARM, early = 0;

	clock_init();
	for (unsigned i = 0; i < TIMERS; i++)
		arm(i);
	clock_run();
	qsort(late + WARM, n, sizeof(*late), compare);
	while (early < n && late[WARM + early] < 0)
		early++;
	printf("%lld %lld %u %.1f %lld\n", (long long)late[WARM + n / 2] / 1000,
	       (long long)late[WARM + n / 100 * 99] / 1000, early,
	       (double)cpu / n / 1000, (long long)late[EXPIRED - 1] / 1000);
	return 0;
}
