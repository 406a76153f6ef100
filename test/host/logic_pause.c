/* SPDX-License-Identifier: MIT */
/*
 * test/host/logic_pause.c - pauses, and times that are far
 */
#include "logic.h"

#define DAY (24 * HOUR)

static void pauses_a_job(void)
{
	uint64_t t = begin(0, 0);

	is(jif_job_add_in(&b.job, 10 * MS + 250 * US), 0, "in 10.25 ms");
	is(jif_job_add_in(&b.job, 1), -JIF_EBUSY, "it is pending");
	set_clock(t + 4 * MS + 100 * US);
	is(jif_job_left(&b.job), 6 * MS + 150 * US, "what is left is exact");
	ok(jif_job_pause(&b.job) && !jif_job_pause(&b.job), "it pauses once");
	ok(!jif_job_pending(&b.job), "and is idle");
	go_to(t + HOUR + 300 * US);
	is(jif_job_left(&b.job), 6 * MS + 150 * US, "as long");
	is(jif_job_resume(&b.job), 0, "it goes on");
	is(jif_job_resume(&b.job), -JIF_EINVAL, "once");
	expect_by(t + HOUR + 7 * MS - 1, "", "not early");
	expect_by(t + HOUR + 7 * MS, "b", "nor late");
	is(jif_job_resume(&b.job), -JIF_EINVAL, "one that is idle does not");
	jif_job_add(&b.job, t + 2 * HOUR);
	jif_job_pause(&b.job);
	ok(!jif_job_del(&b.job), "a paused one is deleted");
	is(jif_job_resume(&b.job), -JIF_EINVAL, "for good");
	jif_job_mod(&b.job, t + 2 * HOUR);
	jif_job_pause(&b.job);
	is(jif_job_del_sync(&b.job), 0, "also by del_sync");
	is(jif_job_resume(&b.job), -JIF_EINVAL, "for good");
	jif_job_add(&b.job, t + 2 * HOUR);
	jif_job_pause(&b.job);
	is(jif_job_add(&b.job, t + 3 * HOUR), 0, "arming ends a pause");
	jif_job_pause(&b.job);
	is(jif_job_start(&b.job, jif_times_every(t + 3 * HOUR, MS, 2)), 0,
	   "any");
	is(jif_job_add_in(&c.job, UINT64_MAX), -JIF_ERANGE, "too long");
	jif_job_pause(&b.job);
	end();
	is(jif_job_resume(&b.job), -JIF_ECANCELED, "it is stopped");
}

/* In the queue, or with a time to come. */
static void pauses_what_waits(void)
{
	uint64_t t = begin(1, JIF_FULL_BLOCK);

	hold_worker(t);
	jif_job_add(&b.job, t + 6 * MS);
	jif_job_start(&c.job, jif_times_every(t + 7 * MS, 9 * MS, 2));
	go_to(t + 6 * MS);
	ok(jif_job_pause(&b.job), "what waits pauses");
	go_to(t + 7 * MS);
	ok(jif_job_pause(&c.job), "or what waits and comes again");
	is(jif_job_left(&b.job), 0, "nothing is left of one");
	is(jif_job_left(&c.job), 9 * MS, "the other comes again");
	finish_a();
	ok(noted("a"), "they do not run");
	go_to(t + 100 * MS);
	is(jif_job_resume(&b.job), 0, "the one resumes");
	is(jif_job_resume(&c.job), 0, "and the other");
	go_to(t + 101 * MS);
	finish_work();
	ok(noted("b"), "on the next tick");
	go_to(t + 109 * MS);
	finish_work();
	ok(noted("c") && !jif_job_pending(&c.job), "for the last time");
	jif_job_add(&b.job, t + 200 * MS);
	hold(&a, t + 110 * MS);
	ok(!jif_job_pause(&a.job), "what runs is not pending");
	sem_post(&a.gate);
	end();
}

/* More periods than 32 bits count, after 58 days. */
static void counts_no_more_than_32_bits(void)
{
	uint64_t t = begin_keys(0);
	struct jif_times when = jif_times_every(t + 5 * MS, MS, JIF_FOREVER);

	when.catchup = JIF_CATCHUP_SKIP;
	jif_job_init(&service, &a.job, look_at_call);
	jif_job_start(&a.job, when);
	go_to(t + 5000000000 * MS);
	ok(noted("p") && last_call.missed == UINT32_MAX,
	   "a job has missed the most that is counted");
	jif_job_del(&a.job);
	end();
	begin_late_keys(0, 0, JIF_CATCHUP_SKIP);
	set_every(7, t + 5 * MS, MS, JIF_FOREVER);
	go_to(t + 5000000000 * MS);
	ok(noted("7") && key_call.missed == UINT32_MAX, "and so has a key");
	end();
}

/* Not even with ticks of which 32 bits do not count the nanoseconds. */
static void pauses_a_key(uint64_t tick, uint64_t least)
{
	struct jif_key key = jif_key_number(3);
	uint64_t t = 1000 * tick, left;

	begin_at(0, 0, t);
	use_keys();
	service.loop.tick_ns = tick;
	start_service();
	set_key(3, t + 5 * tick + tick / 3, false);
	for (unsigned n = 1; n <= 10; n++) {
		t += tick / 7;
		set_clock(t);
		jif_service_pause(&service, key);
		t += 1000 * tick + tick / 11;
		set_clock(t);
		jif_service_resume(&service, key);
		go_to(t);
	}
	left = jif_service_left(&service, key);
	ok(left >= least && left - least <= (tick > HOUR / 2 ? 40000 : 0),
	   "what is left of a key after ten pauses is exact");
	end();
}

static void comes_never(void)
{
	struct jif_key key = jif_key_number(3);
	uint64_t t = 1000 * HOUR;

	begin_at(0, 0, t);
	use_keys();
	service.loop.tick_ns = HOUR;
	start_service();
	set_key(3, UINT64_MAX, false);
	ok(jif_service_left(&service, key) == UINT64_MAX - t,
	   "what comes never has all of that left");
	jif_service_pause(&service, key);
	set_clock(t + 2 * HOUR);
	jif_service_resume(&service, key);
	ok(jif_service_left(&service, key) == UINT64_MAX - t - 2 * HOUR,
	   "also after a pause");
	end();
}

#define TICK (2000 * MS)
#define FAR  (UINT64_C(8500000000) * TICK)

static int arm_far(struct jif_job *job)
{
	return jif_job_add(&b.job, FAR);
}

/* It is more than 2^63 ns ahead of the wheel, which c holds back. */
static void comes_after_a_long_jump(void)
{
	begin_at(0, 0, 500 * TICK);
	service.loop.tick_ns = TICK;
	start_service();
	jif_job_init(&service, &a.job, arm_far);
	jif_job_init(&service, &b.job, look_at_call);
	jif_job_add(&a.job, 505 * TICK);
	jif_job_add(&c.job, (JIF_SLEEP_MAX + UINT64_C(2000)) * TICK);
	go_to(FAR + 5 * TICK);
	ok(noted("cp") && last_call.due_ns == FAR,
	   "what comes after more than 2^63 ns comes on its tick");
	end();
}

static void is_made_once(void)
{
	uint64_t t = begin(0, 0);

	jif_job_add(&b.job, t + 5 * MS);
	is(jif_service_init(&service), -JIF_EBUSY,
	   "one that runs is not initialised");
	expect_by(t + 5 * MS, "b", "and goes on");
	end();
	is(jif_service_init(&service), 0, "one that has stopped may be");
}

static void reaches_from_now(void)
{
	static struct jif_timer timer = JIF_TIMER_INIT(never);
	uint64_t t = begin(0, 0);
	uint32_t expires;

	set_clock(t + 8 * DAY);
	jif_service_lock(&service);
	is(jif_timer_add_in(&service.loop.wheel, &timer, 1728000000), 0,
	   "20 days, after 8 days of sleep");
	jif_timer_del(&service.loop.wheel, &timer);
	set_clock(t + 70 * DAY);
	is(jif_loop_expires(&service.loop, t + 90 * DAY, &expires), 0,
	   "by all calls");
	is(expires, (t + 90 * DAY) / MS % (UINT64_C(1) << 32), "exactly");
	jif_service_unlock(&service);
	/* With the lock, the clock's thread does not run b meanwhile. */
	jif_service_lock(&service);
	jif_job_add(&b.job, t + 71 * DAY);
	set_clock(t + 101 * DAY);
	is(jif_loop_expires(&service.loop, t + 104 * DAY, &expires),
	   -JIF_ERANGE, "but what is due is not passed");
	is(jif_timer_add_in(&service.loop.wheel, &timer, 1), -JIF_ERANGE,
	   "by none");
	jif_service_unlock(&service);
	is(jif_job_add(&c.job, t + 124 * DAY), 0, "jobs need not");
	is(jif_job_add(&d.job, t + 127 * DAY), -JIF_ERANGE,
	   "in reach from now");
	expect_by(t + 124 * DAY - MS, "b", "not early");
	expect_by(t + 124 * DAY, "c", "nor late");
	end();
}

/* What is due is in the way of the wheel's clock. */
static void tells_what_is_left_of_what_is_far(void)
{
	uint64_t t = begin_keys(0), far = JIF_DELAY_MAX * MS;
	struct jif_key key = jif_key_number(3);

	jif_job_add(&a.job, t + MS);
	set_clock(t + (UINT64_C(1) << 29) * MS);
	is(set_key(3, fake_clock(NULL) + far, false), 0,
	   "a key that is far ahead, while a job is due");
	ok(jif_service_left(&service, key) == far, "all of it is left");
	end_and_forget();
}

/* Nothing is due, so the clock goes on to now. */
static void tells_all_that_is_left_of_what_is_far(void)
{
	uint64_t far = JIF_DELAY_MAX * MS - 300 * US, t;

	t = begin_keys(0);
	jif_job_add(&a.job, t + (UINT64_C(1) << 30) * MS);
	set_clock(t + (UINT64_C(1) << 29) * MS);
	set_key(3, fake_clock(NULL) + far, false);
	is((long long)jif_service_left(&service, jif_key_number(3)),
	   (long long)far, "what is left of a key that is far ahead is exact");
	end_and_forget();
}

/* Its timer expires in the run that a stop ends, for the wheel's reach. */
static void stop_hands_out_what_is_far(void)
{
	uint64_t t = begin(0, 0), ahead = (UINT64_C(1) << 29) * MS;
	uint64_t reach = JIF_DELAY_MAX * MS;
	pthread_t thread;
	int n;

	a.held = true;
	jif_job_add(&a.job, t + reach);
	jif_job_add(&c.job, t + MS);
	set_clock(t + ahead);
	jif_job_add(&b.job, t + ahead + reach);
	begin_to(t + reach);
	await(&a.begun);
	thread = begin_stop(&d, &n);
	sem_post(&a.gate);
	pthread_join(thread, NULL);
	is(n, 1, "a stop takes off a job that is far");
	ok(noted("cab"), "and hands it out");
}

static void never_was_a_job(void)
{
	static struct jif_job job;

	is(jif_job_add_in(&job, 1), -JIF_EINVAL,
	   "one that was not initialised");
	is(jif_job_mod_in(&job, 1), -JIF_EINVAL, "is not armed");
	ok(!jif_job_pause(&job), "nor paused");
	is(jif_job_resume(&job), -JIF_EINVAL, "nor resumed");
}

void know_what_time_it_is(void)
{
	pauses_a_job();
	pauses_what_waits();
	counts_no_more_than_32_bits();
	pauses_a_key(MS, 5 * MS + MS / 3 - 10 * (MS / 7));
	pauses_a_key(HOUR, 5 * HOUR + HOUR / 3 - 10 * (HOUR / 7));
	comes_never();
	comes_after_a_long_jump();
	is_made_once();
	reaches_from_now();
	tells_what_is_left_of_what_is_far();
	tells_all_that_is_left_of_what_is_far();
	stop_hands_out_what_is_far();
	never_was_a_job();
}
