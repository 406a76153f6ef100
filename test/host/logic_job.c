/* SPDX-License-Identifier: MIT */
/*
 * test/host/logic_job.c - when jobs run, and how a service starts and stops
 */
#include "logic.h"

static void runs_on_time(void)
{
	uint64_t t = begin(0, 0);

	jif_job_add(&b.job, t + 20 * MS);
	jif_job_add(&a.job, t + 5 * MS + 1);
	jif_job_add(&c.job, t + 20 * MS);
	jif_job_add(&d.job, t - HOUR);
	expect_by(t + 1 * MS, "d", "what is past runs on the next tick");
	expect_by(t + 6 * MS - 1, "", "a job does not run early");
	expect_by(t + 6 * MS, "a", "but on the first tick that is not sooner");
	expect_by(t + 30 * MS, "bc",
		  "jobs of one tick run in arming order, after the wrap");
	end();
}

static void sleeps_exactly(void)
{
	uint64_t t = begin(0, 0);

	ok(stop_ns() == t + (uint64_t)JIF_SLEEP_MAX * MS,
	   "with nothing to do, it sleeps for JIF_SLEEP_MAX ticks");
	jif_job_add(&a.job, t + HOUR);
	ok(stop_ns() == t + HOUR, "it sleeps until the expiry, not a cascade");
	jif_job_add(&b.job, t + 7 * MS);
	ok(stop_ns() == t + 7 * MS, "what comes sooner ends the sleep");
	jif_job_add(&c.job, t + 9 * MS);
	ok(stop_ns() == t + 7 * MS, "what comes later does not");
	go_to(t + 7 * MS);
	ok(stop_ns() == t + 9 * MS, "then until the next one");
	jif_job_del(&c.job);
	go_to(t + 9 * MS);
	ok(stop_ns() == t + HOUR && noted("b"),
	   "a sleep to what was deleted is the last one");
	end();
}

/* Those that are on the wheel, and those that the clock has not seen. */
static void keeps_the_order_of_a_thread(void)
{
	uint64_t t = begin(0, 0);

	jif_job_add(&b.job, t + 30 * MS);
	go_to(t + 1 * MS);
	jif_job_add(&a.job, t + 40 * MS);
	is(jif_job_mod(&b.job, t + 40 * MS), 1, "moved behind what is new");
	jif_job_add(&c.job, t + 40 * MS);
	jif_job_add(&d.job, t + 40 * MS);
	is(jif_job_mod(&c.job, t + 40 * MS), 1, "new, and moved");
	expect_by(t + 40 * MS, "abdc",
		  "a thread's jobs run in the order of arming");
	jif_job_add(&b.job, t + 50 * MS);
	jif_job_add(&a.job, t + 60 * MS);
	is(jif_job_add(&a.job, t + 90 * MS), -JIF_EBUSY, "it is pending");
	is(jif_job_left(&a.job), 20 * MS, "for the same time");
	ok(jif_job_del(&a.job) && !jif_job_del(&a.job), "deleted, once");
	jif_job_add(&c.job, t + 60 * MS);
	is(jif_service_stop(&service, NULL), 2, "a stop finds both");
	ok(!jif_job_pending(&b.job) && !jif_job_pending(&c.job), "for good");
}

/* So many that one inbox is that of several. */
static void deletes_from_all_inboxes(uint64_t hour)
{
	unsigned threads = JIF_SERVICE_INBOXES * (JIF_SERVICE_INBOXES + 1);
	struct jif_stats stats;
	unsigned deleted = 0;

	jif_job_add(&d.job, hour);
	jif_job_del(&d.job);
	for (unsigned i = 0; i < threads; i++) {
		arm_c_elsewhere(hour);
		jif_service_stats(&service, &stats);
		deleted += stats.pending == 1 && !service.stats.pending &&
			   jif_job_del(&c.job);
	}
	is(deleted, threads, "whichever it is");
}

static void takes_from_other_threads(void)
{
	uint64_t t = begin(0, 0), hour = t + HOUR;
	int deleted = 2 * JIF_SERVICE_INBOXES;

	jif_job_add(&b.job, t + 6 * MS);
	settle();
	arm_c_elsewhere(hour);
	is(jif_job_mod(&c.job, t + 20 * MS), 1,
	   "what another thread has armed is moved");
	hold_worker(t);
	set_clock(t + 7 * MS);
	is(jif_job_left(&b.job), 0, "what is overdue has no time left");
	sem_post(&a.gate);
	expect_by(t + 20 * MS, "abc", "and runs");
	deletes_from_all_inboxes(hour);
	is(jif_service_drain(&service, NULL), 0, "they are deleted");
	for (unsigned i = 0; i < JIF_SERVICE_INBOXES; i++) {
		jif_service_start(&service);
		jif_job_add(&a.job, t + 30 * MS);
		settle();
		arm_c_elsewhere(hour);
		deleted -= jif_service_stop(&service, NULL);
	}
	is(deleted, 0, "or drained by a stop, with what the clock has seen");
}

static bool overtaken;

/* Right before its thread sees the time, another one arms c for that. */
static uint64_t overtaken_clock(const struct jif_loop *loop)
{
	uint64_t ns = fake_clock(loop);

	if (overtaken && pthread_equal(pthread_self(), service.clock.thread)) {
		overtaken = false;
		arm_c_elsewhere(ns);
	}
	return ns;
}

static void runs_what_is_armed_by_then(void)
{
	begin_at(0, 0, START);
	service.loop.clock = overtaken_clock;
	start_service();
	settle();
	overtaken = true;
	expect_by(START + 1 * MS, "c",
		  "what is armed before the time is read runs in time");
	end();
}

static void locks_others_out(void)
{
	uint64_t t = begin(0, 0) + 20 * MS;
	pthread_t other;

	jif_job_add(&a.job, t);
	jif_service_lock(&service);
	pthread_create(&other, NULL, arm_c, &t);
	for (unsigned i = 0; i < 100; i++)
		wait_a_bit();
	ok(!jif_job_pending(&c.job), "no other thread arms meanwhile");
	is(jif_job_add(&b.job, t), 0, "this one does");
	jif_service_unlock(&service);
	pthread_join(other, NULL);
	expect_by(t, "abc", "then it may");
	end();
}

static void tells_misuse(void)
{
	uint64_t t = begin(0, 0);
	struct jif_job zero = { .service = NULL }, lost = { .fn = run_item };
	struct jif_job none;

	jif_job_init(&service, &none, NULL);
	is(jif_job_add(&zero, t), -JIF_EINVAL, "a job never initialised");
	ok(!jif_job_del(&zero) && !jif_job_pending(&zero) &&
		   !jif_job_del_sync(&zero),
	   "which is not pending");
	ok(jif_job_start(&zero, jif_times_once(t)) == -JIF_EINVAL &&
		   jif_job_start(&lost, jif_times_once(t)) == -JIF_EINVAL &&
		   !jif_job_left(&zero),
	   "nor started");
	is(jif_job_mod(&none, t), -JIF_EINVAL, "a job without a function");
	is(jif_job_add(&a.job, t + 5 * MS), 0, "a job is armed");
	is(jif_job_add(&a.job, t + 6 * MS), -JIF_EBUSY, "but not twice");
	is(jif_job_mod(&a.job, t + UINT64_C(2147483648) * MS), -JIF_ERANGE,
	   "too far");
	ok(jif_job_pending(&a.job), "an error changes nothing");
	is(jif_job_mod(&a.job, t + 8 * MS), 1, "it is moved");
	is(jif_job_mod(&b.job, t + UINT64_C(2147483647) * MS), 0,
	   "as far as can be");
	expect_by(t + 7 * MS, "", "what was moved does not run");
	ok(jif_job_del(&a.job) && !jif_job_del(&a.job), "deleted once");
	is(jif_job_del_sync(&b.job), 1, "deleted, and waited for");
	expect_by(t + 10 * MS, "", "what was deleted does not run");
	is(jif_service_start(&service), -JIF_EBUSY, "it runs already");
	end();
}

static void has_no_keys(void)
{
	uint64_t t = begin(0, 0);

	is(jif_service_add(&service, jif_key_number(1), NULL,
			   jif_times_once(t)),
	   -JIF_EINVAL, "a key, without a table");
	is(jif_service_remove(&service, jif_key_number(1)), -JIF_ENOENT,
	   "is not there");
	ok(!jif_service_left(&service, jif_key_number(1)) &&
		   !jif_service_count(&service) &&
		   !jif_service_remove_sync(&service, jif_key_number(1)),
	   "nor asked for in vain");
	end();
}

static void tells_bad_fields(void)
{
	static const uint64_t ticks[] = { 10 * US - 1, HOUR + 1 };

	for (unsigned i = 0; i < 2; i++) {
		begin_at(0, 0, WRAP);
		service.loop.tick_ns = ticks[i];
		is(jif_service_init(&service), -JIF_EINVAL,
		   i ? "a tick is too long" : "a tick is too short");
	}
	begin_at(1, 0, WRAP);
	service.calls = NULL;
	is(jif_service_init(&service), -JIF_EINVAL, "workers without a queue");
	begin_at(1, 0, WRAP);
	service.worker_count = 0;
	is(jif_service_init(&service), -JIF_EINVAL, "memory for no worker");
	begin_at(1, 0, WRAP);
	service.calls = NULL;
	service.call_count = 0;
	is(jif_service_init(&service), -JIF_EINVAL, "with none at all");
	begin_at(1, (enum jif_full)3, WRAP);
	is(jif_service_init(&service), -JIF_EINVAL, "no policy");
	begin_at(0, 0, WRAP);
	service.workers = workers;
	is(jif_service_init(&service), -JIF_EINVAL, "no number of workers");
	memset(&service, 0, sizeof(service));
	is(jif_service_start(&service), -JIF_EINVAL, "never initialised");
}

static void tells_bad_times(void)
{
	static const struct jif_times bad[] = {
		{ WRAP, 10 * MS, 0, 0, 0 },
		{ WRAP, 0, 0, 2, 0 },
		{ WRAP, 10 * MS + 1, 0, 2, 0 },
		{ WRAP, 10 * MS, 0, 2, JIF_CATCHUP_RESTART + 1 },
	};
	struct jif_times too_long = { WRAP, UINT64_C(2147483648) * MS, 0, 2,
				      0 };
	struct jif_times longest = { WRAP, UINT64_C(2147483647) * MS, 0, 2,
				     JIF_CATCHUP_RESTART };
	uint64_t t = begin(0, 0);

	for (unsigned i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		is(jif_job_start(&a.job, bad[i]), -JIF_EINVAL,
		   "times that make no sense");
	is(jif_job_start(&a.job, too_long), -JIF_ERANGE, "a period too long");
	ok(!jif_job_pending(&a.job), "arm nothing");
	is(jif_job_start(&a.job, longest), 0, "the longest period");
	is(jif_job_start(&a.job, longest), 1, "started anew");
	jif_job_start(&b.job, jif_times_every(t + 9 * MS, MS, JIF_FOREVER));
	for (unsigned i = 9; i < 12; i++)
		go_to(t + i * MS);
	ok(noted("babb") && b.job.times == JIF_FOREVER, "for ever");
	is(jif_service_stop(&service, NULL), 2, "both go on");
}

/* A release build does not tell. */
#pragma weak jif_warn

static void ignore(const char *what, const void *object, void (*fn)(void))
{
}

static void *unlock(void *arg)
{
	jif_service_unlock(arg);
	return NULL;
}

static void locks_in_pairs(void)
{
	uint64_t t = begin(0, 0);
	pthread_t other;

	if (&jif_warn)
		jif_warn = ignore;
	jif_service_unlock(&service);
	jif_job_add(&a.job, t + 10 * MS);
	settle();
	jif_service_lock(&service);
	jif_service_lock(&service);
	jif_service_unlock(&service);
	pthread_create(&other, NULL, unlock, &service);
	pthread_join(other, NULL);
	jif_job_add(&b.job, t + 20 * MS);
	is(service.stats.pending, 2,
	   "who locks it arms on the wheel, until it is unlocked as often");
	is(jif_service_start(&service), -JIF_EDEADLK, "it is locked");
	is(jif_service_drain(&service, NULL), -JIF_EDEADLK, "so is this one");
	jif_service_unlock(&service);
	jif_service_unlock(&service);
	is(jif_service_start(&service), -JIF_EBUSY,
	   "to unlock what is not locked changes nothing");
	jif_job_add(&c.job, t + 30 * MS);
	is(service.stats.pending, 2, "the clock has not seen it");
	is(jif_service_stop(&service, NULL), 3, "and it stops");
	jif_service_lock(&service);
	jif_service_unlock(&service);
	is(jif_job_add(&a.job, t + HOUR), -JIF_ECANCELED,
	   "to unlock it does not open it");
	jif_service_wake(&service);
	if (&jif_warn)
		jif_warn = NULL;
}

static unsigned many_ran;

/* In the order in which they were armed. */
static int run_many(struct jif_job *job)
{
	many_ran += job == &many[many_ran].job;
	return 0;
}

static void arm_many(unsigned n, uint64_t ns)
{
	for (unsigned i = 0; i < n; i++) {
		init_item(&many[i], 'm');
		many[i].job.fn = run_many;
		jif_job_add(&many[i].job, ns);
	}
	many_ran = 0;
}

/* The last of 24 is in a slot that is reached after 120 ticks. */
static void sleeps_until_a_full_slot(void)
{
	uint64_t t = begin(0, 0);

	arm_many(23, t + 130 * MS);
	go_to(t + 1 * MS);
	ok(stop_ns() == t + 130 * MS, "with 23 in a slot, until they are due");
	jif_job_add(&a.job, t + 130 * MS);
	go_to(t + 2 * MS);
	ok(stop_ns() == t + 120 * MS, "with 24, until the slot is reached");
	go_to(t + 120 * MS);
	ok(stop_ns() == t + 130 * MS && !many_ran, "then until they are due");
	go_to(t + 130 * MS);
	ok(many_ran == 23 && noted("a"), "and they run");
	end();
}

/* More than are put on the wheel at a time, and than an inbox has room for. */
static void takes_many_at_once(void)
{
	uint64_t t = begin(0, 0);
	struct jif_stats stats;

	jif_job_add(&a.job, t + 10 * MS);
	settle();
	arm_many(MANY, t + HOUR);
	jif_service_stats(&service, &stats);
	is(stats.pending, MANY + 1, "what the clock has not seen is pending");
	is(jif_job_left(&many[MANY - 1].job), HOUR, "and has so long left");
	is(jif_service_drain(&service, NULL), MANY + 1, "all is drained");
	jif_service_stats(&service, &stats);
	is(stats.pending, 0, "nothing is pending");
	arm_many(100, t + 20 * MS);
	jif_service_lock(&service);
	is(service.stats.pending, 100, "who locks it sees its own");
	jif_service_unlock(&service);
	go_to(t + 20 * MS);
	is(many_ran, 100, "they run, in order");
	arm_many(100, t + 21 * MS);
	go_to(t + 21 * MS);
	is(many_ran, 100, "also those that the clock has not seen");
	arm_many(100, t + HOUR);
	is(jif_service_stop(&service, NULL), 100, "or are drained by a stop");
}

static void drains_before_it_starts(void)
{
	begin_at(0, 0, WRAP);
	memset(&service.loop.wheel, 0xa5, sizeof(service.loop.wheel));
	is(jif_service_init(&service), 0, "a service is made");
	is(jif_job_add(&a.job, MS), -JIF_ECANCELED,
	   "before it starts, it takes no job");
	is(pthread_mutex_trylock(&service.inbox[0].lock), 0,
	   "and locks no inbox");
	pthread_mutex_unlock(&service.inbox[0].lock);
	is(jif_service_drain(&service, NULL), 0, "nor is there one to drain");
	is(jif_job_add(&a.job, MS), -JIF_ECANCELED, "nor later");
}

static void stops_and_starts(void)
{
	uint64_t t = begin(0, 0);

	jif_job_add(&a.job, t + 50 * MS);
	jif_job_add(&b.job, t + 20 * MS);
	jif_job_add(&c.job, t + HOUR);
	is(jif_service_stop(&service, note_drained), 3, "three are drained");
	ok(noted("bac"), "in order of expiry; in a drain, nothing waits");
	is(jif_job_add(&a.job, t + 50 * MS), -JIF_ECANCELED,
	   "nothing is armed while it is stopped");
	ok(!jif_job_pending(&a.job), "and nothing is pending");
	is(jif_service_stop(&service, NULL), -JIF_ECANCELED, "it is stopped");
	set_clock(t + 30 * MS);
	is(jif_service_start(&service), 0, "it starts again");
	is(jif_job_add(&a.job, t + 50 * MS), 0, "and takes jobs");
	expect_by(t + 50 * MS, "a", "which run");
	jif_job_add(&a.job, t + 60 * MS);
	jif_job_add(&b.job, t + 60 * MS);
	is(jif_service_drain(&service, note_drained), 2,
	   "drained while it runs");
	ok(noted("ab"), "in order");
	jif_job_add(&c.job, t + 60 * MS);
	expect_by(t + 60 * MS, "c", "and it goes on");
	end();
}

/* Between two of those, other threads are let in. */
static void stops_amid_many(void)
{
	uint64_t t = begin(0, 0);
	pthread_t thread;
	int drained;

	jif_job_add(&a.job, t + 20 * MS);
	a.held = true;
	arm_many(100, t + 20 * MS);
	begin_to(t + 20 * MS);
	await(&a.begun);
	thread = begin_stop(&b, &drained);
	sem_post(&a.gate);
	pthread_join(thread, NULL);
	is(drained, 100, "a service stops in a run that has not ended");
	forget();
}

void run_jobs(void)
{
	runs_on_time();
	sleeps_exactly();
	keeps_the_order_of_a_thread();
	takes_from_other_threads();
	runs_what_is_armed_by_then();
	locks_others_out();
	tells_misuse();
	has_no_keys();
	tells_bad_fields();
	tells_bad_times();
	locks_in_pairs();
	takes_many_at_once();
	stops_amid_many();
	sleeps_until_a_full_slot();
	drains_before_it_starts();
	stops_and_starts();
}
