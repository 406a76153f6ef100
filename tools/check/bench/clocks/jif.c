/* SPDX-License-Identifier: MIT */
/* tools/check/bench/clocks/jif.c - a service of jif, with TICK_NS */
#include <jif/host/service.h>
#include <stdlib.h>

#include "load.h"

static struct jif_service service;
static struct jif_job jobs[TIMERS + PAIRED];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t over = PTHREAD_COND_INITIALIZER;
static bool is_over;

static int expired(struct jif_job *job)
{
	pthread_mutex_lock(&mutex);
	is_over = load_expired((unsigned)(job - jobs));
	if (is_over)
		pthread_cond_signal(&over);
	pthread_mutex_unlock(&mutex);
	return 0;
}

/* The mutex keeps callbacks back until all timers are armed. */
void clock_init(void)
{
	pthread_mutex_lock(&mutex);
	service.loop.tick_ns = TICK_NS;
	if (jif_service_init(&service) || jif_service_start(&service))
		abort();
	for (unsigned i = 0; i < TIMERS + PAIRED; i++)
		jif_job_init(&service, &jobs[i], expired);
}

void clock_arm(unsigned timer, uint64_t due, unsigned ms)
{
	if (jif_job_add(&jobs[timer], due))
		abort();
}

void clock_cancel(unsigned timer)
{
	jif_job_del(&jobs[timer]);
}

void clock_run(void)
{
	while (!is_over)
		pthread_cond_wait(&over, &mutex);
	pthread_mutex_unlock(&mutex);
}
