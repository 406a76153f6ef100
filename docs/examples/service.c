/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/service.c - time-outs of connections, and tasks on a worker
 *
 * A connection is a key, a task is a job. There is one worker, and one call may
 * wait for it: what comes then is refused, and the program decides what to do.
 */
#include <jif/host/service.h>
#include <semaphore.h>
#include <stdio.h>

#define MS   UINT64_C(1000000)
#define HOUR (3600000 * MS)

struct task {
	struct jif_job job;
	const char *name;
};

static struct task copy = { .name = "copy" }, ping = { .name = "ping" };
static struct task backup = { .name = "backup" };
static struct jif_entry connections[100];
static struct jif_worker workers[1];
static struct jif_call calls[1];
static sem_t copying, go_on, done;

static int run_copy(struct jif_job *job)
{
	(void)job;
	puts("copy");
	sem_post(&copying);
	sem_wait(&go_on);
	return 0;
}

/* There is no answer. */
static int run_ping(struct jif_job *job)
{
	(void)job;
	return -1;
}

static int run_backup(struct jif_job *job)
{
	(void)job;
	puts("backup");
	return 0;
}

static int close_connection(struct jif_service *from, struct jif_key key,
			    void *value)
{
	(void)from;
	printf("close %u: %s\n", (unsigned)key.number, (char *)value);
	sem_post(&done);
	return 0;
}

/* A key has no job. A backup that is refused comes later. */
static void report(struct jif_service *from, const struct jif_call *call,
		   int err, uint64_t ns)
{
	struct task *task;

	(void)from;
	(void)ns;
	if (!call->job)
		return;
	task = jif_container_of(call->job, struct task, job);
	printf("%s: %s\n", task->name,
	       err == -JIF_ENOSPC ? "refused" : "failed");
	if (err == -JIF_ENOSPC && jif_job_add_in(&task->job, HOUR))
		puts("and not armed again");
	sem_post(&done);
}

static void take_off(struct jif_service *from, const struct jif_call *call)
{
	(void)from;
	if (call->job)
		printf("pending: %s\n",
		       jif_container_of(call->job, struct task, job)->name);
	else
		printf("pending: %u\n", (unsigned)call->key.number);
}

static struct jif_service service = {
	.table = { .entries = connections,
		   .capacity = 100,
		   .hash = jif_key_hash },
	.key_fn = close_connection,
	.key_order = true,
	.workers = workers,
	.worker_count = 1,
	.calls = calls,
	.call_count = 1,
	.full = JIF_FULL_REFUSE,
	.report = report,
};

static int set(unsigned connection, uint64_t idle_ns)
{
	uint64_t end = jif_service_now(&service) + idle_ns;

	return jif_service_set(&service, jif_key_number(connection), "idle",
			       jif_times_once(end));
}

int main(void)
{
	sem_init(&copying, 0, 0);
	sem_init(&go_on, 0, 0);
	sem_init(&done, 0, 0);
	if (jif_service_init(&service) || jif_service_start(&service))
		return 1;
	jif_job_init(&service, &copy.job, run_copy);
	jif_job_init(&service, &ping.job, run_ping);
	jif_job_init(&service, &backup.job, run_backup);

	if (jif_job_add_in(&copy.job, 0))
		return 1;
	sem_wait(&copying); /* the worker is busy */
	if (jif_job_add_in(&ping.job, 5 * MS) ||
	    jif_job_add_in(&backup.job, 10 * MS))
		return 1;
	sem_wait(&done); /* ping waits, backup is refused */
	sem_post(&go_on);
	sem_wait(&done); /* ping has failed */

	if (set(7, 20 * MS) < 0 || set(8, HOUR) < 0)
		return 1;
	sem_wait(&done); /* 7 is closed; it may be freed, and so may be ping: */
	jif_job_del_sync(&ping.job);
	return jif_service_stop(&service, take_off) != 2;
}
