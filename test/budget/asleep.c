/* SPDX-License-Identifier: MIT */
/*
 * test/budget/asleep.c - what a service with many idle time-outs costs
 *
 * usage: asleep JOBS
 *
 * So many jobs are due in 300 s, one after the other. Meanwhile the thread of
 * the clock wakes up for a job that is armed each time it sleeps, and another
 * thread locks and unlocks the service: 200 times each.
 */
#define _GNU_SOURCE
#include <jif/host/service.h>
#include <poll.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

#define MS    UINT64_C(1000000)
#define FAR   (300000 * MS)
#define TIMES 200

static struct jif_service service;
static struct jif_job *jobs, beat;
static sem_t done;

static uint64_t now_ns = MS; /* a time of our own, so that all runs are equal */

static uint64_t clock_ns(const struct jif_loop *loop)
{
	return __atomic_load_n(&now_ns, __ATOMIC_SEQ_CST);
}

static void stop(const char *why)
{
	fprintf(stderr, "asleep: error: %s\n", why);
	exit(1);
}

static int nothing(struct jif_job *job)
{
	return 0;
}

static int wake(struct jif_job *job)
{
	return sem_post(&done);
}

/* Not inlined: callgrind finds it by its name. */
__attribute__((noipa)) static void lock_each(void)
{
	for (unsigned i = 0; i < TIMES; i++) {
		jif_service_lock(&service);
		jif_service_unlock(&service);
	}
}

static void arm(size_t number)
{
	jobs = calloc(number, sizeof(*jobs));
	if (!jobs)
		stop("out of memory");
	for (size_t i = 0; i < number; i++) {
		jif_job_init(&service, &jobs[i], nothing);
		if (jif_job_add(&jobs[i], now_ns + FAR + i * MS / 100))
			stop("a job cannot be armed");
	}
}

/* The thread of the clock has said until when it sleeps, nothing wakes it. */
static void let_sleep(void)
{
	bool sleeps;

	do {
		struct pollfd wake = { .fd = service.loop.fd,
				       .events = POLLIN };

		usleep(100);
		pthread_mutex_lock(&service.lock);
		sleeps = service.loop.until_ns && !poll(&wake, 1, 0);
		pthread_mutex_unlock(&service.lock);
	} while (!sleeps);
}

static void wake_each(void)
{
	jif_job_init(&service, &beat, wake);
	for (unsigned i = 0; i < TIMES; i++) {
		jif_service_lock(&service);
		(void)!jif_job_add(&beat, now_ns + MS);
		__atomic_fetch_add(&now_ns, MS, __ATOMIC_SEQ_CST);
		jif_service_unlock(&service);
		jif_service_wake(&service);
		while (sem_wait(&done))
			;
		let_sleep();
	}
}

int main(int argc, char **argv)
{
	size_t number = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;

	if (!number)
		stop("usage: asleep JOBS");
	sem_init(&done, 0, 0);
	service.loop.clock = clock_ns;
	if (jif_service_init(&service) || jif_service_start(&service))
		stop("no service");
	arm(number);
	let_sleep();
	/* Before, how often it wakes up depends on the machine. */
	CALLGRIND_START_INSTRUMENTATION;
	wake_each();
	lock_each();
	jif_service_stop(&service, NULL);
	return 0;
}
