/* SPDX-License-Identifier: MIT */
/*
 * test/host/wakeups.c - how often the kernel wakes an idle service up
 *
 * Ten jobs, each of which expires sixty times, once a minute for an hour; or in
 * a time that is shorter in proportion. Each expiry has a tick of its own. The
 * kernel counts the switches from a thread that had nothing to do.
 *
 * usage: wakeups SECONDS
 */
#define _GNU_SOURCE
#include <jif/host/service.h>
#include <stdlib.h>
#include <string.h>

#include "tap.h"

#define JOBS  10
#define TIMES 60

static struct jif_service service;
static struct jif_job jobs[JOBS];
static uint64_t step_ns, next_ns;
static unsigned expired;
static long first, last;
static sem_t done;

/* Of the thread that calls. */
static long switches(void)
{
	FILE *file = fopen("/proc/thread-self/status", "r");
	long n = -1;
	char line[128];

	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, "voluntary_ctxt_switches:", 24))
			n = strtol(line + 24, NULL, 10);
	if (file)
		fclose(file);
	return n;
}

static int expire(struct jif_job *job)
{
	if (!expired)
		first = switches();
	if (++expired == JOBS * TIMES) {
		last = switches();
		sem_post(&done);
	} else if (expired <= JOBS * (TIMES - 1)) {
		(void)!jif_job_add(job, next_ns);
		next_ns += step_ns;
	}
	return 0;
}

int main(int argc, char *argv[])
{
	unsigned long seconds = argc > 1 ? strtoul(argv[1], NULL, 10) : 3600;

	sem_init(&done, 0, 0);
	step_ns = seconds * UINT64_C(1000000000) / (JOBS * TIMES);
	service.loop.tick_ns = 100000;
	if (jif_service_init(&service) || jif_service_start(&service))
		return 2;
	jif_service_lock(&service);
	next_ns = jif_service_now(&service) + step_ns;
	for (unsigned i = 0; i < JOBS; i++) {
		jif_job_init(&service, &jobs[i], expire);
		(void)!jif_job_add(&jobs[i], next_ns);
		next_ns += step_ns;
	}
	jif_service_unlock(&service);
	await(&done);
	jif_service_stop(&service, NULL);
	printf("# %ld wake-ups for %u expiries\n", last - first, expired - 1);
	ok(first >= 0 && last > first, "the kernel counts wake-ups");
	ok(last - first <= JOBS * TIMES - 1, "one for each expiry, at most");
	return tap_end();
}
