/* SPDX-License-Identifier: MIT */
/* rows/heap.c with ticks of a microsecond, a thread and a condition variable */
#include <pthread.h>
#include <time.h>

#include "../rows/heap.c"
#include "load.h"

void (*bench_expire)(void *timer);
uint32_t bench_now;

static struct timer timers[TIMERS + PAIRED];
static uint64_t begin;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;

void clock_init(void)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&changed, &attr);
	begin = load_now();
}

void clock_arm(unsigned timer, uint64_t due, unsigned ms)
{
	pthread_mutex_lock(&mutex);
	row_arm(&timers[timer], (uint32_t)((due - begin + 999) / 1000));
	if (timers[timer].place == ROOT)
		pthread_cond_signal(&changed);
	pthread_mutex_unlock(&mutex);
}

void clock_cancel(unsigned timer)
{
	pthread_mutex_lock(&mutex);
	row_cancel(&timers[timer]);
	pthread_mutex_unlock(&mutex);
}

void clock_run(void)
{
	bool over = false;

	pthread_mutex_lock(&mutex);
	while (!over) {
		uint32_t us;
		struct timer *timer = first(&us);
		uint64_t due = begin + us * UINT64_C(1000);
		struct timespec until = { (time_t)(due / 1000000000),
					  (long)(due % 1000000000) };

		if (due > load_now()) {
			pthread_cond_timedwait(&changed, &mutex, &until);
			continue;
		}
		row_cancel(timer);
		pthread_mutex_unlock(&mutex);
		over = load_expired((unsigned)(timer - timers));
		pthread_mutex_lock(&mutex);
	}
	pthread_mutex_unlock(&mutex);
}
