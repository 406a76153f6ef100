/* SPDX-License-Identifier: MIT */
/*
 * test/host/logic_call.c - callbacks, those who wait for them, and a full queue
 */
#include "logic.h"

static int misuse_in_callback(struct jif_job *job)
{
	struct item *item = jif_container_of(job, struct item, job);

	item->result = jif_job_del_sync(job) == -JIF_EDEADLK &&
		       jif_service_stop(&service, NULL) == -JIF_EDEADLK &&
		       jif_service_start(&service) == -JIF_EBUSY &&
		       jif_job_del_sync(&b.job) == 1 &&
		       jif_job_del_sync(&d.job) == 0 &&
		       jif_job_mod(&c.job, jif_service_now(&service)) == 1;
	return 0;
}

static void calls_from_callbacks(unsigned n)
{
	uint64_t t = begin(n, JIF_FULL_BLOCK);

	a.job.fn = misuse_in_callback;
	jif_job_add(&a.job, t + 5 * MS);
	jif_job_add(&b.job, t + 5 * MS);
	jif_job_add(&c.job, t + HOUR);
	go_to(t + 5 * MS);
	finish_work();
	is(a.result, 1, "a callback waits for others, but not for itself");
	go_to(t + 6 * MS);
	finish_work();
	ok(noted("c"), "what it deletes does not run, what it moves does");
	end();
}

static void waits_for_a_callback(unsigned n)
{
	uint64_t t = begin(n, JIF_FULL_BLOCK);
	pthread_t thread;

	a.again_ns = t + 9 * MS;
	hold_worker(t);
	pthread_create(&thread, NULL, delete_sync, &a);
	while (jif_job_pending(&a.job))
		wait_a_bit();
	sem_post(&a.gate);
	pthread_join(thread, NULL);
	ok(noted("a-"), n ? "delete waits for a callback, of a worker" :
			    "delete waits for a callback");
	is(a.result, 1, "and deletes what it has armed");
	expect_by(t + 20 * MS, "", "so that nothing is left");
	end();
}

static void *wait_for_a(void *arg)
{
	jif_job_del_sync(&a.job);
	note('-');
	return arg;
}

static void two_wait_for_a_callback(void)
{
	uint64_t t = begin(1, JIF_FULL_BLOCK);
	pthread_t threads[2];

	hold_worker(t);
	for (unsigned i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, wait_for_a, NULL);
	await_field(&service.waiting, 2);
	sem_post(&a.gate);
	for (unsigned i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	ok(noted("a--"), "two wait for a callback, and both see its end");
	end();
}

static void workers_leave_the_clock(void)
{
	uint64_t t = begin(2, JIF_FULL_BLOCK);

	a.held = b.held = true;
	jif_job_add(&a.job, t + 5 * MS);
	jif_job_add(&b.job, t + 6 * MS);
	jif_job_add(&c.job, t + 7 * MS);
	begin_to(t + 5 * MS);
	await(&a.begun);
	go_to(t + 6 * MS);
	await(&b.begun);
	go_to(t + 20 * MS);
	ok(jif_job_pending(&c.job) && noted(""),
	   "with all workers busy, time goes on, and a job is pending");
	is(jif_job_add(&c.job, t + HOUR), -JIF_EBUSY, "so it is armed");
	is(jif_job_del(&c.job), 1, "and can be deleted");
	is(jif_job_add(&c.job, t + 21 * MS), 0, "and armed anew");
	go_to(t + 21 * MS);
	is(jif_job_mod(&c.job, t + 30 * MS), 1, "and moved out of the queue");
	sem_post(&a.gate);
	await_field(&service.idle, 1);
	is(jif_service_counts(&service).ran, 1, "where nobody takes it");

	go_to(t + 30 * MS);
	sem_post(&b.gate);
	finish_work();
	is(jif_service_counts(&service).ran, 3, "each ran once");
	ok(!pthread_equal(a.thread, b.thread), "in two threads");
	end();
}

static void waits_for_itself(void)
{
	uint64_t t = begin(2, JIF_FULL_BLOCK);

	c.again_ns = t + 8 * MS;
	hold(&c, t + 7 * MS);
	go_to(t + 8 * MS);
	await_field(&service.idle, 1);
	ok(jif_job_pending(&c.job), "a job waits for itself");
	c.held = false;
	sem_post(&c.gate);
	finish_work();
	ok(noted("cc"), "and runs then");
	end();
}

static void blocks_when_full(void)
{
	uint64_t t = begin(1, JIF_FULL_BLOCK);

	hold_worker(t);
	queue_the_others(t);
	await_full();
	is(service.ready_count, CALLS, "the queue is full");
	sem_post(&a.gate);
	settle();
	finish_work();
	ok(noted("abcd"), "BLOCK: the clock waits, and nothing is lost");
	is(jif_service_counts(&service).refused, 0, "or refused");
	end();
}

static void stops_when_full(void)
{
	uint64_t t = begin(1, JIF_FULL_BLOCK);
	pthread_t thread;
	int drained, state;

	hold_worker(t);
	queue_the_others(t);
	await_full();
	state = service.state;
	thread = begin_stop(&a, &drained);
	sem_post(&a.gate);
	pthread_join(thread, NULL);
	is(drained, 3, "a service stops while its clock waits");
	ok(noted("abcd") && state != service.state,
	   "what runs ends, and the rest is drained, in order");
}

/* The clock thread has ended, or is about to: nothing is to delay that. */
static void stays_awake_when_it_stops(void)
{
	uint64_t t = begin(1, JIF_FULL_BLOCK);
	pthread_t thread;
	int drained;

	hold_worker(t);
	thread = begin_stop(&b, &drained);
	jif_service_lock(&service);
	jif_loop_wake(&service.loop);
	is(service.loop.until_ns, 0,
	   "a service that stops is not sent to sleep");
	jif_service_unlock(&service);
	sem_post(&a.gate);
	pthread_join(thread, NULL);
	is(drained, 0, "and ends");
	forget();
}

static void frees_what_is_refused(void)
{
	pthread_t thread;

	begin_at(1, JIF_FULL_REFUSE, WRAP);
	service.report = hold_report;
	start_service();
	sem_init(&reporting, 0, 0);
	sem_init(&reported_gate, 0, 0);
	hold_worker(WRAP);
	queue_the_others(WRAP);
	await(&reporting);
	pthread_create(&thread, NULL, delete_sync, &d);
	await_waiting();
	ok(noted(""), "who deletes what is refused waits for the report");
	sem_post(&reported_gate);
	pthread_join(thread, NULL);
	ok(noted("-") && !d.result, "and then may free it");
	finish_a();
	end();
}

static void refuses_when_full(void)
{
	uint64_t t;

	begin_at(1, JIF_FULL_REFUSE, WRAP);
	service.report = keep_report;
	start_service();
	t = WRAP;
	reports = 0;
	reported_ns = 1;
	hold_worker(t);
	jif_job_start(&b.job, each(jif_times_every(t + 6 * MS, MS, 2)));
	jif_job_add(&c.job, t + 6 * MS);
	jif_job_add(&d.job, t + 6 * MS);
	go_to(t + 6 * MS);
	ok(reports == 1 && reported.job == &d.job &&
		   reported_err == -JIF_ENOSPC && !reported_ns,
	   "REFUSE: what does not fit is reported");
	is(jif_service_counts(&service).refused, 1, "and counted");
	ok(!jif_job_pending(&d.job), "and not pending");
	go_to(t + 7 * MS);
	is(reports, 1, "what waits already has its place");
	finish_a();
	ok(noted("abcb"), "the rest runs");
	end();
}

/* What waits for its own end takes no place in the queue. */
static void refuses_none_that_waits(void)
{
	uint64_t t = WRAP;

	begin_at(1, JIF_FULL_REFUSE, t);
	start_to_report();
	a.again_ns = t + 7 * MS;
	hold_worker(t);
	queue_the_others(t);
	go_to(t + 7 * MS);
	is(reports, 1,
	   "REFUSE: what has a turn, but not what waits for itself");
	sem_post(&a.gate);
	finish_a();
	ok(noted_all("abca"), "the others have run");
	end();
}

static void reports_slow_and_failed(unsigned n)
{
	uint64_t t = WRAP;
	struct jif_stats stats;

	begin_at(n, JIF_FULL_BLOCK, t);
	service.report = keep_report;
	service.slow_ns = 5 * MS;
	reports = 0;
	start_service();
	a.takes_ns = 4 * MS;
	b.takes_ns = 7000 * MS;
	c.result = 1 << 16;
	jif_job_add(&a.job, t + 5 * MS);
	begin_to(t + 5 * MS);
	await_runs(1);
	is(reports, 0, "a callback that is quick is not reported");
	jif_job_add(&b.job, t + 10 * MS);
	begin_to(t + 10 * MS);
	await_runs(2);
	ok(reports == 1 && reported.job == &b.job && reported.fn == run_item &&
		   !reported_err && reported_ns == 7000 * MS,
	   "a slow one is: job, function, how long");
	jif_job_add(&c.job, t + 8000 * MS);
	jif_job_add(&d.job, t + 8000 * MS);
	begin_to(t + 8000 * MS);
	await_runs(4);
	ok(reports == 2 && reported.job == &c.job && reported_err == 1 << 16,
	   "one that fails is reported");
	ok(noted("abcd"), "and the others run");
	jif_service_stats(&service, &stats);
	ok(stats.counts.slow == 1 && stats.counts.failed == 1,
	   "both are counted");
	is(stats.longest_ns, 7000 * MS, "the longest is kept");
	end();
}

static void does_not_wait_for_idle_workers(void)
{
	uint64_t t = begin(2, JIF_FULL_REFUSE);

	await_field(&service.idle, 2);
	jif_job_add(&a.job, t + 5 * MS);
	queue_the_others(t - MS);
	settle();
	finish_work();
	ok(noted_all("abcd"), "what two idle workers take fills no queue");
	end();
}

static uint64_t drained_due[2];

static void note_due(struct jif_service *s, const struct jif_call *call)
{
	drained_due[call->job == &c.job] = call->due_ns;
}

static void tells_since_when_it_waited(void)
{
	uint64_t t = begin(1, JIF_FULL_BLOCK);

	hold_worker(t);
	jif_job_start(&b.job, each(jif_times_every(t + 6 * MS, 1 * MS, 2)));
	jif_job_add(&c.job, t + HOUR);
	go_to(t + 6 * MS);
	go_to(t + 7 * MS);
	is(jif_job_left(&b.job), 0, "what waits has no time left");
	is(jif_service_drain(&service, note_due), 3, "a drain hands it out");
	is(drained_due[0], t + 7 * MS, "since when each waited");
	is(drained_due[1], 0, "what is not due has not waited");
	sem_post(&a.gate);
	end_and_forget();
}

/* It expires three times meanwhile. */
static void counts_what_waits(void)
{
	uint64_t t = begin(1, JIF_FULL_BLOCK);
	struct jif_stats stats;

	hold_worker(t);
	jif_job_start(&b.job, each(jif_times_every(t + 6 * MS, 1 * MS, 3)));
	for (unsigned i = 6; i <= 8; i++)
		go_to(t + i * MS);
	is(jif_job_del_sync(&b.job), 3, "deleted, with all that it waits for");
	jif_job_add(&b.job, t + 9 * MS);
	go_to(t + 9 * MS);
	is(jif_job_del_sync(&b.job), 1, "and later only for what came since");
	jif_job_add(&c.job, t + 10 * MS);
	go_to(t + 10 * MS);
	set_clock(t + 14 * MS);
	finish_a();
	jif_service_stats(&service, &stats);
	ok(noted("ac") && stats.late_ns == 4 * MS,
	   "what has waited is late by that");
	end();
}

/* Those that two workers run. */
static void drains_what_waits_for_itself(void)
{
	uint64_t t = begin(2, JIF_FULL_BLOCK);

	a.again_ns = b.again_ns = t + 7 * MS;
	hold(&a, t + 5 * MS);
	hold(&b, t + 6 * MS);
	go_to(t + 7 * MS);
	is(jif_service_drain(&service, note_drained), 2, "both are drained");
	ok(noted_all("ab"), "and wait for themselves no more");
	sem_post(&a.gate);
	sem_post(&b.gate);
	end();
	ok(noted_all("ab"), "each has run once");
}

void make_calls(void)
{
	calls_from_callbacks(0);
	calls_from_callbacks(1);
	waits_for_a_callback(0);
	waits_for_a_callback(1);
	two_wait_for_a_callback();
	workers_leave_the_clock();
	waits_for_itself();
	blocks_when_full();
	stops_when_full();
	stays_awake_when_it_stops();
	refuses_when_full();
	refuses_none_that_waits();
	does_not_wait_for_idle_workers();
	drains_what_waits_for_itself();
	counts_what_waits();
	frees_what_is_refused();
	reports_slow_and_failed(0);
	reports_slow_and_failed(1);
	tells_since_when_it_waited();
}
