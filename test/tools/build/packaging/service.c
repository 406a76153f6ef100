/* SPDX-License-Identifier: MIT */
/*
 * test/tools/build/packaging/service.c - what a program on Linux builds with a
 * package: a timer of a service that expires, in a thread
 */
#ifdef TWO_FILES
#include <jif_service.h>
#else
#include <jif/host/service.h>
#endif
#include <semaphore.h>
#include <stdio.h>

static struct jif_service service;
static struct jif_job job;
static uint64_t ran_at;
static sem_t ran;

static int run(struct jif_job *expired)
{
	(void)expired;
	ran_at = jif_service_now(&service);
	return sem_post(&ran);
}

int main(void)
{
	uint64_t expires;

	if (sem_init(&ran, 0, 0) || jif_service_init(&service) ||
	    jif_service_start(&service))
		return 1;
	expires = jif_service_now(&service) + UINT64_C(5000000);
	jif_job_init(&service, &job, run);
	if (jif_job_add(&job, expires) || sem_wait(&ran))
		return 1;
	puts(ran_at >= expires ? "expired" : "expired too early");
	return jif_service_stop(&service, NULL);
}
