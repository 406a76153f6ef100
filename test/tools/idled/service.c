/* SPDX-License-Identifier: MIT */
/*
 * test/tools/idled/service.c - a program that tells what its service does
 *
 * Three jobs run, of which one fails, and one is armed. With an argument, as
 * text.
 */
#include <jif/host/service.h>
#include <semaphore.h>

#include "../../../tools/show/idled/metrics.h"

#define HOUR_NS UINT64_C(3600000000000)

static sem_t ran;
static struct jif_service service = { .slow_ns = HOUR_NS };
static struct jif_job jobs[4];

static int run(struct jif_job *job)
{
	sem_post(&ran);
	return job == &jobs[1];
}

int main(int argc, char **argv)
{
	const struct metrics to = { stdout, argc > 1 ? NULL : "mine_" };
	struct jif_stats stats;

	(void)argv;
	sem_init(&ran, 0, 0);
	if (jif_service_init(&service) || jif_service_start(&service))
		return 1;
	for (int i = 0; i < 4; i++) {
		jif_job_init(&service, &jobs[i], run);
		(void)!jif_job_add(&jobs[i],
				   jif_service_now(&service) +
					   (i == 3 ? HOUR_NS : 1000000));
	}
	for (int i = 0; i < 3; i++)
		sem_wait(&ran);
	do {
		jif_service_stats(&service, &stats);
	} while (stats.counts.ran < 3);
	metrics_service(&to, &stats);
	return jif_service_stop(&service, NULL) < 0;
}
