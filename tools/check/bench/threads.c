/* SPDX-License-Identifier: MIT */
/*
 * tools/check/bench/threads.c - threads that arm and disarm
 *
 * usage: threads [PAIRS [BESIDE]]
 *
 * So many armings, each disarmed at once, by each of 1, 2 and 4 threads with
 * 64 timers of their own: jobs of a service, and the row that this is linked
 * with, under a mutex; beside BESIDE that are pending. Prints, for each number
 * of threads, the median of five rounds, in millions of pairs a second, and
 * what that is to one thread.
 */
#include <jif/service.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "ops.h"

#define THREADS 4
#define OWN	64
#define ROUNDS	5
#define FAR_NS	UINT64_C(1000000000000)

void (*bench_expire)(void *timer);
uint32_t bench_now = 1000;

static struct jif_service service;
static struct jif_job jobs[THREADS][OWN];
static void *timers[THREADS][OWN];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t far_ns;
static unsigned long pairs = 1000000, beside;

static int never(struct jif_job *job)
{
	abort();
}

static void *use_service(void *own)
{
	struct jif_job *job = own;

	for (unsigned long i = 0; i < pairs; i++) {
		(void)!jif_job_add(&job[i % OWN], far_ns + i % 4096 * 1000000);
		jif_job_del(&job[i % OWN]);
	}
	return NULL;
}

static void *use_row(void *own)
{
	void **timer = own;

	for (unsigned long i = 0; i < pairs; i++) {
		pthread_mutex_lock(&lock);
		bench_ops.arm(timer[i % OWN], 1000000 + i % 4096);
		pthread_mutex_unlock(&lock);
		pthread_mutex_lock(&lock);
		bench_ops.cancel(timer[i % OWN]);
		pthread_mutex_unlock(&lock);
	}
	return NULL;
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double rate(void *(*use)(void *own), unsigned n)
{
	pthread_t thread[THREADS];
	double begin = seconds();

	for (unsigned i = 0; i < n; i++)
		pthread_create(&thread[i], NULL, use,
			       use == use_row ? (void *)timers[i] : jobs[i]);
	for (unsigned i = 0; i < n; i++)
		pthread_join(thread[i], NULL);
	return (double)n * (double)pairs / (seconds() - begin) / 1e6;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void measure(const char *name, void *(*use)(void *own))
{
	double rates[ROUNDS], one = 0;

	for (unsigned n = 1; n <= THREADS; n *= 2) {
		for (unsigned i = 0; i < ROUNDS; i++)
			rates[i] = rate(use, n);
		qsort(rates, ROUNDS, sizeof(*rates), compare);
		if (n == 1)
			one = rates[ROUNDS / 2];
		printf("%s %u %.1f %.2f\n", name, n, rates[ROUNDS / 2],
		       rates[ROUNDS / 2] / one);
	}
}

static bool arm_beside(void)
{
	struct jif_job *others = calloc(beside, sizeof(*others));
	void *timer;

	for (unsigned long i = 0; i < beside; i++) {
		jif_job_init(&service, &others[i], never);
		timer = bench_ops.make(calloc(1, bench_ops.size));
		bench_ops.arm(timer, (uint32_t)(1000000 + i));
		if (jif_job_add(&others[i], far_ns + i * 1000000))
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	if (argc > 1)
		pairs = strtoul(argv[1], NULL, 10);
	if (argc > 2)
		beside = strtoul(argv[2], NULL, 10);
	if (!bench_ops.init(bench_now) || jif_service_init(&service) ||
	    jif_service_start(&service))
		return 1;
	far_ns = jif_service_now(&service) + FAR_NS;
	for (unsigned i = 0; i < THREADS * OWN; i++) {
		jif_job_init(&service, &jobs[i / OWN][i % OWN], never);
		timers[i / OWN][i % OWN] =
			bench_ops.make(calloc(1, bench_ops.size));
	}
	if (!arm_beside())
		return 1;
	measure("service", use_service);
	measure("heap", use_row);
	return jif_service_stop(&service, NULL);
}
