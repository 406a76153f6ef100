/* SPDX-License-Identifier: MIT */
/* A binary heap, a thread and a condition variable */
#include <pthread.h>
#include <time.h>

#include "load.h"

struct due {
	uint64_t ns;
	unsigned timer;
};

static struct due heap[TIMERS + 1];
static unsigned pending;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;

void clock_init(void)
{
	pthread_condattr_t attr;

	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&changed, &attr);
}

void clock_arm(unsigned timer, uint64_t due, unsigned ms)
{
	unsigned i;

	pthread_mutex_lock(&mutex);
	for (i = ++pending; i > 1 && heap[i / 2].ns > due; i /= 2)
		heap[i] = heap[i / 2];
	heap[i] = (struct due){ due, timer };
	if (i == 1)
		pthread_cond_signal(&changed);
	pthread_mutex_unlock(&mutex);
}

static unsigned take(void)
{
	unsigned first = heap[1].timer, i = 1, child;
	struct due last = heap[pending--];

	for (; (child = 2 * i) <= pending; i = child) {
		child += child < pending && heap[child + 1].ns < heap[child].ns;
		if (last.ns <= heap[child].ns)
			break;
		heap[i] = heap[child];
	}
	heap[i] = last;
	return first;
}

void clock_run(void)
{
	bool over = false;

	pthread_mutex_lock(&mutex);
	while (!over) {
		struct timespec until = {
			(time_t)(heap[1].ns / 1000000000),
			(long)(heap[1].ns % 1000000000),
		};
		unsigned timer;

		if (heap[1].ns > load_now()) {
			pthread_cond_timedwait(&changed, &mutex, &until);
			continue;
		}
		timer = take();
		pthread_mutex_unlock(&mutex);
		over = load_expired(timer);
		pthread_mutex_lock(&mutex);
	}
	pthread_mutex_unlock(&mutex);
}
