/* SPDX-License-Identifier: MIT */
/*
 * test/host/logic_saved.c - the end of a process
 */
#include "lib/firmware/snapshot.h"
#include "logic.h"

static const struct jif_saved kept_list[] = {
	JIF_SAVED_JOB(1, &a.job),
	JIF_SAVED_JOB(2, &b.job),
	JIF_SAVED_KEYS(3, &kept_keys),
};
static const struct jif_snapshot snapshot = { &service.loop.wheel, kept_list, 3,
					      7 };

static void save(struct jif_service *s)
{
	rtc_ns = RTC;
	is(jif_service_save(s, &snapshot, kept, sizeof(kept), read_rtc),
	   sizeof(kept), "a stop saves what is pending");
}

static void begin_process(uint64_t clock)
{
	static uint8_t bytes[JIF_KEY_BYTES(4, 0, 0, 5)];

	begin_at(0, 0, clock);
	use_keys();
	service.key_bytes = bytes;
	service.key_size = 5;
	service.on_stop = save;
	key_held = false;
	ok(!jif_service_init(&service) && !jif_service_start(&service),
	   "a process begins");
	settle();
}

/* At the save, b is due in 17 ms, once each 10 ms, and a in 8 ms. */
static void live_once(uint64_t phase)
{
	uint64_t t = WRAP - 10 * MS;
	struct jif_times when = jif_times_every(t + 29 * MS, 10 * MS, 5);

	begin_process(t);
	when.catchup = JIF_CATCHUP_SKIP;
	jif_job_add(&a.job, t + 20 * MS);
	jif_job_start(&b.job, when);
	jif_service_set(&service, jif_key_bytes("alpha", 5), "!",
			jif_times_once(t + 45 * MS));
	begin_to(t + 12 * MS + phase);
	is(jif_service_stop(&service, NULL), 3, "and hands it out");
}

static int restore(uint64_t later)
{
	rtc_ns = RTC + later;
	return restore_list(&snapshot, read_rtc);
}

/* The clock begins anew, in another phase; so does what was armed meanwhile. */
static void catches_up_with_what_it_missed(void)
{
	live_once(300 * US);
	begin_process(5 * MS + 700 * US);
	jif_service_lock(&service);
	is(restore(HOUR), 3, "what was saved is back");
	jif_job_add(&d.job, 15 * MS);
	memset(kept, 0xa5, sizeof(kept));
	jif_service_unlock(&service);
	settle();
	ok(noted("ab!5"), "what was due runs once, in order");
	go_to(15 * MS - 1);
	ok(noted("b"),
	   "periods stay on their grid; what is armed is not early");
	expect_by(15 * MS, "d", "nor late");
	is(jif_service_count(&service), 0, "the key has expired");
	service.on_stop = NULL;
	end();
}

/* Whatever the phases of both clocks, b is due 17 ms after 12 ms and phase. */
static void is_not_early_for_a_restart(uint64_t phase, uint64_t other)
{
	uint64_t due = 40 * MS + other + 7 * MS - phase;

	live_once(phase);
	begin_process(40 * MS + other);
	is(restore(10 * MS), 3, "restored while a is due, and b is not");
	is(restore(10 * MS), -JIF_EBUSY, "but not twice");
	settle();
	ok(noted("a"), "a has run");
	expect_by(due - 1, "", "b is not early");
	expect_by(due + 2 * MS, "b", "nor two ticks late");
	expect_by(due + 12 * MS, "b", "its periods go on");
	is(jif_service_count(&service), 1, "the key waits");
	service.on_stop = NULL;
	is(jif_service_stop(&service, NULL), 2, "and so does b");
	is(restore(0), -JIF_ECANCELED, "a service that has stopped");
}

static void saves_once_more(void)
{
	static unsigned char again[sizeof(kept)];
	struct jif_stats stats;

	jif_service_lock(&service);
	is(restore(0), 3, "in the tick of the save");
	jif_service_save(&service, &snapshot, again, sizeof(again), read_rtc);
	jif_service_stats(&service, &stats);
	jif_service_unlock(&service);
	ok(stats.pending == 3 && !memcmp(again, kept, sizeof(kept)),
	   "and saved once more");
}

static void refuses_what_it_cannot_restore(void)
{
	struct jif_snapshot other = snapshot;
	static struct jif_wheel wheel;
	static struct jif_job foreign;

	live_once(0);
	begin_process(40 * MS);
	other.wheel = &wheel;
	is(restore_list(&other, NULL), -JIF_EINVAL, "of another wheel");
	is(save_list(&other, NULL), -JIF_EINVAL, "nor saved");
	other = snapshot;
	other.list = &(struct jif_saved)JIF_SAVED_JOB(1, &foreign);
	other.count = 1;
	is(save_list(&other, NULL), -JIF_EINVAL, "a job of another service");
	other.list = &(struct jif_saved)JIF_SAVED_JOB(1, NULL);
	is(save_list(&other, NULL), -JIF_EINVAL, "no job at all");
	kept[40] ^= 1;
	is(restore(MS), -JIF_EBADMSG, "damaged");
	kept[40] ^= 1;
	jif_job_add(&d.job, HOUR);
	is(restore(MS), -JIF_EBUSY, "something is pending");
	jif_job_del(&d.job);
	saves_once_more();
	is(jif_service_drain(&service, NULL), 3, "all is there");
	is(restore(-30 * MS), 3, "before the save, as if no time had passed");
	is(jif_service_drain(&service, NULL), 3, "all is there, too");
	jif_job_add(&b.job, HOUR);
	is(jif_service_save(&service, &snapshot, kept, 47, NULL), -JIF_ENOSPC,
	   "no room");
	service.on_stop = NULL;
	end();
	other.wheel = &wheel;
	is(restore_list(&other, NULL), -JIF_EINVAL, "nor when it has stopped");
}

/* Armed when the wheel's clock is so far behind that it is out of its reach. */
static void saves_what_is_far(void)
{
	struct jif_key key = jif_key_bytes("alpha", 5);
	uint64_t far = JIF_DELAY_MAX * MS, due;

	begin_process(5 * MS);
	set_clock(fake_clock(NULL) + (UINT64_C(1) << 29) * MS);
	due = fake_clock(NULL) + far;
	is(jif_job_add(&a.job, due), 0, "a job that is far ahead");
	is(jif_service_set(&service, key, "!", jif_times_once(due)), 0,
	   "a key, too");
	rtc_ns = RTC;
	ok(save_list(&snapshot, read_rtc) > 0, "both are saved");
	service.on_stop = NULL;
	is(jif_service_stop(&service, NULL), 2, "it ends");
	begin_process(9 * MS);
	is(restore(0), 2, "both are back");
	ok(jif_job_left(&a.job) - far <= 2 * MS, "the job is not early");
	ok(jif_service_left(&service, key) - far <= 2 * MS, "nor is the key");
	service.on_stop = NULL;
	end();
}

/* What is due is in the way of the wheel's clock. */
static void tells_what_is_left_of_what_is_far(void)
{
	struct jif_key key = jif_key_bytes("alpha", 5);
	uint64_t far = JIF_DELAY_MAX * MS;

	begin_process(5 * MS);
	jif_job_add(&a.job, fake_clock(NULL) + MS);
	set_clock(fake_clock(NULL) + (UINT64_C(1) << 29) * MS);
	is(jif_service_set(&service, key, "!",
			   jif_times_once(fake_clock(NULL) + far)),
	   0, "a key that is far ahead, while a job is due");
	ok(jif_service_left(&service, key) == far, "all of it is left");
	service.on_stop = NULL;
	end();
}

/* Nothing is due, so the clock goes on to now. */
static void tells_all_that_is_left_of_what_is_far(void)
{
	struct jif_key key = jif_key_bytes("alpha", 5);
	uint64_t far = JIF_DELAY_MAX * MS - 300 * US;

	begin_process(2 * WRAP);
	jif_job_add(&a.job, fake_clock(NULL) + (UINT64_C(1) << 30) * MS);
	set_clock(fake_clock(NULL) + (UINT64_C(1) << 29) * MS);
	jif_service_set(&service, key, "!",
			jif_times_once(fake_clock(NULL) + far));
	is((long long)jif_service_left(&service, key), (long long)far,
	   "what is left of a key that is far ahead is exact");
	service.on_stop = NULL;
	end();
}

/* The RTC and the service's clock are read with the lock, in that order. */
static uint64_t rtc_with_the_clock(void)
{
	uint64_t ns = RTC + fake_clock(NULL);

	if (service.depth != 1)
		note('!');
	set_clock(fake_clock(NULL) + 3 * MS);
	return ns;
}

static uint64_t rtc_of_the_clock(void)
{
	return RTC + fake_clock(NULL);
}

static void is_not_early_although_clocks_are_read_apart(jif_rtc_fn *rtc)
{
	uint64_t t = WRAP - 10 * MS;

	begin_process(t);
	jif_job_add(&a.job, t + 20 * MS);
	service.on_stop = NULL;
	is(save_list(&snapshot, rtc_with_the_clock), JIF_SNAPSHOT_SIZE(1),
	   "saved");
	ok(noted(""), "with the lock");
	end();
	begin_process(t + 7 * MS);
	service.on_stop = NULL;
	is(restore_list(&snapshot, rtc), 1, "restored");
	is(jif_service_counts(&service).ran, 0, "nothing has run");
	expect_by(t + 20 * MS - 1, "", "not early");
	expect_by(t + 25 * MS, "a", "late by what it took to read the clock");
	end();
}

static void twice_on_the_list_it_is_pending_once(void)
{
	const struct jif_saved twice[] = {
		JIF_SAVED_JOB(1, &a.job),
		JIF_SAVED_JOB(2, &a.job),
	};
	struct jif_snapshot list = { &service.loop.wheel, twice, 2, 7 };
	struct jif_stats stats;

	begin_process(WRAP - 10 * MS);
	service.on_stop = NULL;
	jif_job_add(&a.job, WRAP + HOUR);
	is(save_list(&list, NULL), JIF_SNAPSHOT_SIZE(2), "saved twice");
	jif_job_del(&a.job);
	is(restore_list(&list, NULL), 1, "restored once");
	jif_service_stats(&service, &stats);
	is(stats.pending, 1, "pending once");
	is(jif_service_stop(&service, NULL), 1, "and taken off");
}

/* With ticks of an hour, too, whose nanoseconds have more than 32 bits. */
static void keeps_what_is_far(uint64_t tick)
{
	struct jif_times when =
		jif_times_every(100000 * tick, 70000 * tick, 80000);

	begin_at(0, 0, 0);
	service.loop.tick_ns = tick;
	ok(!jif_service_init(&service) && !jif_service_start(&service),
	   "what is far");
	jif_job_init(&service, &a.job, look_at_call);
	jif_job_start(&a.job, when);
	rtc_ns = RTC / tick * tick;
	is(save_a(read_rtc), JIF_SNAPSHOT_SIZE(1), "is saved");
	jif_job_del(&a.job);
	init_item(&a, 'a');
	jif_job_init(&service, &a.job, look_at_call);
	rtc_ns += 90000 * tick;
	go_to(3 * tick);
	is(restore_a(read_rtc), 1, "and restored much later");
	expect_by(10003 * tick - 1, "", "both in one phase: not early");
	go_to(10003 * tick);
	ok(noted("p") && last_call.due_ns == 10003 * tick, "nor late");
	ok(a.job.times == 79999 && a.job.waiting.policy == JIF_CATCHUP_EACH,
	   "as often as before, with its policy");
	expect_by(80003 * tick - 1, "", "with its period, not early");
	expect_by(80003 * tick, "p", "nor late");
	end();
}

/* What is due while nobody runs says so; a snapshot of nothing changes none. */
static void says_since_when_it_is_due(void)
{
	uint64_t t = WRAP - 10 * MS;

	begin_at(0, 0, t);
	start_service();
	jif_job_init(&service, &a.job, look_at_call);
	jif_job_add(&a.job, t + 5 * MS);
	rtc_ns = RTC;
	save_a(read_rtc);
	jif_job_del(&a.job);
	rtc_ns += 9 * MS;
	is(restore_a(read_rtc), 1, "overdue by 4 ms");
	await_runs(1);
	ok(noted("p") && last_call.due_ns == t - 4 * MS, "and says so");
	rtc_ns = RTC;
	is(save_a(read_rtc), JIF_SNAPSHOT_SIZE(0), "nothing is saved");
	rtc_ns += HOUR;
	is(jif_service_restore(&service, &only_a, kept, JIF_SNAPSHOT_SIZE(0),
			       read_rtc),
	   0, "nothing is restored");
	jif_job_add(&b.job, t + 5 * MS);
	is(jif_job_left(&b.job), 5 * MS, "time goes on from now");
	jif_job_add(&d.job, t + HOUR);
	jif_job_del(&b.job);
	is(restore_a(read_rtc), -JIF_EBUSY, "what the clock has not seen, too");
	jif_job_add(&b.job, t + 5 * MS);
	expect_by(t + 5 * MS - 1, "", "nothing is early");
	expect_by(t + 5 * MS, "b", "or late");
	is(jif_service_stop(&service, NULL), 1, "is pending");
	is(restore_list(&nothing, NULL), -JIF_ECANCELED, "it is stopped");
	rtc_ns = RTC;
}

static uint64_t real_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t in_an_hour(void)
{
	rtc_ns = real_ns();
	return rtc_ns + HOUR;
}

/* If no other function is given. How long this takes does not matter. */
static void takes_the_real_time(void)
{
	uint64_t before, after, left;

	begin_at(0, 0, 0);
	start_service();
	jif_job_add(&a.job, 2 * HOUR);
	before = real_ns();
	save_a(NULL);
	after = real_ns();
	jif_job_del(&a.job);
	is(restore_a(in_an_hour), 1, "restored in an hour");
	left = jif_job_left(&a.job);
	ok(left >= HOUR - (rtc_ns - before) &&
		   left <= HOUR - (rtc_ns - after) + 2 * MS,
	   "by the clock of the machine");
	end();
}

static int save_and_restore(void)
{
	int n = save_list(&snapshot, NULL);

	is(n, JIF_SNAPSHOT_SIZE(1), "one that was written over is saved");
	jif_job_del(&a.job);
	return jif_service_restore(&service, &snapshot, kept, (size_t)n, NULL);
}

static void refuses_what_no_job_can_be(void)
{
	static struct jif_timer timer = JIF_TIMER_INIT(never);
	static const struct jif_saved timers[] = { JIF_SAVED_TIMER(1, &timer) };
	const struct jif_snapshot plain = { &service.loop.wheel, timers, 1, 7 };
	int n;

	begin_process(WRAP - 10 * MS);
	service.on_stop = NULL;
	jif_job_add(&a.job, WRAP + HOUR);
	a.job.waiting.policy = JIF_CATCHUP_RESTART + 1;
	is(save_and_restore(), -JIF_EBADMSG, "a policy that is none");
	jif_job_add(&a.job, WRAP + HOUR);
	a.job.waiting.policy = JIF_CATCHUP_RESTART;
	is(save_and_restore(), 1, "the last one is");
	a.job.times = 2;
	is(save_and_restore(), -JIF_EBADMSG, "two times without a period");
	jif_job_start(&a.job, jif_times_every(WRAP + HOUR, MS, 2));
	a.job.waiting.period = UINT32_C(0x80000000);
	is(save_and_restore(), -JIF_EBADMSG, "one that is too long");
	jif_job_start(&a.job, jif_times_every(WRAP + HOUR, MS, 2));
	a.job.waiting.period = 0x7fffffff;
	is(save_and_restore(), 1, "the longest one");
	a.job.fn = NULL;
	is(save_and_restore(), -JIF_EINVAL, "a job without a function");
	a.job.fn = run_item;
	jif_service_lock(&service);
	jif_timer_add(&service.loop.wheel, &timer, 5);
	jif_service_unlock(&service);
	n = save_list(&plain, NULL);
	is(n, JIF_SNAPSHOT_SIZE(1), "a timer that is no job");
	jif_service_lock(&service);
	jif_timer_del(&service.loop.wheel, &timer);
	jif_service_unlock(&service);
	is(jif_service_restore(&service, &snapshot, kept, (size_t)n, NULL),
	   -JIF_ENOENT, "is none later");
	is(jif_service_left(&service, jif_key_number(1)), 0, "no such key");
	is(jif_service_stop(&service, NULL), 0, "nothing is pending");
}

/* Not even a clock that 32 bits do not count is changed by it. */
static void goes_on_after_a_refusal(void)
{
	struct jif_key key = jif_key_bytes("alpha", 5);
	uint64_t t = 2 * WRAP;

	begin_process(t);
	service.on_stop = NULL;
	jif_job_add(&a.job, t + HOUR);
	rtc_ns = RTC;
	save_a(read_rtc);
	jif_job_del(&a.job);
	jif_service_set(&service, key, "!", jif_times_once(t + HOUR));
	rtc_ns += 100 * 24 * HOUR;
	is(restore_a(read_rtc), -JIF_ERANGE, "after 100 days, it is too late");
	rtc_ns = RTC;
	jif_job_add(&b.job, t + 5 * MS);
	expect_by(t + 5 * MS - 1, "", "but it goes on: nothing is early");
	expect_by(t + 5 * MS, "b", "or late");
	is((long long)jif_service_left(&service, key), HOUR - 5 * MS,
	   "also of what it had");
	end();
}

static bool save_two(struct jif_wheel *wheel, const void *object,
		     struct jif_record *r, jif_handle_t *cursor)
{
	(void)wheel;
	(void)object;
	*r = (struct jif_record){ .of = OF_PERIODIC, .left = 9, .times = 1 };
	return (*cursor)++ < 2;
}

static void refuses_two_records_of_a_job(void)
{
	static const struct jif_saved_kind twice = { save_two, NULL, NULL };
	const struct jif_saved list[] = { { 1, &twice, &a } };
	const struct jif_snapshot two = { &service.loop.wheel, list, 1, 7 };
	int n;

	begin_process(WRAP - 10 * MS);
	service.on_stop = NULL;
	n = save_list(&two, read_rtc);
	is(n, JIF_SNAPSHOT_SIZE(2), "two records with one number");
	is(jif_service_restore(&service, &only_a, kept, (size_t)n, read_rtc),
	   -JIF_EBADMSG, "are not those of a job");
	end();
}

static unsigned char saved_far[JIF_SNAPSHOT_SIZE(1)];
static const struct jif_saved far_list[] = { JIF_SAVED_JOB(1, &b.job) };
static const struct jif_snapshot only_b = { &service.loop.wheel, far_list, 1,
					    7 };

static void save_far(struct jif_service *s)
{
	jif_service_save(s, &only_b, saved_far, sizeof(saved_far), read_rtc);
}

/* Its timer expires in the run that a stop ends, for the wheel's reach. */
static void stop_saves_what_is_far(void)
{
	uint64_t t = WRAP, ahead = (UINT64_C(1) << 29) * MS;
	uint64_t reach = JIF_DELAY_MAX * MS;
	pthread_t thread;
	int drained;

	begin_process(t);
	service.on_stop = save_far;
	a.held = true;
	jif_job_add(&a.job, t + reach);
	jif_job_add(&c.job, t + MS);
	set_clock(t + ahead);
	jif_job_add(&b.job, t + ahead + reach);
	begin_to(t + reach);
	await(&a.begun);
	pthread_create(&thread, NULL, stop, &drained);
	while (jif_job_add(&d.job, t) != -JIF_ECANCELED)
		jif_job_del(&d.job);
	sem_post(&a.gate);
	pthread_join(thread, NULL);
	ok(noted("cab"), "a job that is far is handed out by a stop");
	begin_process(t);
	service.on_stop = NULL;
	is(jif_service_restore(&service, &only_b, saved_far, sizeof(saved_far),
			       read_rtc),
	   1, "and restored");
	is((long long)jif_job_left(&b.job), (long long)ahead,
	   "with all that it had left");
	end();
}

static void no_period(struct jif_periodic *p)
{
}

/* A record of a job that no job writes: it is due before it was saved. */
static void refuses_what_is_too_far(void)
{
	static struct jif_periodic periodic;
	static const struct jif_saved list[] = {
		JIF_SAVED_PERIODIC(1, &periodic),
	};
	const struct jif_snapshot other = { &service.loop.wheel, list, 1, 7 };
	static const uint32_t left[] = { 0x80000000, 0x7fffffff };
	uint32_t clock;

	begin_process(WRAP - 10 * MS);
	service.on_stop = NULL;
	rtc_ns = RTC;
	for (unsigned i = 0; i < 2; i++) {
		jif_service_lock(&service);
		clock = jif_wheel_clock(&service.loop.wheel);
		jif_periodic_init(&periodic, no_period, JIF_CATCHUP_EACH);
		jif_periodic_start(&service.loop.wheel, &periodic, 5, 1, 2);
		periodic.expires = clock + left[i];
		jif_service_unlock(&service);
		save_list(&other, read_rtc);
		jif_service_lock(&service);
		jif_periodic_stop(&periodic);
		jif_service_unlock(&service);
		is(restore_a(read_rtc), i ? 1 : -JIF_EBADMSG,
		   i ? "as far as can be" : "further than a job can be armed");
	}
	is(jif_service_stop(&service, NULL), 1, "that one is pending");
}

/* What is in the inbox of another thread. */
static void saves_what_others_have_armed(void)
{
	static const struct jif_saved list[] = { JIF_SAVED_JOB(1, &c.job) };
	const struct jif_snapshot only_c = { &service.loop.wheel, list, 1, 7 };
	uint64_t far = WRAP + HOUR;
	pthread_t other;

	begin_process(WRAP - 10 * MS);
	service.on_stop = NULL;
	jif_job_add(&a.job, WRAP + MS);
	settle();
	pthread_create(&other, NULL, arm_c, &far);
	pthread_join(other, NULL);
	is(save_list(&only_c, read_rtc), JIF_SNAPSHOT_SIZE(1),
	   "what another thread has armed is saved");
	is(jif_service_drain(&service, NULL), 2, "and drained");
	pthread_create(&other, NULL, arm_c, &far);
	pthread_join(other, NULL);
	is(restore_a(read_rtc), -JIF_EBUSY,
	   "it is pending, so nothing is restored");
	end();
}

static uint64_t drained_due[2];

static void note_due(struct jif_service *s, const struct jif_call *call)
{
	if (drained < 2)
		drained_due[drained] = call->due_ns;
	drained++;
}

static void stop_tells_what_waited(void)
{
	static const struct jif_saved list[] = { JIF_SAVED_JOB(2, &b.job) };
	const struct jif_snapshot jobs = { &service.loop.wheel, list, 1, 7 };
	static unsigned char saved_b[JIF_SNAPSHOT_SIZE(1)];
	uint64_t t = begin(1, JIF_FULL_BLOCK);
	int n;

	jif_job_add(&b.job, t + 2 * HOUR);
	is(jif_service_save(&service, &jobs, saved_b, sizeof(saved_b), NULL),
	   sizeof(saved_b), "a service without keys is saved");
	jif_job_del(&b.job);
	is(jif_service_restore(&service, &jobs, saved_b, sizeof(saved_b), NULL),
	   1, "and restored");
	jif_job_del(&b.job);
	hold_worker(t);
	jif_job_add(&b.job, t + 6 * MS);
	jif_job_add(&c.job, t + HOUR);
	go_to(t + 6 * MS);
	is(jif_job_left(&b.job), 0, "what waits has no time left");
	jif_job_del(&c.job);
	n = save_list(&jobs, NULL);
	is(n, JIF_SNAPSHOT_SIZE(0), "what waits is not saved");
	is(jif_service_restore(&service, &jobs, saved_b,
			       (size_t)sizeof(saved_b), NULL),
	   -JIF_EBUSY, "nor restored");
	jif_job_add(&c.job, t + HOUR);
	is(jif_service_stop_in(&service, NULL, MS), -JIF_ETIMEDOUT,
	   "a stop while one runs, one waits, one is not due");
	sem_post(&a.gate);
	drained = 0;
	is(jif_service_stop(&service, note_due), 2, "two are handed out");
	is(drained_due[0], (t + 6 * MS), "since when");
	is(drained_due[1], 0, "the other one has not waited");
	forget();
}

void survive(void)
{
	static const uint64_t phases[] = { 0, 300 * US, MS - 1 };

	catches_up_with_what_it_missed();
	for (unsigned i = 0; i < 3; i++)
		for (unsigned k = 0; k < 3; k++)
			is_not_early_for_a_restart(phases[i], phases[k]);
	is_not_early_although_clocks_are_read_apart(rtc_with_the_clock);
	is_not_early_although_clocks_are_read_apart(rtc_of_the_clock);
	twice_on_the_list_it_is_pending_once();
	keeps_what_is_far(MS);
	keeps_what_is_far(HOUR);
	says_since_when_it_is_due();
	takes_the_real_time();
	stop_tells_what_waited();
	refuses_what_it_cannot_restore();
	saves_what_is_far();
	tells_what_is_left_of_what_is_far();
	tells_all_that_is_left_of_what_is_far();
	refuses_what_no_job_can_be();
	refuses_what_is_too_far();
	refuses_two_records_of_a_job();
	goes_on_after_a_refusal();
	stop_saves_what_is_far();
	saves_what_others_have_armed();
}
