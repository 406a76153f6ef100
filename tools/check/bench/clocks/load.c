/* SPDX-License-Identifier: MIT */
/*
 * tools/check/bench/clocks/load.c - how late callbacks are, and what they cost
 *
 * Prints, in microseconds, the median of the lateness and that of which one in
 * a hundred is later, how many were early, and the processor time of each; then
 * how many millions of armings, each cancelled at once, 1, 2 and 4 threads make
 * in a second, with timers of their own: medians.
 */
#include "load.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define WARM	20000
#define EXPIRED 100000
#define THREADS 4
#define OWN	(PAIRED / THREADS)
#define ROUNDS	5
#define PAIRS	UINT64_C(1000000)
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

static void *arm_and_cancel(void *own)
{
	unsigned first = (unsigned)(uintptr_t)own;
	uint64_t far = load_now() + 1000000 * MS;

	for (unsigned i = 0; i < PAIRS; i++) {
		clock_arm(first + i % OWN, far + i % 4096 * MS, 0);
		clock_cancel(first + i % OWN);
	}
	return NULL;
}

/* In thousands a second. */
static int64_t rate_of(unsigned n)
{
	pthread_t thread[THREADS];
	uint64_t begin = load_now();

	for (unsigned i = 0; i < n; i++)
		pthread_create(&thread[i], NULL, arm_and_cancel,
			       (void *)(uintptr_t)(TIMERS + i * OWN));
	for (unsigned i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
	return (int64_t)(n * PAIRS * MS / (load_now() - begin));
}

static void print_rates(void)
{
	int64_t rates[ROUNDS];

	for (unsigned n = 1; n <= THREADS; n *= 2) {
		for (unsigned i = 0; i < ROUNDS; i++)
			rates[i] = rate_of(n);
		qsort(rates, ROUNDS, sizeof(*rates), compare);
		printf(" %.1f", (double)rates[ROUNDS / 2] / 1e3);
	}
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
	printf("%lld %lld %u %.1f", (long long)late[WARM + n / 2] / 1000,
	       (long long)late[WARM + n / 100 * 99] / 1000, early,
	       (double)cpu / n / 1000);
	/* When the last timers have expired. */
	nanosleep(&(struct timespec){ .tv_nsec = 200 * (long)MS }, NULL);
	if (clock_cancel)
		print_rates();
	putchar('\n');
	return 0;
}
