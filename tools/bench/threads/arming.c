/* SPDX-License-Identifier: MIT */
/*
 * tools/bench/threads/arming.c - armings per second, from several threads
 *
 * Each thread moves timers of its own, of which it has many, to random times.
 * "service": all of them on one wheel; "own": on a shard of the thread;
 * "posted": on that of the next thread, which does what was posted between its
 * own posts.
 *
 * usage: arming WAY THREADS OPERATIONS: how many per second
 */
#include <jif/service.h>
#include <jif/shard.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "test/model/random.h"

#define NS     UINT64_C(1000000000)
#define TIMERS 10000
#define POSTS  65536
#define MOST   4

static struct jif_service service;
static struct jif_shard shards[MOST];
static struct jif_post posts[MOST][POSTS];
static struct jif_job jobs[MOST][TIMERS];
static struct jif_timer timers[MOST][TIMERS];
static pthread_barrier_t start;
static unsigned threads, finished;
static unsigned long operations;
static uint64_t base_ns;

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NS + (uint64_t)ts.tv_nsec;
}

static int do_job(struct jif_job *job)
{
	(void)job;
	return 0;
}

static void do_timer(struct jif_timer *timer)
{
	(void)timer;
}

/* None of them expires: from an hour on. */
static uint64_t later(uint64_t *random)
{
	return base_ns + (3600 + random_next(random, 3600)) * NS +
	       random_next(random, 1000000000);
}

static void use_service(unsigned id, uint64_t *random)
{
	for (unsigned long n = 0; n < operations; n++)
		jif_job_mod(&jobs[id][random_next(random, TIMERS)],
			    later(random));
}

static void use_own(unsigned id, uint64_t *random)
{
	for (unsigned long n = 0; n < operations; n++)
		jif_loop_mod(&shards[id].loop,
			     &timers[id][random_next(random, TIMERS)],
			     later(random));
}

static void use_next(unsigned id, uint64_t *random)
{
	struct jif_shard *next = &shards[(id + 1) % threads];
	struct jif_timer *timer;

	for (unsigned long n = 0; n < operations; n++) {
		timer = &timers[id][random_next(random, TIMERS)];
		while (jif_shard_mod(next, timer, later(random))) {
			jif_shard_run(&shards[id]);
			sched_yield();
		}
		if (n % 512 == 0)
			jif_shard_run(&shards[id]);
	}
	__atomic_fetch_add(&finished, 1, __ATOMIC_ACQ_REL);
	while (__atomic_load_n(&finished, __ATOMIC_ACQUIRE) < threads)
		jif_shard_run(&shards[id]);
	jif_shard_run(&shards[id]);
}

static const struct {
	const char *name;
	void (*use)(unsigned id, uint64_t *random);
} ways[] = {
	{ "service", use_service },
	{ "own", use_own },
	{ "posted", use_next },
};
static unsigned way;

static void *run_thread(void *arg)
{
	unsigned id = (unsigned)(uintptr_t)arg;
	uint64_t random = random_begin(id + 1);

	pthread_barrier_wait(&start);
	ways[way].use(id, &random);
	return NULL;
}

static void prepare(void)
{
	jif_service_init(&service);
	jif_service_start(&service);
	for (unsigned i = 0; i < threads; i++) {
		shards[i].posts = posts[i];
		shards[i].capacity = POSTS;
		jif_shard_init(&shards[i]);
		for (unsigned j = 0; j < TIMERS; j++) {
			jif_job_init(&service, &jobs[i][j], do_job);
			jif_timer_init(&timers[i][j], do_timer);
		}
	}
	pthread_barrier_init(&start, NULL, threads + 1);
}

int main(int argc, char *argv[])
{
	pthread_t running[MOST];
	uint64_t begin_ns;

	threads = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
	operations = argc > 3 ? strtoul(argv[3], NULL, 10) : 0;
	while (argc > 1 && way < 3 && strcmp(ways[way].name, argv[1]))
		way++;
	if (!threads || threads > MOST || way == 3)
		return 2;
	base_ns = now();
	prepare();
	for (uintptr_t i = 0; i < threads; i++)
		pthread_create(&running[i], NULL, run_thread, (void *)i);
	begin_ns = now();
	pthread_barrier_wait(&start);
	for (unsigned i = 0; i < threads; i++)
		pthread_join(running[i], NULL);
	printf("%.0f\n", (double)(operations * threads * NS) /
				 (double)(now() - begin_ns));
	jif_service_stop(&service, NULL);
	return 0;
}
