/* SPDX-License-Identifier: MIT */
/*
 * test/host/logic_period.c - periods, and the clocks they follow
 */
#include "logic.h"

static void catches_up(void)
{
	uint64_t t = begin_keys(0);

	jif_job_add(&b.job, t + 2 * HOUR);
	jif_job_add(&a.job, t + HOUR);
	set_every(7, t + HOUR, HOUR, JIF_FOREVER);
	expect_by(t + 3 * HOUR, "a7b77",
		  "a jump runs all that is due, in order");
	end();
}

static void takes_any_tick(void)
{
	begin_at(0, 0, HOUR);
	service.loop.tick_ns = 10 * US;
	ok(!jif_service_init(&service) && !jif_service_start(&service),
	   "a tick of 10 us");
	jif_job_add(&a.job, HOUR + 10 * US);
	jif_job_add(&b.job, HOUR + 5 * HOUR);
	expect_by(HOUR + 10 * US, "a", "is as exact");
	expect_by(HOUR + 48 * HOUR, "b",
		  "and jumps further than a wheel can run at once");
	is(jif_job_add(&a.job, 49 * HOUR + 10 * US), 0, "and goes on");
	expect_by(49 * HOUR + 10 * US, "a", "from there");
	end();

	begin_at(0, 0, HOUR);
	service.loop.tick_ns = HOUR;
	ok(!jif_service_init(&service) && !jif_service_start(&service),
	   "a tick of an hour");
	jif_job_add(&a.job, 1000 * 24 * HOUR - 1);
	expect_by(1000 * 24 * HOUR - HOUR, "", "does not run early");
	expect_by(1000 * 24 * HOUR, "a", "and spans a thousand days");
	end();
}

/* On the kernel's clocks, for once; how late does not matter. */
static void follows_the_kernel(bool boottime)
{
	begin_at(0, 0, 0);
	service.loop.clock = NULL;
	service.loop.boottime = boottime;
	ok(!jif_service_init(&service) && !jif_service_start(&service),
	   boottime ? "CLOCK_BOOTTIME" : "CLOCK_MONOTONIC");
	a.held = true;
	jif_job_add(&b.job, jif_service_now(&service) + HOUR);
	jif_job_add(&a.job, jif_service_now(&service) + 10 * MS);
	sem_post(&a.gate);
	await(&a.begun);
	jif_job_del(&b.job);
	end();
	ok(noted("a"), "wakes the service up");
}

static void skips_many_periods_of_a_job(uint64_t t)
{
	struct jif_times when = jif_times_every(t + 90 * MS, MS, 200000);

	when.catchup = JIF_CATCHUP_SKIP;
	jif_job_start(&a.job, when);
	go_to(t + 90090 * MS);
	ok(noted("p") && last_call.missed == 90000, "many are counted");
	when.times = 1;
	when.expires_ns = t + 90091 * MS;
	jif_job_start(&a.job, when);
	go_to(t + 180091 * MS);
	ok(noted("p") && last_call.missed == 90000, "to the last");
	when.period_ns = 0;
	when.expires_ns = t + 180100 * MS;
	is(jif_job_start(&a.job, when), 0, "one time");
	go_to(t + 180200 * MS);
	ok(noted("p") && !last_call.missed, "has no periods to miss");
}

static void skips_periods_of_a_job(enum jif_catchup policy, const char *want,
				   uint32_t missed, uint64_t next)
{
	uint64_t t = begin(0, 0);
	struct jif_times when = jif_times_every(t + 5 * MS, 10 * MS, 100);

	when.catchup = policy;
	jif_job_init(&service, &a.job, look_at_call);
	is(jif_job_start(&a.job, when), 0, "a job has periods");
	go_to(t + 5 * MS);
	ok(noted("p") && last_call.due_ns == t + 5 * MS && !last_call.missed,
	   "a callback says when it was due");
	expect_by(t + 48 * MS, want,
		  "after a stall, as often as the policy says");
	is(last_call.missed, missed, "and it says how many were missed");
	ok(stop_ns() == t + next, "then it goes on");
	is(jif_job_del(&a.job), 1, "until it is deleted");
	jif_job_start(&a.job, each(jif_times_every(t + 50 * MS, MS, 2)));
	go_to(t + 60 * MS);
	ok(noted("pp") && !jif_job_pending(&a.job), "or has run so often");
	jif_job_add(&a.job, t + 65 * MS);
	go_to(t + 85 * MS);
	ok(noted("p") && !last_call.missed, "once, it misses no period");
	if (policy == JIF_CATCHUP_SKIP)
		skips_many_periods_of_a_job(t);
	last_call.missed = 5;
	ok(!jif_service_current(&service, &last_call) && last_call.missed == 5,
	   "nothing runs here");
	end();
}

/* Eight hours, and a period of a second: 28,800 of them. */
static void calls_once_after_a_sleep(void)
{
	uint64_t t = begin_late_keys(0, 0, JIF_CATCHUP_SKIP),
		 second = 1000 * MS;

	jif_job_init(&service, &a.job, look_at_call);
	jif_job_start(&a.job, jif_times_every(t + second, second, JIF_FOREVER));
	set_every(7, t + second, second, JIF_FOREVER);
	expect_by(t + 8 * HOUR, "p7", "a sleep of hours is one call of each");
	is(last_call.missed, 28799, "which says what a job has missed");
	is(key_call.missed, 28799, "and a key");
	expect_by(t + 8 * HOUR + second, "p7", "both go on");
	ok(!last_call.missed && !key_call.missed, "with none missed");
	end();
}

static void skips_periods_of_a_key(enum jif_catchup policy, const char *want,
				   uint64_t unit)
{
	uint64_t t = begin_late_keys(0, 0, policy);

	set_every(7, t + 10 * unit, 10 * unit, 65537);
	expect_by(t + 55 * unit, want,
		  "a key, after a stall, as often as the policy says");
	ok(key_call.missed == (policy == JIF_CATCHUP_EACH ? 0 : 4) &&
		   key_call.due_ns ==
			   t + (policy == JIF_CATCHUP_EACH ? 50 : 10) * unit,
	   "and its callback can ask for that");
	ok(stop_ns() == t + (policy == JIF_CATCHUP_RESTART ? 65 : 60) * unit,
	   "and goes on");
	jif_service_remove(&service, jif_key_number(7));
	set_key(2, t + 70 * unit, true);
	go_to(t + 90 * unit);
	ok(noted("2") && !key_call.missed, "once, it misses no period");
	if (policy != JIF_CATCHUP_EACH) {
		set_every(7, t + 91 * unit, MS, 65537);
		go_to(t + 91 * unit + 70000 * MS);
		ok(noted("7") && key_call.missed == 70000, "or many");
	}
	end();
}

/* While they wait for the only worker. */
static void skips_what_waits(enum jif_catchup policy, const char *want,
			     uint32_t missed)
{
	uint64_t t = begin(1, JIF_FULL_BLOCK);
	struct jif_times when = jif_times_every(t + 6 * MS, 1 * MS, 3);

	when.catchup = policy;
	jif_job_init(&service, &b.job, look_at_call);
	hold_worker(t);
	jif_job_start(&b.job, when);
	for (unsigned i = 6; i <= 8; i++)
		go_to(t + i * MS);
	ok(jif_job_pending(&b.job), "a job that waits expires again");
	finish_a();
	ok(noted(want), "and runs as often as the policy says");
	ok(last_call.missed == missed &&
		   last_call.due_ns == t + (missed ? 6 : 8) * MS,
	   "and says when it was due");
	jif_job_start(&b.job, when);
	end();
}

/* How often a job and a key run, while the only worker is busy at first. */
static void runs_as_often_as_asked(enum jif_catchup policy, uint32_t times)
{
	uint64_t t = begin_late_keys(1, JIF_FULL_REFUSE, policy);
	struct jif_key key = jif_key_number(7);
	struct jif_times when = jif_times_every(t + 6 * MS, MS, times);
	char want[] = "abbbb7777";

	when.catchup = policy;
	hold_worker(t);
	jif_job_start(&b.job, when);
	jif_service_set(&service, key, &entries[3], when);
	for (unsigned i = 6; i <= 12; i++)
		go_to(t + i * MS);
	is(jif_service_count(&service), policy == JIF_CATCHUP_SKIP,
	   "a key that is missed stays");
	finish_a();
	for (unsigned i = 13; i <= 20; i++) {
		go_to(t + i * MS);
		finish_work();
	}
	memmove(&want[1 + times], &want[5], times);
	want[1 + 2 * times] = 0;
	ok(noted_all(want), "what is missed is none of so many times");
	ok(!jif_job_pending(&b.job) && !jif_service_count(&service),
	   "and then it is over");
	end();
}

/* A string goes on with bytes of its own. */
static void keeps_the_bytes_of_what_is_missed(void)
{
	static uint8_t bytes[JIF_KEY_BYTES(4, 1, CALLS, 1)];
	uint64_t t = START;
	char name[] = "1";

	begin_at(1, JIF_FULL_BLOCK, t);
	use_keys();
	service.key_fn = run_bytes;
	service.key_bytes = bytes;
	service.key_size = 1;
	service.key_catchup = JIF_CATCHUP_SKIP;
	start_service();
	hold_worker(t);
	jif_service_set(&service, jif_key_bytes(name, 1), NULL,
			jif_times_every(t + 6 * MS, MS, 2));
	name[0] = 'x';
	go_to(t + 6 * MS);
	go_to(t + 7 * MS);
	jif_service_add(&service, jif_key_bytes("2", 1), NULL,
			jif_times_once(t + 8 * MS));
	finish_a();
	go_to(t + 8 * MS);
	finish_work();
	ok(noted("a112"), "a string that is missed comes once more");
	end();
}

/* What it is armed for is no multiple of a tick. */
static void keeps_the_phase_of_what_is_missed(void)
{
	uint64_t t = begin_late_keys(1, JIF_FULL_BLOCK, JIF_CATCHUP_SKIP);

	hold_worker(t);
	set_every(1, t + 6 * MS + 300 * US, 10 * MS, 2);
	go_to(t + 7 * MS);
	go_to(t + 17 * MS);
	is((long long)jif_service_left(&service, jif_key_number(1)),
	   9 * MS + 300 * US, "a last time that is missed keeps its phase");
	sem_post(&a.gate);
	end();
	forget();
}

static int start_b(struct jif_job *job)
{
	(void)job;
	jif_job_start(&b.job, jif_times_every(0, 100 * MS, 2));
	return 0;
}

/* In a run that is behind, the next tick is not that after the last run. */
static void begins_on_the_next_tick(void)
{
	uint64_t t = begin(0, 0);

	a.job.fn = start_b;
	jif_job_add(&a.job, t + 5 * MS);
	go_to(t + 20 * MS);
	ok(noted("b"), "what a callback arms for the past runs");
	is((long long)jif_job_left(&b.job), 86 * MS,
	   "and goes on from the tick after that of the callback");
	end();
}

/* What may be late, but no later than can be. */
static void keeps_in_reach(uint64_t t, struct jif_times when)
{
	when.expires_ns = t + 6 * MS + UINT64_C(2147483646) * MS;
	is(jif_job_start(&a.job, when), 1, "a tick too late");
	is(jif_job_left(&a.job), UINT64_C(2147483646) * MS,
	   "is when it is due, too");
	go_to(t + 7 * MS);
	is(jif_job_start(&a.job, when), 1, "and the last tick that can be");
	is(jif_job_left(&a.job), UINT64_C(2147483647) * MS, "is not");
}

static void shares_wakeups(void)
{
	uint64_t t = begin_keys(0); /* 10 ticks before a multiple of all */
	struct jif_times when = jif_times_once(t + 3 * MS);

	when.slack_ns = 4 * MS;
	jif_job_start(&a.job, when);
	when.expires_ns = t + 6 * MS;
	jif_job_start(&b.job, when);
	when.expires_ns = t + 5 * MS;
	jif_service_set(&service, jif_key_number(1), &entries[1], when);
	expect_by(t + 6 * MS - 1, "", "what may be late waits for others");
	expect_by(t + 6 * MS, "ab1", "and runs with them");
	when.slack_ns = HOUR;
	when.expires_ns = t + 6 * MS + UINT64_C(2147483647) * MS;
	is(jif_job_start(&a.job, when), 0, "but no later than can be");
	is(jif_job_left(&a.job), UINT64_C(2147483647) * MS,
	   "which is when it is due");
	when.slack_ns = 3 * MS;
	when.expires_ns = t + 7 * MS;
	jif_job_start(&c.job, when);
	is(jif_job_left(&c.job), 4 * MS, "up to all of its slack");
	jif_job_del(&c.job);
	keeps_in_reach(t, when);
	when.slack_ns = UINT64_C(4000000000) * MS;
	when.expires_ns = t + 20 * MS;
	is(jif_job_start(&b.job, when), 0, "with the longest slack");
	go_to(t + 7 * MS + 1);
	is(jif_job_left(&b.job), ((UINT64_C(1) << 29) * MS + 3 * MS - 1),
	   "a power of two, a quarter of how far a wheel reaches");
	end();
}

/* Between the expiry and the callback. */
static void goes_back(void)
{
	uint64_t t = begin(0, 0);
	struct jif_stats stats;

	service.slow_ns = HOUR;
	a.takes_ns = -1;
	jif_job_add(&a.job, t + 5 * MS);
	jif_job_add(&b.job, t + 5 * MS);
	begin_to(t + 5 * MS);
	await_runs(2);
	jif_service_stats(&service, &stats);
	ok(stats.late[0] == 2 && !stats.late_ns,
	   "a clock that goes back makes nobody late");
	end_and_forget();
}

/* By more than the wheel reaches: that is no jump ahead. */
static void goes_back_far(void)
{
	uint64_t t = begin(0, 0), before = t - ((UINT64_C(1) << 31) + 9) * MS;
	bool seen;

	jif_job_add(&a.job, t + HOUR);
	begin_to(before);
	do {
		wait_a_bit();
		pthread_mutex_lock(&service.lock);
		seen = service.now_ns == before && service.loop.until_ns;
		pthread_mutex_unlock(&service.lock);
	} while (!seen);
	expect_by(t + HOUR - 1, "",
		  "a clock that goes back far makes nobody early");
	expect_by(t + HOUR, "a", "nor late");
	end();
}

/* So many that a batch ends between them; the clock goes back before that. */
static unsigned most_missed;

static int set_back(struct jif_job *job)
{
	if (job == &many[20].job)
		set_clock(fake_clock(NULL) - 5 * MS);
	return 1;
}

static void note_missed(struct jif_service *s, const struct jif_call *call,
			int err, uint64_t ns)
{
	if (call->missed > most_missed)
		most_missed = call->missed;
}

static void goes_back_in_a_batch(enum jif_catchup policy)
{
	uint64_t t = begin(0, 0);
	struct jif_times when =
		jif_times_every(t + 10 * MS, 10 * MS, JIF_FOREVER);

	most_missed = 0;
	when.catchup = policy;
	service.report = note_missed;
	for (unsigned i = 0; i < 100; i++) {
		jif_job_init(&service, &many[i].job, set_back);
		jif_job_start(&many[i].job, when);
	}
	begin_to(t + 10 * MS);
	await_runs(100);
	is(most_missed, 0,
	   policy == JIF_CATCHUP_SKIP ?
		   "a clock that goes back in a batch misses nothing" :
		   "nor where a call restarts the grid");
	end_and_forget();
}

/* How long the callback takes that comes first; both are 4 ms late or more. */
static void measures_what_is_asked_for(uint64_t slow_ns)
{
	uint64_t t = begin(0, 0), longest = slow_ns ? 3 * MS : 0;
	struct jif_stats stats;

	service.slow_ns = slow_ns;
	a.takes_ns = 3 * MS;
	jif_job_add(&a.job, t + 5 * MS);
	jif_job_add(&b.job, t + 5 * MS);
	begin_to(t + 9 * MS);
	await_runs(2);
	jif_service_stats(&service, &stats);
	ok(stats.late_ns == 8 * MS + longest && stats.longest_ns == longest,
	   slow_ns ? "what is slow makes the next one late" :
		     "with nothing slow, no clock is read for a callback");
	end_and_forget();
}

void keep_time(void)
{
	catches_up();
	takes_any_tick();
	skips_periods_of_a_job(JIF_CATCHUP_EACH, "pppp", 0, 55 * MS);
	skips_periods_of_a_job(JIF_CATCHUP_SKIP, "p", 3, 55 * MS);
	skips_periods_of_a_job(JIF_CATCHUP_RESTART, "p", 3, 58 * MS);
	calls_once_after_a_sleep();
	skips_periods_of_a_key(JIF_CATCHUP_EACH, "77777", MS);
	skips_periods_of_a_key(JIF_CATCHUP_SKIP, "7", MS);
	skips_periods_of_a_key(JIF_CATCHUP_SKIP, "7", 10000 * MS);
	skips_periods_of_a_key(JIF_CATCHUP_RESTART, "7", MS);
	skips_what_waits(JIF_CATCHUP_EACH, "appp", 0);
	skips_what_waits(JIF_CATCHUP_SKIP, "ap", 2);
	runs_as_often_as_asked(JIF_CATCHUP_SKIP, 4);
	runs_as_often_as_asked(JIF_CATCHUP_SKIP, 2);
	runs_as_often_as_asked(JIF_CATCHUP_EACH, 4);
	keeps_the_bytes_of_what_is_missed();
	keeps_the_phase_of_what_is_missed();
	begins_on_the_next_tick();
	shares_wakeups();
	goes_back();
	goes_back_far();
	goes_back_in_a_batch(JIF_CATCHUP_SKIP);
	goes_back_in_a_batch(JIF_CATCHUP_RESTART);
	measures_what_is_asked_for(0);
	measures_what_is_asked_for(HOUR);
	follows_the_kernel(false);
	follows_the_kernel(true);
}
