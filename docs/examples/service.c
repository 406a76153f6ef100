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

#define MS     UINT64_C(1000000)
#define MINUTE (60000 * MS)
#define HOUR   (60 * MINUTE)

struct task {
	struct jif_job job;
	const char *name;
};

static struct task copy = { .name = "copy" }, ping = { .name = "ping" };
static struct task backup = { .name = "backup" }, beat = { .name = "beat" };
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

/* A key has no job. What is refused or has failed comes later. */
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
	if (jif_job_mod_in(&task->job, HOUR) < 0)
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

/* Those that have passed: what a stall has covered is missed, not run. */
static uint32_t periods;

/* Until the last time, it is pending again. */
static int run_beat(struct jif_job *job)
{
	struct jif_call call;

	if (!jif_service_current(&service, &call))
		return -1;
	periods += 1 + call.missed;
	puts("beat");
	if (!jif_job_pending(job))
		sem_post(&done);
	return 0;
}

static int run_beats(void)
{
	uint64_t first = jif_service_now(&service) + 5 * MS;

	if (jif_job_start(&beat.job, jif_times_every(first, 5 * MS, 3)) < 0)
		return -1;
	sem_wait(&done);
	return periods < 3 ? -1 : 0;
}

static void show_left(const char *name, uint64_t ns)
{
	printf("%s: %u min left\n", name,
	       (unsigned)((ns + MINUTE / 2) / MINUTE));
}

/* There is no backup meanwhile; it keeps the time that it has left. */
static int run_on_battery(void)
{
	if (!jif_job_pause(&backup.job))
		return -1;
	show_left(backup.name, jif_job_left(&backup.job));
	return jif_job_resume(&backup.job);
}

static int open_connection(unsigned connection)
{
	uint64_t end = jif_service_now(&service) + HOUR;

	return jif_service_add(&service, jif_key_number(connection), "idle",
			       jif_times_once(end));
}

/* 7 is lost, 8 uploads for a while, 9 says something and then good-bye. */
static int use_connections(void)
{
	struct jif_key lost = jif_key_number(7), upload = jif_key_number(8);
	struct jif_key polite = jif_key_number(9);
	uint64_t soon = jif_service_now(&service) + 20 * MS;

	if (open_connection(7) || open_connection(8) || open_connection(9) ||
	    jif_service_pause(&service, upload) ||
	    jif_service_move(&service, polite,
			     jif_service_now(&service) + HOUR) < 0 ||
	    jif_service_remove(&service, polite))
		return -1;
	show_left("8", jif_service_left(&service, upload));
	if (jif_service_resume(&service, upload) ||
	    jif_service_set(&service, lost, "lost", jif_times_once(soon)) < 0)
		return -1;
	sem_wait(&done);
	return 0;
}

/* While it is locked, its table is for calls of jif/firmware/table.h. */
static void list_connections(void)
{
	struct jif_key key;
	jif_handle_t at = 0;

	jif_service_lock(&service);
	printf("%u open:", jif_service_count(&service));
	while ((at = jif_table_next(&service.table, at)))
		if (jif_entry_get(&service.table, at, &key, NULL))
			printf(" %u", (unsigned)key.number);
	puts("");
	jif_service_unlock(&service);
}

int main(void)
{
	struct jif_counts counts;

	sem_init(&copying, 0, 0);
	sem_init(&go_on, 0, 0);
	sem_init(&done, 0, 0);
	if (jif_service_init(&service) || jif_service_start(&service))
		return 1;
	jif_job_init(&service, &copy.job, run_copy);
	jif_job_init(&service, &ping.job, run_ping);
	jif_job_init(&service, &backup.job, run_backup);
	jif_job_init(&service, &beat.job, run_beat);

	if (jif_job_add_in(&copy.job, 0))
		return 1;
	sem_wait(&copying); /* the worker is busy */
	if (jif_job_add_in(&ping.job, 5 * MS) ||
	    jif_job_add_in(&backup.job, 10 * MS))
		return 1;
	sem_wait(&done); /* ping waits, backup is refused */
	sem_post(&go_on);
	sem_wait(&done); /* ping has failed */

	if (run_beats() || run_on_battery() || use_connections())
		return 1;
	list_connections(); /* 7 is closed, and may be freed; so may be ping: */
	jif_job_del_sync(&ping.job);
	if (jif_service_stop(&service, take_off) != 2)
		return 1;
	counts = jif_service_counts(&service);
	printf("%u ran, %u failed, %u refused\n", (unsigned)counts.ran,
	       (unsigned)counts.failed, (unsigned)counts.refused);
	return 0;
}
