/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/year.c - a year of 100 tasks whose machine sleeps without
 * ticks, at 32,768 Hz, and of JOBS of a service, a million, on a clock of the
 * test's own, in ticks of 100 ms. When each is due follows from its number.
 */
#include <assert.h>
#include <jif/firmware/sched.h>
#include <jif/host/service.h>
#include <jif/jiffies.h>
#include <stdlib.h>
#include <unistd.h>

#define HZ    UINT64_C(32768)
#define SEC   UINT64_C(1000000000)
#define YEAR  UINT64_C(31536000)
#define TASKS 100

static struct jif_task tasks[TASKS];
static struct jif_service service;
static struct jif_job *jobs;
static uint64_t task_due[TASKS], *due = task_due, now, until, woken, step, last,
				 ran, wanted;

/* 10 to 24 days; a minute to 16 hours. */
static uint64_t period_of(uint64_t i)
{
	return jobs ? (864000 + i % 1000000 * 6 / 5) * SEC + i :
		      (60 + 6 * i * i) * HZ + i;
}

static void run_task(struct jif_task *task)
{
	assert(now == due[task - tasks]);
	due[task - tasks] += period_of((uint64_t)(task - tasks));
	ran++;
}

static void sleep_until_due(uint32_t ticks)
{
	uint64_t next = due[0];

	for (unsigned i = 1; i < TASKS; i++)
		next = due[i] < next ? due[i] : next;
	jif_ticks(ticks);
	now += ticks;
	assert(now == next);
}

static void live_tasks(uint64_t end)
{
	static struct jif_wheel wheel;
	static struct jif_sched sched;

	jif_wheel_init(&wheel, jif_now());
	jif_sched_init(&sched, &wheel, sleep_until_due, NULL);
	for (unsigned i = 0; i < TASKS; i++) {
		due[i] = period_of(i) + 1;
		wanted += (end - 1) / period_of(i);
		jif_task_init(&sched, &tasks[i], run_task, i % 4, 0);
		assert(!jif_task_start(&tasks[i], (uint32_t)period_of(i),
				       (uint32_t)period_of(i)));
	}
	while (now < end)
		jif_sched_run(&sched);
}

static uint64_t read_clock(const struct jif_loop *loop)
{
	return __atomic_load_n(&now, __ATOMIC_RELAXED);
}

/* In order; on its tick, or on the first step of the clock from there on. */
static int run_job(struct jif_job *job)
{
	uint64_t *mine = &due[job - jobs], ns = service.loop.tick_ns;
	uint64_t tick = (*mine - 1) / ns + 1;

	assert(*mine <= now && tick >= last && tick * ns > woken);
	assert(step ? last * ns > woken || tick * ns >= until :
		      tick * ns == until);
	last = tick;
	*mine += period_of((uint64_t)(job - jobs));
	ran++;
	return jif_job_add(job, *mine);
}

static void go_on(uint64_t to)
{
	uint64_t ns;

	__atomic_store_n(&now, to, __ATOMIC_RELAXED);
	jif_service_wake(&service);
	do {
		usleep(50);
		pthread_mutex_lock(&service.lock);
		ns = service.loop.ran == to / service.loop.tick_ns ?
			     service.loop.until_ns :
			     0;
		pthread_mutex_unlock(&service.lock);
	} while (!ns);
	until = ns;
	woken = to;
}

static void live_jobs(uint64_t count)
{
	uint64_t next, end = YEAR * SEC;

	jobs = calloc(count, sizeof(*jobs));
	due = calloc(count, sizeof(*due));
	service.loop.clock = read_clock;
	service.loop.tick_ns = SEC / 10;
	now = 0;
	assert(!jif_service_init(&service) && !jif_service_start(&service));
	for (uint64_t i = 0; i < count; i++) {
		due[i] = period_of(i);
		wanted += end / due[i];
		jif_job_init(&service, &jobs[i], run_job);
		assert(!jif_job_add(&jobs[i], due[i]));
	}
	step = count < 1000000 ? 0 : 600 * SEC;
	for (go_on(0); woken < end; go_on(next < end ? next : end))
		next = until > woken + step ? until : woken + step;
	jif_service_stop(&service, NULL);
}

int main(int argc, char **argv)
{
	live_tasks(YEAR * HZ);
	live_jobs(argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000);
	return ran != wanted;
}
