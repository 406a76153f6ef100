/* SPDX-License-Identifier: MIT */
/*
 * test/host/logic_stats.c - what is reported, counted and measured
 */
#include "logic.h"

static void *open_gate(void *arg)
{
	for (unsigned i = 0; i < 20; i++)
		wait_a_bit();
	sem_post(arg);
	return NULL;
}

static void says_whether_it_runs(unsigned n)
{
	uint64_t t = WRAP;
	struct jif_call call = { .job = NULL };
	pthread_t opener, stopper;
	int left;

	begin_at(n, JIF_FULL_BLOCK, t);
	jif_service_init(&service);
	ok(!jif_service_running(&service) && jif_service_stopped(&service),
	   "a service that is stopped");
	jif_service_start(&service);
	ok(jif_service_running(&service) && !jif_service_stopped(&service),
	   "one that runs");
	hold_worker(t);
	jif_job_add(&b.job, t + HOUR);
	pthread_create(&stopper, NULL, stop, &left);
	while (jif_service_running(&service))
		wait_a_bit();
	ok(!jif_service_stopped(&service) &&
		   jif_job_add(&c.job, t) == -JIF_ECANCELED &&
		   jif_service_start(&service) == -JIF_EBUSY,
	   "while it stops, it neither runs nor is stopped");
	ok(!jif_service_current(&service, &call) && jif_job_pending(&b.job),
	   "the rest is pending");
	pthread_create(&opener, NULL, open_gate, &a.gate);
	pthread_join(stopper, NULL);
	is(left, 1, "until it is stopped");
	ok(jif_service_stopped(&service) && noted("ab"), "when all has ended");
	pthread_join(opener, NULL);
}

static void is_seen(unsigned n)
{
	uint64_t t = WRAP;
	struct jif_stats stats;

	begin_at(n, JIF_FULL_BLOCK, t);
	service.slow_ns = 5 * MS;
	start_service();
	b.takes_ns = 7 * MS;
	jif_job_add(&b.job, t + 1 * MS);
	begin_to(t + 5 * MS);
	await_runs(1);
	t = fake_clock(NULL);
	a.held = true;
	jif_job_add(&a.job, t + 1 * MS);
	jif_job_add(&c.job, t + HOUR);
	begin_to(t + 1 * MS);
	await(&a.begun);
	jif_service_stats(&service, &stats);
	is(stats.late[12], 1, "who begins 4 ms late is seen");
	ok(stats.pending == 1 && stats.running == 1 && !stats.queued &&
		   stats.late[0] == 1,
	   "and what is armed, and runs");
	ok(stats.counts.ran == 1 && stats.counts.slow == 1 &&
		   stats.longest_ns == 7 * MS && stats.late_ns == 4 * MS,
	   "what has run, and for how long");
	sem_post(&a.gate);
	end_and_forget();
}

/* A class ends below 1,024 ns times a power of two; the last one has no end. */
static void lateness_has_classes(void)
{
	uint64_t t = begin(0, 0), late, sum = 0;
	struct jif_stats stats;
	unsigned right = 0;

	for (unsigned i = 0; i < 2 * JIF_LATE_CLASSES; i++) {
		late = (UINT64_C(1024) << i / 2) - (i % 2 ? 0 : 1);
		sum += late;
		jif_job_add(&a.job, t + MS);
		settle();
		t += MS;
		go_to(t + late);
		t = (t + late) / MS * MS;
	}
	jif_service_stats(&service, &stats);
	for (unsigned i = 0; i < JIF_LATE_CLASSES; i++)
		right += stats.late[i] == 2u - !i + (i == JIF_LATE_CLASSES - 1);
	ok(right == JIF_LATE_CLASSES && stats.late_ns == sum,
	   "how late is counted by powers of two, and in all");
	end_and_forget();
}

void tell_what_is_slow(void)
{
	says_whether_it_runs(0);
	says_whether_it_runs(1);
	is_seen(0);
	is_seen(1);
	lateness_has_classes();
}
