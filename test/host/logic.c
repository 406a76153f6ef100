/* SPDX-License-Identifier: MIT */
/*
 * test/host/logic.c - what a service does, with a clock of the test's own
 *
 * Time is what the test says, and begins shortly before ticks of a millisecond
 * wrap in 32 bits. Where something has to happen in another thread, the test
 * waits for it, for as long as that takes.
 *
 * usage: logic [many]: or what takes more keys and calls than 16 bits count
 */
#include <jif/debug.h>
#include <jif/service.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tap.h"

/* What becomes of most armings is what these tests look at. */
#pragma GCC diagnostic ignored "-Wunused-result"

#define MS	UINT64_C(1000000)
#define US	UINT64_C(1000)
#define HOUR	(3600 * 1000 * MS)
#define WRAP	(UINT64_C(4294967296) * MS)

#define WORKERS 2
#define CALLS	2

static struct jif_service service;
static struct jif_entry entries[4];
static struct jif_worker workers[WORKERS];
static struct jif_call calls[CALLS];

static uint64_t fake_ns;
static char trace[64];
static unsigned traced;
static pthread_mutex_t tracing = PTHREAD_MUTEX_INITIALIZER;

static uint64_t fake_clock(const struct jif_loop *loop)
{
	(void)loop;
	return __atomic_load_n(&fake_ns, __ATOMIC_RELAXED);
}

/* For another thread to do something; less work than sched_yield(). */
static void wait_a_bit(void)
{
	nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
}

static void set_clock(uint64_t ns)
{
	__atomic_store_n(&fake_ns, ns, __ATOMIC_RELAXED);
}

static void note(char what)
{
	pthread_mutex_lock(&tracing);
	if (traced < sizeof(trace) - 1)
		trace[traced++] = what;
	pthread_mutex_unlock(&tracing);
}

static void forget(void)
{
	pthread_mutex_lock(&tracing);
	memset(trace, 0, sizeof(trace));
	traced = 0;
	pthread_mutex_unlock(&tracing);
}

static bool noted(const char *want)
{
	bool same;

	pthread_mutex_lock(&tracing);
	same = !strcmp(trace, want);
	if (!same)
		printf("# want: \"%s\", got: \"%s\"\n", want, trace);
	pthread_mutex_unlock(&tracing);
	forget();
	return same;
}

/* Each of these once, in no certain order. */
static bool noted_all(const char *names)
{
	char *place, got[sizeof(trace)];

	pthread_mutex_lock(&tracing);
	memcpy(got, trace, sizeof(got));
	pthread_mutex_unlock(&tracing);
	forget();
	for (; *names && (place = strchr(got, *names)); names++)
		memmove(place, place + 1, strlen(place));
	return !*names && !*got;
}

/*
 * Until the clock thread has caught up with the time, and sleeps again. The end
 * of jif_service_lock() would set the sleep anew.
 */
static void settle(void)
{
	bool asleep;

	do {
		wait_a_bit();
		pthread_mutex_lock(&service.lock);
		asleep = service.loop.until_ns &&
			 service.loop.ran ==
				 fake_clock(NULL) / service.loop.tick_ns;
		pthread_mutex_unlock(&service.lock);
	} while (!asleep);
}

static void begin_to(uint64_t ns)
{
	set_clock(ns);
	jif_service_wake(&service);
}

static void go_to(uint64_t ns)
{
	begin_to(ns);
	settle();
}

static bool nothing_queued(void)
{
	bool none;

	pthread_mutex_lock(&service.lock);
	none = !service.stats.queued;
	pthread_mutex_unlock(&service.lock);
	return none;
}

/* Until the workers have nothing to do. */
static void finish_work(void)
{
	bool busy;

	do {
		wait_a_bit();
		busy = !nothing_queued();
		pthread_mutex_lock(&service.lock);
		for (unsigned i = 0; i < service.worker_count; i++)
			busy |= service.workers[i].busy;
		pthread_mutex_unlock(&service.lock);
	} while (busy);
}

/**
 * struct item - a job of a test
 * @job:	the job
 * @name:	what it leaves in the trace
 * @again_ns:	it arms itself for that time; 0: it does not
 * @begun:	posted when the callback has begun; it waits for @gate then
 * @gate:	see @begun
 * @held:	whether it does
 * @result:	what the callback returns
 * @takes_ns:	the clock moves on meanwhile
 * @thread:	where it ran
 */
struct item {
	struct jif_job job;
	char name;
	uint64_t again_ns;
	sem_t begun;
	sem_t gate;
	bool held;
	int result;
	uint64_t takes_ns;
	pthread_t thread;
};

static struct item a, b, c, d, e;
static struct jif_order one = { .running_max = 1 };

static int run_item(struct jif_job *job)
{
	struct item *item = jif_container_of(job, struct item, job);
	uint64_t again = item->again_ns;

	item->thread = pthread_self();
	item->again_ns = 0;
	if (again)
		jif_job_add(job, again);
	if (item->held) {
		sem_post(&item->begun);
		await(&item->gate);
	}
	set_clock(fake_clock(NULL) + item->takes_ns);
	note(item->name);
	return item->result;
}

static void init_item(struct item *item, char name)
{
	memset(item, 0, sizeof(*item));
	memset(&item->job, 0xa5, sizeof(item->job));
	jif_job_init(&service, &item->job, run_item);
	sem_init(&item->begun, 0, 0);
	sem_init(&item->gate, 0, 0);
	item->name = name;
}

static void begin_at(unsigned n, enum jif_full full, uint64_t start)
{
	memset(&service, 0, sizeof(service));
	memset(&service.stats, 0xa5,
	       sizeof(service) - offsetof(struct jif_service, stats));
	service.loop.clock = fake_clock;
	if (n) {
		service.workers = workers;
		service.worker_count = n;
		service.calls = calls;
		service.call_count = CALLS;
		service.full = full;
	}
	set_clock(start);
	forget();
	init_item(&a, 'a');
	init_item(&b, 'b');
	init_item(&c, 'c');
	init_item(&d, 'd');
	init_item(&e, 'e');
}

static uint64_t begin(unsigned n, enum jif_full full)
{
	uint64_t start = WRAP - 10 * MS;

	begin_at(n, full, start);
	jif_service_init(&service);
	jif_service_start(&service);
	return start;
}

static void end(void)
{
	jif_service_stop(&service, NULL);
}

/* A callback that goes on until its gate is opened. */
static void hold(struct item *item, uint64_t ns)
{
	item->held = true;
	jif_job_add(&item->job, ns);
	begin_to(ns);
	await(&item->begun);
}

static void hold_worker(uint64_t t)
{
	hold(&a, t + 5 * MS);
}

/* One more than the queue of one worker has room for. */
static void queue_the_others(uint64_t t)
{
	jif_job_add(&b.job, t + 6 * MS);
	jif_job_add(&c.job, t + 6 * MS);
	jif_job_add(&d.job, t + 6 * MS);
	begin_to(t + 6 * MS);
}

static void runs_on_time(void)
{
	uint64_t t = begin(0, 0);

	jif_job_add(&b.job, t + 20 * MS);
	jif_job_add(&a.job, t + 5 * MS + 1);
	jif_job_add(&c.job, t + 20 * MS);
	jif_job_add(&d.job, t - HOUR);
	go_to(t + 1 * MS);
	ok(noted("d"), "what is past runs on the next tick");
	go_to(t + 6 * MS - 1);
	ok(noted(""), "a job does not run early");
	go_to(t + 6 * MS);
	ok(noted("a"), "but on the first tick that is not sooner");
	go_to(t + 30 * MS);
	ok(noted("bc"), "jobs of one tick run in arming order, after the wrap");
	end();
}

static uint64_t stop_ns(void)
{
	uint64_t ns;

	settle();
	pthread_mutex_lock(&service.lock);
	ns = service.loop.until_ns;
	pthread_mutex_unlock(&service.lock);
	return ns;
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
	go_to(t + 40 * MS);
	ok(noted("abdc"), "a thread's jobs run in the order of arming");
	jif_job_add(&b.job, t + 50 * MS);
	jif_job_add(&a.job, t + 60 * MS);
	is(jif_job_add(&a.job, t + 90 * MS), -JIF_EBUSY, "it is pending");
	is((long long)jif_job_left(&a.job), 20 * MS, "for the same time");
	ok(jif_job_del(&a.job) && !jif_job_del(&a.job), "deleted, once");
	jif_job_add(&c.job, t + 60 * MS);
	is(jif_service_stop(&service, NULL), 2, "a stop finds both");
	ok(!jif_job_pending(&b.job) && !jif_job_pending(&c.job), "for good");
}

static void *arm_c(void *arg)
{
	jif_job_add(&c.job, *(uint64_t *)arg);
	return NULL;
}

static void takes_from_other_threads(void)
{
	uint64_t t = begin(0, 0), hour = t + HOUR;
	struct jif_stats stats;
	int deleted = 0;
	pthread_t other;

	jif_job_add(&b.job, t + 6 * MS);
	settle();
	pthread_create(&other, NULL, arm_c, &hour);
	pthread_join(other, NULL);
	is(jif_job_mod(&c.job, t + 20 * MS), 1,
	   "what another thread has armed is moved");
	hold_worker(t);
	set_clock(t + 7 * MS);
	is((long long)jif_job_left(&b.job), 0,
	   "what is overdue has no time left");
	sem_post(&a.gate);
	go_to(t + 20 * MS);
	ok(noted("abc"), "and runs");
	for (unsigned i = 0; i < 2 * JIF_SERVICE_INBOXES; i++) {
		pthread_create(&other, NULL, arm_c, &hour);
		pthread_join(other, NULL);
		jif_service_stats(&service, &stats);
		deleted += stats.pending == 1 && jif_job_del(&c.job);
	}
	is(deleted, 2 * JIF_SERVICE_INBOXES, "whichever it is");
	is(jif_service_drain(&service, NULL), 0, "they are deleted");
	for (unsigned i = 0; i < JIF_SERVICE_INBOXES; i++) {
		jif_service_start(&service);
		jif_job_add(&a.job, t + 30 * MS);
		settle();
		pthread_create(&other, NULL, arm_c, &hour);
		pthread_join(other, NULL);
		deleted -= jif_service_stop(&service, NULL);
	}
	is(deleted, 0, "or drained by a stop, with what the clock has seen");
}

static bool overtaken;

/* Right before its thread sees the time, another one arms c for that. */
static uint64_t overtaken_clock(const struct jif_loop *loop)
{
	uint64_t ns = fake_clock(loop);
	pthread_t other;

	if (overtaken && pthread_equal(pthread_self(), service.clock.thread)) {
		overtaken = false;
		pthread_create(&other, NULL, arm_c, &ns);
		pthread_join(other, NULL);
	}
	return ns;
}

static void runs_what_is_armed_by_then(void)
{
	uint64_t t = WRAP - 10 * MS;

	begin_at(0, 0, t);
	service.loop.clock = overtaken_clock;
	jif_service_init(&service);
	jif_service_start(&service);
	settle();
	overtaken = true;
	go_to(t + 1 * MS);
	ok(noted("c"), "what is armed before the time is read runs in time");
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
	go_to(t);
	ok(noted("abc"), "then it may");
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
	go_to(t + 7 * MS);
	ok(noted(""), "what was moved does not run");
	ok(jif_job_del(&a.job) && !jif_job_del(&a.job), "deleted once");
	is(jif_job_del_sync(&b.job), 1, "deleted, and waited for");
	go_to(t + 10 * MS);
	ok(noted(""), "what was deleted does not run");
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
	(void)what;
	(void)object;
	(void)fn;
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
	is((long long)service.stats.pending, 2,
	   "who locks it arms on the wheel, until it is unlocked as often");
	is(jif_service_start(&service), -JIF_EDEADLK, "it is locked");
	is(jif_service_drain(&service, NULL), -JIF_EDEADLK, "so is this one");
	jif_service_unlock(&service);
	jif_service_unlock(&service);
	is(jif_service_start(&service), -JIF_EBUSY,
	   "to unlock what is not locked changes nothing");
	jif_job_add(&c.job, t + 30 * MS);
	is((long long)service.stats.pending, 2, "the clock has not seen it");
	is(jif_service_stop(&service, NULL), 3, "and it stops");
	jif_service_lock(&service);
	jif_service_unlock(&service);
	is(jif_job_add(&a.job, t + HOUR), -JIF_ECANCELED,
	   "to unlock it does not open it");
	jif_service_wake(&service);
	if (&jif_warn)
		jif_warn = NULL;
}

#define MANY 300

static struct item many[MANY];
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
	is((long long)jif_job_left(&many[MANY - 1].job), HOUR,
	   "and has so long left");
	is(jif_service_drain(&service, NULL), MANY + 1, "all is drained");
	jif_service_stats(&service, &stats);
	is(stats.pending, 0, "nothing is pending");
	arm_many(100, t + 20 * MS);
	jif_service_lock(&service);
	is((long long)service.stats.pending, 100, "who locks it sees its own");
	jif_service_unlock(&service);
	go_to(t + 20 * MS);
	is(many_ran, 100, "they run, in order");
	arm_many(100, t + 21 * MS);
	go_to(t + 21 * MS);
	is(many_ran, 100, "also those that the clock has not seen");
	arm_many(100, t + HOUR);
	is(jif_service_stop(&service, NULL), 100, "or are drained by a stop");
}

static void note_drained(struct jif_service *s, const struct jif_call *call)
{
	if (!call->job)
		note((char)('0' + call->key.number));
	else
		note(jif_container_of(call->job, struct item, job)->name);
	if (call->job &&
	    (jif_job_pending(call->job) || call->fn != call->job->fn))
		note('!');
	if (jif_service_stop(s, NULL) != -JIF_EDEADLK ||
	    jif_service_drain(s, NULL) != -JIF_EDEADLK ||
	    (call->job && jif_job_del_sync(call->job) != -JIF_EDEADLK))
		note('!');
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
	go_to(t + 50 * MS);
	ok(noted("a"), "which run");
	jif_job_add(&a.job, t + 60 * MS);
	jif_job_add(&b.job, t + 60 * MS);
	is(jif_service_drain(&service, note_drained), 2,
	   "drained while it runs");
	ok(noted("ab"), "in order");
	jif_job_add(&c.job, t + 60 * MS);
	go_to(t + 60 * MS);
	ok(noted("c"), "and it goes on");
	end();
}

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

static void *delete_sync(void *arg)
{
	struct item *item = arg;

	item->result = jif_job_del_sync(&item->job);
	note('-');
	return NULL;
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
	go_to(t + 20 * MS);
	ok(noted(""), "so that nothing is left");
	end();
}

static void await_waiters(int n)
{
	int waiting;

	do {
		wait_a_bit();
		pthread_mutex_lock(&service.lock);
		waiting = (int)service.waiting;
		pthread_mutex_unlock(&service.lock);
	} while (waiting < n);
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
	await_waiters(2);
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

	go_to(t + 30 * MS);
	sem_post(&b.gate);
	finish_work();
	is((long long)jif_service_counts(&service).ran, 3, "each ran once");
	ok(!pthread_equal(a.thread, b.thread), "in two threads");
	end();
}

static void await_idle(unsigned n)
{
	unsigned idle;

	do {
		wait_a_bit();
		pthread_mutex_lock(&service.lock);
		idle = service.idle;
		pthread_mutex_unlock(&service.lock);
	} while (idle < n);
}

static void keeps_order(void)
{
	uint64_t t = begin(2, JIF_FULL_BLOCK);
	struct jif_stats stats;

	memset(&one, 0xa5, sizeof(one));
	one.running_max = 1;
	one.queued_max = 0;
	jif_order_init(&service, &one);
	jif_order_stats(&one, &stats);
	ok(!stats.queued && !stats.counts.ran && !stats.late[0],
	   "an order begins with nothing");
	a.held = true;
	jif_job_order(&a.job, &one);
	jif_job_order(&b.job, &one);
	jif_job_add(&a.job, t + 5 * MS);
	jif_job_add(&b.job, t + 6 * MS);
	jif_job_add(&c.job, t + 6 * MS);
	begin_to(t + 5 * MS);
	await(&a.begun);
	go_to(t + 6 * MS);
	while (jif_service_counts(&service).ran < 1)
		wait_a_bit();
	ok(jif_job_pending(&b.job), "a job waits for one of the same order");
	sem_post(&a.gate);
	finish_work();
	ok(noted("cab"), "and others go past it");
	end();
}

static void waits_for_itself(void)
{
	uint64_t t = begin(2, JIF_FULL_BLOCK);

	c.again_ns = t + 8 * MS;
	hold(&c, t + 7 * MS);
	go_to(t + 8 * MS);
	await_idle(1);
	ok(jif_job_pending(&c.job), "a job waits for itself");
	c.held = false;
	sem_post(&c.gate);
	finish_work();
	ok(noted("cc"), "and runs then");

	jif_job_order(&d.job, NULL);
	d.again_ns = t + 10 * MS;
	hold(&d, t + 9 * MS);
	go_to(t + 10 * MS);
	await(&d.begun);
	sem_post(&d.gate);
	sem_post(&d.gate);
	finish_work();
	ok(noted("dd"), "unless no order at all is asked for");
	end();
}

static bool is_full(void)
{
	bool full;

	pthread_mutex_lock(&service.lock);
	full = service.ready_count >= service.call_count;
	pthread_mutex_unlock(&service.lock);
	return full;
}

static void blocks_when_full(void)
{
	uint64_t t = begin(1, JIF_FULL_BLOCK);

	hold_worker(t);
	queue_the_others(t);
	while (!is_full())
		wait_a_bit();
	is(service.ready_count, CALLS, "the queue is full");
	sem_post(&a.gate);
	settle();
	finish_work();
	ok(noted("abcd"), "BLOCK: the clock waits, and nothing is lost");
	is((long long)jif_service_counts(&service).refused, 0, "or refused");
	end();
}

static void *stop(void *arg)
{
	*(int *)arg = jif_service_stop(&service, note_drained);
	return NULL;
}

static void stops_when_full(void)
{
	uint64_t t = begin(1, JIF_FULL_BLOCK);
	pthread_t thread;
	int drained, state;

	hold_worker(t);
	queue_the_others(t);
	while (!is_full())
		wait_a_bit();
	state = service.state;
	pthread_create(&thread, NULL, stop, &drained);
	while (jif_job_add(&a.job, t + HOUR) != -JIF_ECANCELED)
		jif_job_del(&a.job);
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
	pthread_create(&thread, NULL, stop, &drained);
	while (jif_job_add(&b.job, t + HOUR) != -JIF_ECANCELED)
		jif_job_del(&b.job);
	jif_service_lock(&service);
	jif_loop_wake(&service.loop);
	is((long long)service.loop.until_ns, 0,
	   "a service that stops is not sent to sleep");
	jif_service_unlock(&service);
	sem_post(&a.gate);
	pthread_join(thread, NULL);
	is(drained, 0, "and ends");
	forget();
}

static void helps_when_full(void)
{
	uint64_t t = begin(1, JIF_FULL_INLINE);

	jif_order_init(&service, &one);
	jif_job_order(&a.job, &one);
	jif_job_order(&b.job, &one);
	hold_worker(t);
	queue_the_others(t);
	go_to(t + 6 * MS + 1);
	ok(noted("c"), "INLINE: the clock runs what need not wait");
	ok(pthread_equal(c.thread, service.clock.thread), "in its own thread");
	sem_post(&a.gate);
	finish_work();
	ok(noted("adb"), "and as little as that takes");
	is((long long)jif_service_counts(&service).helped, 1, "counted");
	end();
}

static struct jif_call reported;
static int reported_err;
static uint64_t reported_ns;
static unsigned reports;

static void keep_report(struct jif_service *s, const struct jif_call *call,
			int err, uint64_t ns)
{
	jif_service_lock(s);
	if (s->depth != 1)
		note('!');
	reported = *call;
	reported_err = err;
	reported_ns = ns;
	reports++;
	jif_service_unlock(s);
}

static sem_t reporting, reported_gate;

static void hold_report(struct jif_service *s, const struct jif_call *call,
			int err, uint64_t ns)
{
	keep_report(s, call, err, ns);
	sem_post(&reporting);
	await(&reported_gate);
}

/* Until another thread waits for the end of a call, or has done with it. */
static void await_waiting(void)
{
	bool waiting;

	do {
		wait_a_bit();
		pthread_mutex_lock(&service.lock);
		waiting = service.waiting;
		pthread_mutex_unlock(&service.lock);
		pthread_mutex_lock(&tracing);
		waiting |= traced;
		pthread_mutex_unlock(&tracing);
	} while (!waiting);
}

static void frees_what_is_refused(void)
{
	pthread_t thread;

	begin_at(1, JIF_FULL_REFUSE, WRAP);
	service.report = hold_report;
	jif_service_init(&service);
	jif_service_start(&service);
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
	sem_post(&a.gate);
	finish_work();
	end();
}

static void refuses_when_full(void)
{
	uint64_t t;

	begin_at(1, JIF_FULL_REFUSE, WRAP);
	service.report = keep_report;
	jif_service_init(&service);
	jif_service_start(&service);
	t = WRAP;
	reports = 0;
	reported_ns = 1;
	hold_worker(t);
	jif_job_start(&b.job, jif_times_every(t + 6 * MS, MS, 2));
	jif_job_add(&c.job, t + 6 * MS);
	jif_job_add(&d.job, t + 6 * MS);
	go_to(t + 6 * MS);
	ok(reports == 1 && reported.job == &d.job &&
		   reported_err == -JIF_ENOSPC && !reported_ns,
	   "REFUSE: what does not fit is reported");
	is((long long)jif_service_counts(&service).refused, 1, "and counted");
	ok(!jif_job_pending(&d.job), "and not pending");
	go_to(t + 7 * MS);
	is(reports, 1, "what waits already has its place");
	sem_post(&a.gate);
	finish_work();
	ok(noted("abcb"), "the rest runs");
	end();
}

/* What waits takes no place in the queue. */
static void refuses_none_that_waits(struct jif_order *order)
{
	uint64_t t = WRAP;

	begin_at(1, JIF_FULL_REFUSE, t);
	service.report = keep_report;
	jif_service_init(&service);
	jif_service_start(&service);
	reports = 0;
	one = (struct jif_order){ .running_max = 1 };
	jif_order_init(&service, &one);
	if (order)
		jif_job_order(&a.job, order);
	jif_job_order(&d.job, &one);
	a.again_ns = t + 7 * MS;
	hold_worker(t);
	queue_the_others(t);
	go_to(t + 7 * MS);
	is(reports, !order,
	   order ? "REFUSE: not what waits for its order" :
		   "REFUSE: what has a turn, but not what waits for itself");
	sem_post(&a.gate);
	sem_post(&a.gate);
	finish_work();
	ok(noted_all(order ? "abcda" : "abca"), "the others have run");
	end();
}

/* One that is slow may have been reported before, too. */
static void keep_end(struct jif_service *s, const struct jif_call *call,
		     int err, uint64_t ns)
{
	if (err != -JIF_ETIMEDOUT)
		keep_report(s, call, err, ns);
}

static void reports_slow_and_failed(unsigned n)
{
	uint64_t t = WRAP;
	struct jif_stats stats;

	begin_at(n, JIF_FULL_BLOCK, t);
	service.report = keep_end;
	service.slow_ns = 5 * MS;
	reports = 0;
	jif_service_init(&service);
	jif_service_start(&service);
	a.takes_ns = 4 * MS;
	b.takes_ns = 7000 * MS;
	c.result = 1 << 16;
	jif_job_add(&a.job, t + 5 * MS);
	begin_to(t + 5 * MS);
	while (jif_service_counts(&service).ran < 1)
		wait_a_bit();
	is(reports, 0, "a callback that is quick is not reported");
	jif_job_add(&b.job, t + 10 * MS);
	begin_to(t + 10 * MS);
	while (jif_service_counts(&service).ran < 2)
		wait_a_bit();
	ok(reports == 1 && reported.job == &b.job && reported.fn == run_item &&
		   !reported_err && reported_ns == 7000 * MS,
	   "a slow one is: job, function, how long");
	jif_job_add(&c.job, t + 8000 * MS);
	jif_job_add(&d.job, t + 8000 * MS);
	begin_to(t + 8000 * MS);
	while (jif_service_counts(&service).ran < 4)
		wait_a_bit();
	ok(reports == 2 && reported.job == &c.job && reported_err == 1 << 16,
	   "one that fails is reported");
	ok(noted("abcd"), "and the others run");
	jif_service_stats(&service, &stats);
	ok(stats.counts.slow == 1 && stats.counts.failed == 1,
	   "both are counted");
	is((long long)stats.longest_ns, 7000 * MS, "the longest is kept");
	end();
}

static sem_t key_begun, key_gate;
static bool key_held;
static struct jif_call key_call; /* the last one */

static int run_key(struct jif_service *s, struct jif_key key, void *value)
{
	if (s != &service || value != &entries[key.number % 4] ||
	    !jif_service_current(s, &key_call))
		note('!');
	if (key_held) {
		sem_post(&key_begun);
		await(&key_gate);
	}
	note((char)('0' + key.number % 10));
	return jif_service_remove_sync(s, key) == -JIF_EDEADLK ? 0 : -1;
}

static void use_keys(void)
{
	service.key_fn = run_key;
	service.table.entries = entries;
	service.table.capacity = 4;
	service.table.hash = jif_key_hash;
}

static void tells_bad_tables(void)
{
	begin_at(0, 0, WRAP);
	service.table.entries = entries;
	is(jif_service_init(&service), -JIF_EINVAL, "half a table");
	begin_at(0, 0, WRAP);
	service.key_catchup = JIF_CATCHUP_RESTART + 1;
	is(jif_service_init(&service), -JIF_EINVAL, "no policy for keys");
	begin_at(0, 0, WRAP);
	use_keys();
	service.key_fn = NULL;
	is(jif_service_init(&service), -JIF_EINVAL, "keys that call nothing");
	begin_at(0, 0, WRAP);
	use_keys();
	service.table.capacity = 0;
	is(jif_service_init(&service), -JIF_EINVAL, "keys with no entry");
	begin_at(0, 0, WRAP);
	service.key_size = 5;
	is(jif_service_init(&service), -JIF_EINVAL, "keys without their bytes");
	begin_at(0, 0, WRAP);
	service.table.capacity = 4;
	is(jif_service_init(&service), -JIF_EINVAL, "room for no entry");
}

/* Marks what it is given if the key is what that says. */
static void is_alpha(void *arg, const struct jif_call *call, uint64_t ns)
{
	if (call->key.number == 5 && !memcmp(call->key.bytes, arg, 5) && !ns)
		*(char *)arg = '!';
}

static uint64_t begin_keys(unsigned n)
{
	begin_at(n, JIF_FULL_BLOCK, WRAP - 10 * MS);
	service.key_fn = run_key;
	service.key_order = true;
	service.table.entries = entries;
	service.table.capacity = 4;
	service.table.hash = jif_key_hash;
	ok(!jif_service_init(&service) && !jif_service_start(&service),
	   n ? "a service for keys, with workers" : "a service for keys");
	key_held = false;
	return WRAP - 10 * MS;
}

static int set_key(unsigned number, uint64_t ns, bool add)
{
	return (add ? jif_service_add : jif_service_set)(&service,
							 jif_key_number(number),
							 &entries[number % 4],
							 jif_times_once(ns));
}

static void needs_a_table(void)
{
	begin_at(0, 0, WRAP);
	service.key_fn = run_key;
	is(jif_service_init(&service), -JIF_EINVAL, "keys without a table");
}

static void runs_keys(void)
{
	uint64_t t = begin_keys(0);

	is(set_key(1, t + 5 * MS, true), 0, "a key is added");
	is(set_key(1, t + 5 * MS, true), -JIF_EEXIST, "but not twice");
	is(set_key(1, t + 6 * MS, false), 1, "it is set anew");
	is(set_key(2, t + 6 * MS, false), 0, "or for the first time");
	is(jif_service_move(&service, jif_key_number(2), t + 7 * MS), 1,
	   "moved");
	is(jif_service_move(&service, jif_key_number(3), t + 7 * MS),
	   -JIF_ENOENT, "an unknown key is not");
	is(jif_service_move(&service, jif_key_number(2), UINT64_MAX),
	   -JIF_ERANGE, "nor is one moved too far");
	set_key(3, t + 9 * MS, false);
	is(jif_service_add(&service, jif_key_number(4), &entries[0],
			   jif_times_every(t + 8 * MS, 10 * MS, 3)),
	   0, "a key for three times");
	is(set_key(5, t + 9 * MS, false), -JIF_ENOSPC, "the table is full");
	is(jif_service_remove(&service, jif_key_number(3)), 0,
	   "one is removed");
	is(jif_service_remove(&service, jif_key_number(3)), -JIF_ENOENT,
	   "once");
	is(jif_service_set(&service, jif_key_number(3), NULL,
			   jif_times_every(t, 10 * MS + 1, 3)),
	   -JIF_EINVAL, "a period that is no whole number of ticks");
	go_to(t + 6 * MS);
	go_to(t + 7 * MS);
	go_to(t + 100 * MS);
	ok(noted("12444"), "each runs when it is due, so often");
	is((long long)jif_service_counts(&service).failed, 0,
	   "no callback waits for its own key");
	end();
}

static void drains_keys(void)
{
	uint64_t t = begin_keys(0);

	set_key(1, t + 105 * MS, false);
	is(jif_service_remove_sync(&service, jif_key_number(1)), 1,
	   "removed, and waited for");
	set_key(1, t + 105 * MS, false);
	is(jif_service_stop(&service, note_drained), 1, "stopped");
	ok(noted("1"), "the key is drained");
	ok(set_key(1, t + 105 * MS, false) == -JIF_ECANCELED &&
		   jif_service_move(&service, jif_key_number(1), t) ==
			   -JIF_ECANCELED,
	   "and none is set, or moved");
}

/* One callback has not ended. */
static void removes_keys_while_it_stops(void)
{
	uint64_t t = begin_keys(1);
	struct jif_key key = jif_key_number(1);

	hold_worker(t);
	set_key(1, t + HOUR, true);
	jif_service_stop_in(&service, NULL, 0);
	is(jif_service_remove_sync(&service, key), 1,
	   "a key is removed while a service stops");
	is(jif_service_remove_sync(&service, key), -JIF_ECANCELED, "once");
	sem_post(&a.gate);
	end();
	forget();
}

static void stopped_it_has_no_keys(void)
{
	is(jif_service_remove(&service, jif_key_number(1)), -JIF_ECANCELED,
	   "or removed");
	is(jif_service_remove_sync(&service, jif_key_number(1)), -JIF_ECANCELED,
	   "or waited for");
}

/* Another thread has gone to sleep until the first one is due. */
static void keys_wake_the_clock(void)
{
	uint64_t t = begin_keys(0);

	set_key(1, t + 50 * MS, true);
	ok(stop_ns() == t + 50 * MS, "a key that is added ends the sleep");
	set_key(2, t + 40 * MS, false);
	ok(stop_ns() == t + 40 * MS, "so does one that is set");
	jif_service_move(&service, jif_key_number(1), t + 30 * MS);
	ok(stop_ns() == t + 30 * MS, "and one that is moved");
	jif_job_start(&a.job, jif_times_every(t + 20 * MS, MS, JIF_FOREVER));
	ok(stop_ns() == t + 20 * MS, "and a job that has periods");
	end();
}

static void locks_for_other_calls(void)
{
	uint64_t t = begin_keys(0);
	struct jif_key key = jif_key_number(1);
	uint32_t left;

	set_key(1, t + 50 * MS, true);
	jif_service_lock(&service);
	left = jif_table_left(&service.table, key);
	is(jif_table_pause(&service.table, key), 0, "a key is paused");
	jif_service_unlock(&service);
	is(left, 50, "with so many ticks left");
	go_to(t + 60 * MS);
	jif_service_lock(&service);
	jif_table_resume(&service.table, key);
	jif_service_unlock(&service);
	ok(stop_ns() == t + 110 * MS, "when it goes on, the sleep follows");
	go_to(t + 110 * MS);
	ok(noted("1"), "and it runs");
	end();
}

static void moves_paused_keys(void)
{
	uint64_t t = begin_keys(0);

	set_key(1, t + 50 * MS, true);
	jif_service_pause(&service, jif_key_number(1));
	is(jif_service_move(&service, jif_key_number(1), t + 40 * MS), 0,
	   "a key that is paused is moved");
	ok(stop_ns() == t + 40 * MS, "and wakes the clock");
	end();
}

static void pauses_keys(void)
{
	uint64_t t = begin_keys(1);
	struct jif_key key = jif_key_number(1), other = jif_key_number(2);

	set_key(1, t + 50 * MS, true);
	set_key(2, t + 40 * MS, true);
	ok(jif_service_left(&service, key) == 50 * MS &&
		   !jif_service_left(&service, jif_key_number(3)),
	   "a key has so long left");
	is(jif_service_pause(&service, key), 0, "a key is paused");
	is(jif_service_pause(&service, key), -JIF_EINVAL, "once");
	is(jif_service_pause(&service, jif_key_number(3)), -JIF_ENOENT,
	   "an unknown one is not");
	is(jif_service_count(&service), 2, "it counts");
	go_to(t + 10 * MS + 1);
	ok(jif_service_left(&service, key) == 50 * MS &&
		   jif_service_left(&service, other) == 30 * MS - 1,
	   "its time stands still, that of others does not");
	is(jif_service_remove(&service, other), 0, "the other one is removed");
	go_to(t + 40 * MS);
	is(jif_service_resume(&service, key), 0, "it goes on");
	ok(stop_ns() == t + 90 * MS, "the clock wakes up for it");
	is(jif_service_resume(&service, key), -JIF_EINVAL, "once");
	jif_job_add(&b.job, t + 100 * MS);
	ok(jif_job_left(&b.job) == 60 * MS && !jif_job_left(&c.job),
	   "a job has so long left");
	hold_worker(t + 75 * MS);
	go_to(t + 90 * MS);
	is(jif_service_pause(&service, key), -JIF_EBUSY,
	   "what waits for a worker is not paused");
	sem_post(&a.gate);
	end();
	forget();
	is(jif_service_pause(&service, key), -JIF_ECANCELED,
	   "nor after a stop");
	is(jif_service_resume(&service, key), -JIF_ECANCELED, "or resumed");
}

static void never(struct jif_timer *timer)
{
	(void)timer;
	note('!');
}

/* Timers and keys that calls of other headers have armed. */
static void drains_what_is_no_job(void)
{
	/* What a job has after its timer; here, it is no address. */
	static struct {
		struct jif_timer timer;
		uintptr_t after[4];
	} plain = { JIF_TIMER_INIT(never), { 1, 1, 1, 1 } };
	uint64_t t = begin_keys(0);

	jif_job_add(&a.job, t + 50 * MS);
	jif_service_lock(&service);
	is(jif_loop_add(&service.loop, &plain.timer, t + HOUR), 0,
	   "a timer that is no job");
	jif_service_unlock(&service);
	is(jif_service_stop(&service, note_drained), 2, "is drained, too");
	ok(noted("a") && !jif_timer_pending(&plain.timer), "but not handed on");
	jif_service_lock(&service);
	jif_table_set(&service.table, jif_key_number(1), NULL, jif_once(5));
	jif_service_unlock(&service);
	is(jif_service_start(&service), 0, "when it starts again,");
	is(jif_table_count(&service.table), 0, "nothing is pending");
	end();
}

/* While one runs. */
static void keys_wait_and_are_armed(uint64_t t)
{
	set_key(2, t + 40 * MS, true);
	go_to(t + 40 * MS);
	is(set_key(3, t + HOUR, true), 0, "a key that is not due");
	is(jif_service_drain(&service, note_drained), 2, "two are drained");
	ok(noted("23"), "that which waits comes first");
	jif_service_set(&service, jif_key_number(2), &entries[2],
			jif_times_every(t + 45 * MS, 10 * MS, 4));
	go_to(t + 45 * MS);
	is(jif_service_move(&service, jif_key_number(2), t + 46 * MS), 1,
	   "one of several times is moved");
	ok(nothing_queued(), "and does not run before");
	go_to(t + 46 * MS);
	is(jif_service_pause(&service, jif_key_number(2)), 0, "or paused");
	ok(nothing_queued(), "and does not run either");
	is(jif_service_move(&service, jif_key_number(2), t + HOUR), 0,
	   "nor is it pending then");
	sem_post(&key_gate);
	finish_work();
	ok(noted("1"), "and what ran has ended");
	go_to(t + HOUR);
	finish_work();
	ok(jif_service_left(&service, jif_key_number(2)) == 10 * MS,
	   "then it runs, and comes once more");
	forget();
}

static void keys_wait_for_workers(void)
{
	uint64_t t = begin_keys(1);

	sem_init(&key_begun, 0, 0);
	sem_init(&key_gate, 0, 0);
	key_held = true;
	set_key(1, t + 5 * MS, true);
	set_key(2, t + 6 * MS, true);
	begin_to(t + 5 * MS);
	await(&key_begun);
	key_held = false;
	go_to(t + 6 * MS);
	is(set_key(2, t + 50 * MS, true), -JIF_EEXIST,
	   "a key that waits for a worker is pending");
	ok(set_key(2, UINT64_MAX, false) == -JIF_ERANGE && !nothing_queued(),
	   "an error changes nothing");
	is(jif_service_move(&service, jif_key_number(2), t + 20 * MS), 1,
	   "it can be moved");
	go_to(t + 7 * MS);
	ok(nothing_queued(), "and does not wait any more");
	go_to(t + 20 * MS);
	is(set_key(2, t + 30 * MS, false), 1, "set");
	ok(nothing_queued(), "so that it does not run twice");
	go_to(t + 30 * MS);
	is(jif_service_remove(&service, jif_key_number(2)), 0, "and removed");
	keys_wait_and_are_armed(t);
	end();
}

/* What it is given first deletes the next one; nothing can be armed. */
static void delete_next(struct jif_service *s, const struct jif_call *call)
{
	struct item *item = jif_container_of(call->job, struct item, job);

	note(item->name);
	if (item == &b && !jif_job_del(&c.job))
		note('!');
	if (jif_job_mod(&b.job, WRAP + HOUR) != -JIF_ECANCELED ||
	    jif_service_set(s, jif_key_number(1), NULL,
			    jif_times_once(WRAP + HOUR)) != -JIF_ECANCELED)
		note('!');
}

/* In the run that is under way when a service stops. */
static void keys_survive_a_stop(void)
{
	uint64_t t = begin_keys(0);
	pthread_t thread;
	int n;

	a.held = true;
	jif_job_add(&a.job, t + 5 * MS);
	set_key(1, t + 5 * MS, true);
	jif_job_add(&b.job, t + 5 * MS);
	begin_to(t + 5 * MS);
	await(&a.begun);
	pthread_create(&thread, NULL, stop, &n);
	while (set_key(2, t + HOUR, false) >= 0)
		;
	is(jif_service_stop(&service, NULL), -JIF_ECANCELED,
	   "another thread stops it");
	sem_post(&a.gate);
	pthread_join(thread, NULL);
	ok((n == 2 || n == 3) && jif_service_stopped(&service),
	   "what was due when it stopped");
	is(trace[0], 'a', "is drained after what ran");
	ok(strchr(trace, '1') && strchr(trace, 'b') &&
		   traced == (unsigned)n + 1,
	   "each once");
	forget();
}

/* It comes once more while it waits for the only worker. */
static void keys_wait_again(enum jif_catchup policy, const char *want,
			    uint64_t unit)
{
	uint64_t t = WRAP - 10 * MS;

	begin_at(1, JIF_FULL_BLOCK, t);
	use_keys();
	service.key_catchup = policy;
	service.key_order = true;
	key_held = false;
	jif_service_init(&service);
	jif_service_start(&service);
	hold_worker(t);
	jif_service_set(&service, jif_key_number(2), &entries[2],
			jif_times_every(t + 6 * unit, unit, 3));
	for (unsigned i = 6; i <= 8; i++)
		go_to(t + i * unit);
	is(jif_service_remove_sync(&service, jif_key_number(3)), 0,
	   "an unknown key is not waited for");
	sem_post(&a.gate);
	finish_work();
	ok(noted(want), "a key that waits runs as often as the policy says");
	ok(key_call.missed == (policy == JIF_CATCHUP_EACH ? 0 : 2) &&
		   key_call.due_ns ==
			   t + (policy == JIF_CATCHUP_EACH ? 8 : 6) * unit,
	   "and its callback can ask for that");
	end();
}

static void drains_while_things_are_deleted(void)
{
	uint64_t t = begin_keys(1);

	a.again_ns = t + 6 * MS;
	hold_worker(t);
	jif_job_add(&b.job, t + 6 * MS);
	jif_job_add(&c.job, t + 7 * MS);
	begin_to(t + 7 * MS);
	while (!is_full())
		wait_a_bit();
	jif_job_add(&d.job, t + HOUR);
	is(jif_service_drain(&service, delete_next), 3,
	   "three of four are drained, of which one waits for itself");
	ok(noted("bad"), "the other one was deleted; nothing is armed");
	is(jif_job_add(&b.job, t + 8 * MS), 0, "then it takes jobs again");
	sem_post(&a.gate);
	go_to(t + 8 * MS);
	finish_work();
	ok(noted("ab"), "which run");
	end();
}

static void keeps_the_bytes_of_a_key(void)
{
	uint64_t t = begin_keys(1);
	char looked_up[] = "alpha";
	struct jif_key key = jif_key_bytes("alpha", 5);

	hold_worker(t);
	jif_service_set(&service, key, &entries[1], jif_times_once(t + 6 * MS));
	go_to(t + 6 * MS);
	is(jif_service_move(&service, jif_key_bytes(looked_up, 5), t + HOUR), 1,
	   "a key that waits is moved by a copy of its bytes");
	memset(looked_up, 0, sizeof(looked_up));
	is(jif_service_remove(&service, key), 0, "and keeps its own");
	sem_post(&a.gate);
	finish_work();
	forget();
	end();
}

static void orders_keys(bool ordered)
{
	uint64_t t = begin_keys(2);

	service.key_order = ordered;
	sem_init(&key_begun, 0, 0);
	sem_init(&key_gate, 0, 0);
	key_held = true;
	jif_service_set(&service, jif_key_number(1), &entries[1],
			jif_times_every(t + 5 * MS, 5 * MS, 2));
	if (ordered)
		set_key(2, t + 10 * MS, true);
	begin_to(t + 5 * MS);
	await(&key_begun);
	go_to(t + 10 * MS);
	await(&key_begun);
	ok(nothing_queued() != ordered,
	   ordered ? "a key waits for itself, and others pass it" :
		     "without an order, a key overlaps itself");
	key_held = false;
	sem_post(&key_gate);
	sem_post(&key_gate);
	finish_work();
	is((long long)jif_service_counts(&service).ran, ordered ? 3 : 2,
	   ordered ? "all three ran" : "both ran");
	is((long long)jif_service_counts(&service).failed, 0,
	   "and did not wait for themselves");
	end();
}

static void catches_up(void)
{
	uint64_t t = begin_keys(0);

	jif_job_add(&b.job, t + 2 * HOUR);
	jif_job_add(&a.job, t + HOUR);
	jif_service_set(&service, jif_key_number(7), &entries[3],
			jif_times_every(t + HOUR, HOUR, JIF_FOREVER));
	go_to(t + 3 * HOUR);
	ok(noted("a7b77"), "a jump runs all that is due, in order");
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
	go_to(HOUR + 10 * US);
	ok(noted("a"), "is as exact");
	go_to(HOUR + 48 * HOUR);
	ok(noted("b"), "and jumps further than a wheel can run at once");
	is(jif_job_add(&a.job, 49 * HOUR + 10 * US), 0, "and goes on");
	go_to(49 * HOUR + 10 * US);
	ok(noted("a"), "from there");
	end();

	begin_at(0, 0, HOUR);
	service.loop.tick_ns = HOUR;
	ok(!jif_service_init(&service) && !jif_service_start(&service),
	   "a tick of an hour");
	jif_job_add(&a.job, 1000 * 24 * HOUR - 1);
	go_to(1000 * 24 * HOUR - HOUR);
	ok(noted(""), "does not run early");
	go_to(1000 * 24 * HOUR);
	ok(noted("a"), "and spans a thousand days");
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
	a.held = b.held = true;
	jif_job_add(&b.job, jif_service_now(&service) + 30 * MS);
	jif_job_add(&a.job, jif_service_now(&service) + 10 * MS);
	sem_post(&a.gate);
	sem_post(&b.gate);
	await(&b.begun);
	end();
	ok(noted("ab"), "wakes the service up");
}

static void runs_out(void)
{
	struct rlimit before, none = { 0, 0 };

	begin_at(1, 0, WRAP);
	jif_service_init(&service);
	getrlimit(RLIMIT_NOFILE, &before);
	none.rlim_max = before.rlim_max;
	setrlimit(RLIMIT_NOFILE, &none);
	is(jif_service_start(&service), -EMFILE, "no descriptor is left");
	setrlimit(RLIMIT_NOFILE, &before);
	is(jif_job_add(&a.job, WRAP), -JIF_ECANCELED, "so it is stopped");
	is(jif_service_stop(&service, NULL), -JIF_ECANCELED, "as before");
	is(jif_service_start(&service), 0, "and can be started later");
	end();
}

/* More jobs of one order than the queue has places, one of which runs. */
static uint64_t flood(unsigned n, enum jif_full full, unsigned running_max)
{
	uint64_t t = begin(n, full);

	one = (struct jif_order){ .running_max = running_max };
	jif_order_init(&service, &one);
	jif_job_order(&a.job, &one);
	jif_job_order(&b.job, &one);
	jif_job_order(&c.job, &one);
	jif_job_order(&d.job, &one);
	hold_worker(t);
	queue_the_others(t);
	return t;
}

static void slow_order_holds_nobody_up(void)
{
	uint64_t t = flood(2, JIF_FULL_BLOCK, 1);
	struct jif_stats stats;

	jif_job_add(&e.job, t + 16 * MS);
	go_to(t + 16 * MS);
	while (jif_service_counts(&service).ran < 1)
		wait_a_bit();
	ok(noted("e"), "what waits for its order holds no place of others");
	jif_order_stats(&one, &stats);
	ok(stats.queued == 3 && stats.running == 1 && !stats.counts.ran &&
		   !stats.pending,
	   "an order says what waits");
	jif_service_stats(&service, &stats);
	is(stats.queued, 3, "so does the service");
	is(jif_job_del_sync(&c.job), 1, "and can be deleted");
	sem_post(&a.gate);
	finish_work();
	ok(noted("abd"), "the rest runs in order of expiry");
	jif_order_stats(&one, &stats);
	ok(!stats.queued && !stats.running && stats.counts.ran == 3,
	   "and is counted");
	end();
}

static void orders_take_turns(void)
{
	uint64_t t = flood(1, JIF_FULL_BLOCK, 0);

	jif_job_add(&e.job, t + 7 * MS);
	begin_to(t + 7 * MS);
	while (!is_full())
		wait_a_bit();
	sem_post(&a.gate);
	finish_work();
	ok(noted("abecd"), "an order that floods does not hold up another one");
	end();
}

static void orders_run_at_a_time(void)
{
	uint64_t t = begin(2, JIF_FULL_BLOCK);

	one = (struct jif_order){ .running_max = 2 };
	jif_order_init(&service, &one);
	a.held = b.held = true;
	jif_job_order(&a.job, &one);
	jif_job_order(&b.job, &one);
	jif_job_add(&a.job, t + 5 * MS);
	jif_job_add(&b.job, t + 5 * MS);
	begin_to(t + 5 * MS);
	await(&a.begun);
	await(&b.begun);
	ok(true, "two of an order may run at a time");
	sem_post(&a.gate);
	sem_post(&b.gate);
	end();
	forget();
}

static void orders_have_a_quota(void)
{
	uint64_t t = WRAP;
	struct jif_stats stats;

	begin_at(2, JIF_FULL_BLOCK, t);
	service.report = keep_report;
	jif_service_init(&service);
	jif_service_start(&service);
	reports = 0;
	one = (struct jif_order){ .running_max = 1, .queued_max = 2 };
	jif_order_init(&service, &one);
	jif_job_order(&a.job, &one);
	jif_job_order(&b.job, &one);
	jif_job_order(&c.job, &one);
	jif_job_order(&d.job, &one);
	hold_worker(t);
	queue_the_others(t);
	settle();
	ok(reports == 1 && reported.job == &d.job &&
		   reported_err == -JIF_ENOSPC,
	   "what is beyond the quota of its order is refused");
	jif_order_stats(&one, &stats);
	ok(stats.counts.refused == 1 && stats.queued == 2, "and counted");
	sem_post(&a.gate);
	finish_work();
	ok(noted("abc"), "the rest runs");
	end();
}

/* One place in the queue, and workers that have nothing to do. */
static void helps_only_the_busy(void)
{
	uint64_t t = WRAP;

	begin_at(2, JIF_FULL_INLINE, t);
	service.call_count = 1;
	jif_service_init(&service);
	jif_service_start(&service);
	for (unsigned i = 1; i <= 20; i++) {
		await_idle(2);
		jif_job_add(&a.job, t + i * MS);
		jif_job_add(&b.job, t + i * MS);
		go_to(t + i * MS);
		finish_work();
	}
	ok(jif_service_counts(&service).ran == 40 &&
		   !jif_service_counts(&service).helped,
	   "INLINE: the clock leaves work to idle workers");
	end();
	forget();
}

static struct jif_call last_call;

static int look_at_call(struct jif_job *job)
{
	(void)job;
	note(jif_service_current(&service, &last_call) ? 'p' : '!');
	return 0;
}

static void clock_is_current(void)
{
	uint64_t t = begin(1, JIF_FULL_INLINE);

	jif_order_init(&service, &one);
	jif_job_order(&a.job, &one);
	jif_job_order(&b.job, &one);
	jif_job_init(&service, &c.job, look_at_call);
	hold_worker(t);
	queue_the_others(t);
	go_to(t + 6 * MS + 1);
	ok(noted("p") && last_call.job == &c.job,
	   "what the clock runs can ask for its call, too");
	sem_post(&a.gate);
	finish_work();
	forget();
	end();
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
	go_to(t + 48 * MS);
	ok(noted(want), "after a stall, as often as the policy says");
	is(last_call.missed, missed, "and it says how many were missed");
	ok(stop_ns() == t + next, "then it goes on");
	is(jif_job_del(&a.job), 1, "until it is deleted");
	jif_job_start(&a.job, jif_times_every(t + 50 * MS, MS, 2));
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

static void skips_periods_of_a_key(enum jif_catchup policy, const char *want,
				   uint64_t unit)
{
	uint64_t t = WRAP - 10 * MS;

	begin_at(0, 0, t);
	use_keys();
	service.key_catchup = policy;
	key_held = false;
	jif_service_init(&service);
	jif_service_start(&service);
	jif_service_set(&service, jif_key_number(7), &entries[3],
			jif_times_every(t + 10 * unit, 10 * unit, 65537));
	go_to(t + 55 * unit);
	ok(noted(want), "a key, after a stall, as often as the policy says");
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
		jif_service_set(&service, jif_key_number(7), &entries[3],
				jif_times_every(t + 91 * unit, MS, 65537));
		go_to(t + 91 * unit + 70000 * MS);
		ok(noted("7") && key_call.missed == 70000, "or many");
	}
	end();
}

static void deletes_beyond_16_bits(uint64_t t, struct jif_key key)
{
	hold(&c, t + 140008 * MS);
	jif_job_start(&b.job, jif_times_every(t + 140009 * MS, MS, 70000));
	go_to(t + 210009 * MS);
	is(jif_job_del_sync(&b.job), 70000, "70,000 are deleted, and counted");
	sem_post(&c.gate);
	finish_work();
	service.key_catchup = JIF_CATCHUP_EACH;
	hold(&a, t + 210010 * MS);
	jif_service_set(&service, key, &entries[2],
			jif_times_every(t + 210011 * MS, MS, 70000));
	go_to(t + 300000 * MS);
	is(jif_service_remove_sync(&service, key), 70000, "so are keys");
	jif_service_set(&service, key, &entries[2],
			jif_times_every(t + 300001 * MS, MS, 70000));
	go_to(t + 400000 * MS);
	is(jif_service_drain(&service, NULL), 70000, "or drained");
	sem_post(&a.gate);
}

/* What has expired so often, or missed so many periods, while a runs. */
static void counts_beyond_16_bits(void)
{
	uint64_t t = WRAP - 10 * MS;
	struct jif_key key = jif_key_number(2);

	begin_at(1, JIF_FULL_REFUSE, t);
	use_keys();
	service.key_catchup = JIF_CATCHUP_SKIP;
	service.key_order = true;
	jif_service_init(&service);
	jif_service_start(&service);
	hold_worker(t);
	jif_service_set(&service, key, &entries[2],
			jif_times_every(t + 6 * MS, MS, JIF_FOREVER));
	jif_job_start(&b.job, jif_times_every(t + 6 * MS, MS, 65536));
	go_to(t + 6 * MS);
	go_to(t + 70006 * MS);
	is(jif_job_del(&b.job), 1, "65,536 expiries are deleted");
	sem_post(&a.gate);
	finish_work();
	ok(noted("a2") && key_call.missed == 70000 &&
		   key_call.due_ns == t + 6 * MS,
	   "a key that waits misses 70,000 periods");
	go_to(t + 140007 * MS);
	finish_work();
	ok(noted("2") && key_call.missed == 70000, "or one that is late");
	jif_service_remove(&service, key);
	deletes_beyond_16_bits(t, key);
	end();
	forget();
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
	sem_post(&a.gate);
	finish_work();
	ok(noted(want), "and runs as often as the policy says");
	ok(last_call.missed == missed &&
		   last_call.due_ns == t + (missed ? 6 : 8) * MS,
	   "and says when it was due");
	jif_job_start(&b.job, when);
	end();
}

static char name_of(struct jif_key key)
{
	return *(const char *)key.bytes;
}

static int run_bytes(struct jif_service *s, struct jif_key key, void *value)
{
	(void)s;
	(void)value;
	note(name_of(key));
	return 0;
}

/* How often a job and a key run, while the only worker is busy at first. */
static void runs_as_often_as_asked(enum jif_catchup policy, uint32_t times)
{
	uint64_t t = WRAP - 10 * MS;
	struct jif_key key = jif_key_number(7);
	struct jif_times when = jif_times_every(t + 6 * MS, MS, times);
	char want[] = "abbbb7777";

	begin_at(1, JIF_FULL_REFUSE, t);
	use_keys();
	service.key_catchup = when.catchup = policy;
	jif_service_init(&service);
	jif_service_start(&service);
	hold_worker(t);
	jif_job_start(&b.job, when);
	jif_service_set(&service, key, &entries[3], when);
	for (unsigned i = 6; i <= 12; i++)
		go_to(t + i * MS);
	is(jif_service_count(&service), policy == JIF_CATCHUP_SKIP,
	   "a key that is missed stays");
	sem_post(&a.gate);
	finish_work();
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
	uint64_t t = WRAP - 10 * MS;
	char name[] = "1";

	begin_at(1, JIF_FULL_BLOCK, t);
	use_keys();
	service.key_fn = run_bytes;
	service.key_bytes = bytes;
	service.key_size = 1;
	service.key_catchup = JIF_CATCHUP_SKIP;
	jif_service_init(&service);
	jif_service_start(&service);
	hold_worker(t);
	jif_service_set(&service, jif_key_bytes(name, 1), NULL,
			jif_times_every(t + 6 * MS, MS, 2));
	name[0] = 'x';
	go_to(t + 6 * MS);
	go_to(t + 7 * MS);
	jif_service_add(&service, jif_key_bytes("2", 1), NULL,
			jif_times_once(t + 8 * MS));
	sem_post(&a.gate);
	finish_work();
	go_to(t + 8 * MS);
	finish_work();
	ok(noted("a112"), "a string that is missed comes once more");
	end();
}

static void *open_gate(void *arg)
{
	for (unsigned i = 0; i < 20; i++)
		wait_a_bit();
	sem_post(arg);
	return NULL;
}

/* It expires three times meanwhile. */
static void counts_what_waits(void)
{
	uint64_t t = begin(1, JIF_FULL_BLOCK);
	struct jif_stats stats;

	hold_worker(t);
	jif_job_start(&b.job, jif_times_every(t + 6 * MS, 1 * MS, 3));
	for (unsigned i = 6; i <= 8; i++)
		go_to(t + i * MS);
	is(jif_job_del_sync(&b.job), 3, "deleted, with all that it waits for");
	jif_job_add(&b.job, t + 9 * MS);
	go_to(t + 9 * MS);
	is(jif_job_del_sync(&b.job), 1, "and later only for what came since");
	jif_job_add(&c.job, t + 10 * MS);
	go_to(t + 10 * MS);
	set_clock(t + 14 * MS);
	sem_post(&a.gate);
	finish_work();
	jif_service_stats(&service, &stats);
	ok(noted("ac") && stats.late_ns == 4 * MS,
	   "what has waited is late by that");
	end();
}

static void stops_in_time(unsigned n)
{
	uint64_t t = WRAP;
	struct jif_call call = { .job = NULL };
	pthread_t opener;

	begin_at(n, JIF_FULL_BLOCK, t);
	service.report = keep_report;
	jif_service_init(&service);
	ok(!jif_service_running(&service) && jif_service_stopped(&service),
	   "a service that is stopped");
	jif_service_start(&service);
	ok(jif_service_running(&service) && !jif_service_stopped(&service),
	   "one that runs");
	reports = 0;
	hold_worker(t);
	jif_job_add(&b.job, t + HOUR);
	is(jif_service_stop_in(&service, NULL, 5 * MS), -JIF_ETIMEDOUT,
	   "a callback that does not end is not waited for");
	ok(reports == 1 && reported.job == &a.job &&
		   reported_err == -JIF_ETIMEDOUT && !reported_ns,
	   "it says which");
	ok(!jif_service_running(&service) && !jif_service_stopped(&service) &&
		   jif_job_add(&c.job, t) == -JIF_ECANCELED &&
		   jif_service_start(&service) == -JIF_EBUSY,
	   "it neither runs nor is stopped");
	ok(!jif_service_current(&service, &call) && jif_job_pending(&b.job),
	   "the rest is pending");
	pthread_create(&opener, NULL, open_gate, &a.gate);
	is(jif_service_stop_in(&service, NULL, HOUR), 1, "until it is stopped");
	ok(jif_service_stopped(&service) && noted("a"), "when all has ended");
	pthread_join(opener, NULL);
}

static void reports_while_it_runs(unsigned n)
{
	uint64_t t = WRAP;

	begin_at(n, JIF_FULL_BLOCK, t);
	service.report = keep_report;
	service.slow_ns = 5 * MS;
	jif_service_init(&service);
	jif_service_start(&service);
	reports = 0;
	hold_worker(t);
	begin_to(t + 9 * MS);
	for (unsigned i = 0; i < 20; i++)
		wait_a_bit();
	jif_service_lock(&service);
	is(reports, 0, "what has not run for long is not reported");
	jif_service_unlock(&service);
	do {
		begin_to(t + 10 * MS);
		wait_a_bit();
		jif_service_lock(&service);
		n = reports;
		jif_service_unlock(&service);
	} while (!n);
	ok(reported.job == &a.job && reported_err == -JIF_ETIMEDOUT &&
		   reported_ns == 5 * MS,
	   "a callback that takes long is reported while it runs");
	sem_post(&a.gate);
	while (jif_service_counts(&service).ran < 1)
		wait_a_bit();
	ok(reports == 2 && reported_err == 0, "and when it has ended");
	end();
	forget();
}

static void reports_all_that_is_slow(void)
{
	uint64_t t = WRAP;
	unsigned n;

	begin_at(2, JIF_FULL_BLOCK, t);
	service.report = keep_report;
	service.slow_ns = 5 * MS;
	jif_service_init(&service);
	jif_service_start(&service);
	reports = 0;
	hold(&a, t + 5 * MS);
	hold(&b, t + 6 * MS);
	begin_to(t + 20 * MS);
	do {
		wait_a_bit();
		jif_service_lock(&service);
		n = reports;
		jif_service_unlock(&service);
	} while (n < 2);
	is(n, 2, "two callbacks that take long are reported at one look");
	sem_post(&a.gate);
	sem_post(&b.gate);
	end();
	forget();
}

static bool is_watching(void)
{
	bool busy;

	pthread_mutex_lock(&service.lock);
	busy = service.watch.busy;
	pthread_mutex_unlock(&service.lock);
	return busy;
}

/* On the kernel's clock; how late does not matter. */
static void watches_on_time(void)
{
	begin_at(0, 0, 0);
	service.loop.clock = NULL;
	service.report = hold_report;
	service.slow_ns = MS;
	sem_init(&reporting, 0, 0);
	sem_init(&reported_gate, 0, 0);
	jif_service_init(&service);
	jif_service_start(&service);
	a.held = true;
	jif_job_add(&a.job, jif_service_now(&service) + MS);
	await(&a.begun);
	await(&reporting);
	ok(reported.job == &a.job && reported_err == -JIF_ETIMEDOUT &&
		   reported_ns >= MS,
	   "what takes too long is told of while it runs");
	is(jif_service_stop_in(&service, NULL, 0), -JIF_ETIMEDOUT,
	   "a stop that does not wait");
	reported_ns = 0;
	for (unsigned i = 0; i < 9; i++)
		sem_post(&reported_gate);
	while (is_watching())
		wait_a_bit();
	is((long long)reported_ns, 0, "does not tell of it at the same time");
	is(jif_service_stop_in(&service, NULL, 0), -JIF_ETIMEDOUT, "another");
	await(&reporting);
	ok(reported.job == &a.job && reported_err == -JIF_ETIMEDOUT &&
		   reported_ns >= MS,
	   "tells of it, too, and for how long it has run");
	sem_post(&a.gate);
	is(jif_service_stop(&service, NULL), 0, "then it has ended");
	forget();
}

static unsigned told_twice;

/* Holds the report of what is refused; or that of what takes long. */
static bool hold_refusals;

static void hold_some(struct jif_service *s, const struct jif_call *call,
		      int err, uint64_t ns)
{
	keep_report(s, call, err, ns);
	if (call->job == &d.job && err == -JIF_ETIMEDOUT)
		told_twice++;
	if (err != (hold_refusals ? -JIF_ENOSPC : -JIF_ETIMEDOUT))
		return;
	sem_post(&reporting);
	await(&reported_gate);
}

static uint64_t begin_to_hold(bool refusals)
{
	uint64_t t = WRAP;

	begin_at(1, JIF_FULL_REFUSE, t);
	service.report = hold_some;
	service.slow_ns = 5 * MS;
	jif_service_init(&service);
	service.clock.told = false;
	jif_service_start(&service);
	sem_init(&reporting, 0, 0);
	sem_init(&reported_gate, 0, 0);
	hold_refusals = refusals;
	reports = told_twice = 0;
	hold_worker(t);
	return t;
}

/* As if it ran. */
static void waits_for_the_watch(void)
{
	uint64_t t = begin_to_hold(false);
	pthread_t thread;

	begin_to(t + 20 * MS);
	await(&reporting);
	sem_post(&a.gate);
	await_idle(1);
	a.held = false;
	jif_job_add(&a.job, t + 21 * MS);
	go_to(t + 21 * MS);
	ok(noted("a") && !nothing_queued(),
	   "a job does not run while it is told that it was slow");
	is(jif_service_drain(&service, note_drained), 1, "it is drained");
	ok(noted("a"), "by name");
	pthread_create(&thread, NULL, delete_sync, &a);
	await_waiting();
	ok(noted(""), "who deletes it waits for the report");
	sem_post(&reported_gate);
	pthread_join(thread, NULL);
	ok(noted("-") && !a.result, "but not for more");
	end();
}

/* The order of what is refused is none any more when that has been told. */
static void tells_of_a_refusal_once(void)
{
	static struct jif_order other;
	uint64_t t = begin_to_hold(true);

	other = (struct jif_order){ .running_max = 1 };
	jif_order_init(&service, &other);
	jif_job_order(&d.job, &other);
	queue_the_others(t);
	await(&reporting);
	memset(&other, 0xa5, sizeof(other));
	begin_to(t + 60 * MS);
	do {
		wait_a_bit();
		jif_service_lock(&service);
		jif_service_unlock(&service);
	} while (reports < 2);
	is(told_twice, 0, "a report that takes long is no callback that does");
	is(jif_service_drain(&service, NULL), 2, "nothing waits for it");
	sem_post(&reported_gate);
	sem_post(&a.gate);
	end();
	forget();
}

/* Those that two workers run. */
static void drains_what_waits_for_itself(void)
{
	uint64_t t = begin(2, JIF_FULL_BLOCK);

	one = (struct jif_order){ .running_max = 1 };
	jif_order_init(&service, &one);
	jif_job_order(&a.job, &one);
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

/* With two more calls of it to come. */
static void waits_for_the_clock(void)
{
	uint64_t t = begin(1, JIF_FULL_INLINE);

	hold_worker(t);
	c.held = true;
	jif_job_start(&c.job, jif_times_every(t + 6 * MS, MS, 3));
	for (unsigned i = 6; i <= 8; i++)
		go_to(t + i * MS);
	jif_job_add(&b.job, t + 9 * MS);
	begin_to(t + 9 * MS);
	await(&c.begun);
	sem_post(&a.gate);
	await_idle(1);
	ok(noted_all("ab") && sem_trywait(&c.begun),
	   "a worker does not run what the clock runs");
	is(jif_service_drain(&service, note_drained), 2, "that is drained");
	ok(noted("cc"), "by name");
	sem_post(&c.gate);
	settle();
	ok(noted("c"), "and has run once");
	end();
}

static struct jif_order *first_order(struct jif_service *s, struct jif_key key,
				     void *value)
{
	(void)s;
	(void)key;
	(void)value;
	return &one;
}

/* Without an order of its own, but in one that runs one at a time. */
static void counts_what_comes_again(void)
{
	uint64_t t = begin_keys(2);

	service.key_order = false;
	service.order_of = first_order;
	one = (struct jif_order){ .running_max = 1 };
	jif_order_init(&service, &one);
	jif_job_order(&a.job, &one);
	sem_init(&key_begun, 0, 0);
	sem_init(&key_gate, 0, 0);
	key_held = true;
	hold_worker(t);
	jif_service_set(&service, jif_key_number(1), &entries[1],
			jif_times_every(t + 6 * MS, MS, 2));
	go_to(t + 6 * MS);
	go_to(t + 7 * MS);
	sem_post(&a.gate);
	await(&key_begun);
	await_idle(1);
	ok(noted("a") && !nothing_queued(),
	   "one call of an order runs, the next one waits");
	sem_post(&key_gate);
	sem_post(&key_gate);
	finish_work();
	ok(noted("11"), "until it has ended");
	end();
}

/* What may be late, but no later than can be. */
static void keeps_in_reach(uint64_t t, struct jif_times when)
{
	when.expires_ns = t + 6 * MS + UINT64_C(2147483646) * MS;
	is(jif_job_start(&a.job, when), 1, "a tick too late");
	is((long long)jif_job_left(&a.job), UINT64_C(2147483646) * MS,
	   "is when it is due, too");
	go_to(t + 7 * MS);
	is(jif_job_start(&a.job, when), 1, "and the last tick that can be");
	is((long long)jif_job_left(&a.job), UINT64_C(2147483647) * MS,
	   "is not");
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
	go_to(t + 6 * MS - 1);
	ok(noted(""), "what may be late waits for others");
	go_to(t + 6 * MS);
	ok(noted("ab1"), "and runs with them");
	when.slack_ns = HOUR;
	when.expires_ns = t + 6 * MS + UINT64_C(2147483647) * MS;
	is(jif_job_start(&a.job, when), 0, "but no later than can be");
	is((long long)jif_job_left(&a.job), UINT64_C(2147483647) * MS,
	   "which is when it is due");
	when.slack_ns = 3 * MS;
	when.expires_ns = t + 7 * MS;
	jif_job_start(&c.job, when);
	is((long long)jif_job_left(&c.job), 4 * MS, "up to all of its slack");
	jif_job_del(&c.job);
	keeps_in_reach(t, when);
	when.slack_ns = UINT64_C(4000000000) * MS;
	when.expires_ns = t + 20 * MS;
	is(jif_job_start(&b.job, when), 0, "with the longest slack");
	go_to(t + 7 * MS + 1);
	is((long long)jif_job_left(&b.job),
	   (long long)((UINT64_C(1) << 29) * MS + 3 * MS - 1),
	   "a power of two, a quarter of how far a wheel reaches");
	end();
}

static char text[1024];
static size_t text_length;

static void put_text(char c)
{
	if (text_length < sizeof(text) - 1)
		text[text_length++] = c;
}

static uint64_t walked_ns;

static void keep_ns(void *arg, const struct jif_call *call, uint64_t ns)
{
	(void)arg;
	walked_ns = call->job == &a.job ? ns : 1;
}

static void is_seen(unsigned n)
{
	static const char want[] = "pending 1\nqueued 0\nrunning 1\nran 1\n"
				   "slow 1\nfailed 0\nrefused 0\nhelped 0\n"
				   "longest, ns 7000000\n"
				   "late in all, ns 4000000\n"
				   "late < 1 us 1\nlate < 4 ms 1\n";
	uint64_t t = WRAP;
	struct jif_stats stats;

	begin_at(n, JIF_FULL_BLOCK, t);
	service.slow_ns = 5 * MS;
	jif_service_init(&service);
	jif_service_start(&service);
	b.takes_ns = 7 * MS;
	jif_job_add(&b.job, t + 1 * MS);
	begin_to(t + 5 * MS);
	while (jif_service_counts(&service).ran < 1)
		wait_a_bit();
	t = fake_clock(NULL);
	a.held = true;
	jif_job_add(&a.job, t + 1 * MS);
	jif_job_add(&c.job, t + HOUR);
	begin_to(t + 1 * MS);
	await(&a.begun);
	jif_service_stats(&service, &stats);
	is((long long)stats.late[12], 1, "who begins 4 ms late is seen");
	text_length = 0;
	jif_stats_print(&stats, put_text);
	ok(text_length == sizeof(want) - 1 &&
		   !memcmp(text, want, sizeof(want) - 1),
	   "as text");
	set_clock(fake_clock(NULL) + 3 * MS);
	ok(jif_service_walk(&service, keep_ns, NULL) == 1 &&
		   walked_ns == 3 * MS,
	   "and for how long it runs");
	sem_post(&a.gate);
	end();
	forget();
}

/* A class ends below 1,024 ns times a power of two; the last one has no end. */
static void lateness_has_classes(void)
{
	static const char want[] = "pending 7\nqueued 0\nrunning 0\nran 0\n"
				   "slow 0\nfailed 0\nrefused 0\nhelped 0\n"
				   "longest, ns 0\nlate in all, ns 0\n"
				   "late < 4 s 1\nlate by more 20\n";
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
	end();
	forget();
	stats = (struct jif_stats){ .late = { [22] = 1, [23] = 20 },
				    .pending = 7 };
	text_length = 0;
	jif_stats_print(&stats, put_text);
	ok(text_length == sizeof(want) - 1 &&
		   !memcmp(text, want, sizeof(want) - 1),
	   "the last two as text");
}

static void order_of_no_service(void)
{
	struct jif_stats stats = { .pending = 9 };

	one = (struct jif_order){ .running_max = 1 };
	jif_order_stats(&one, &stats);
	is(stats.pending, 0, "an order of no service has done nothing");
}

static const struct jif_snapshot nothing = { &service.loop.wheel, NULL, 0, 0 };

/* Nothing of the parent's can be relied on but for the number of forks. */
static int call_in_child(void)
{
	struct jif_stats stats;

	if (jif_job_add(&a.job, WRAP) != -JIF_ECANCELED ||
	    jif_job_del(&b.job) || jif_job_pending(&b.job) ||
	    jif_job_del_sync(&a.job) != -JIF_ECANCELED)
		return 1;
	if (set_key(1, WRAP, true) != -JIF_ECANCELED ||
	    jif_service_move(&service, jif_key_number(1), WRAP) !=
		    -JIF_ECANCELED ||
	    jif_service_remove(&service, jif_key_number(1)) != -JIF_ECANCELED)
		return 2;
	if (jif_service_stop(&service, NULL) != -JIF_ECANCELED ||
	    jif_service_start(&service) != -JIF_ECANCELED ||
	    jif_service_drain(&service, NULL) != -JIF_ECANCELED)
		return 3;
	jif_service_lock(&service);
	jif_service_unlock(&service);
	jif_service_wake(&service);
	jif_service_stats(&service, &stats);
	if (stats.pending || jif_service_count(&service) ||
	    jif_service_left(&service, jif_key_number(1)) ||
	    jif_job_left(&b.job) || jif_job_pause(&b.job) ||
	    jif_service_running(&service) || jif_service_stopped(&service))
		return 4;
	return 0;
}

static int call_more_in_child(void)
{
	struct jif_stats stats;

	jif_order_stats(&one, &stats);
	if (stats.pending || jif_service_counts(&service).ran ||
	    jif_service_walk(&service, keep_ns, NULL) ||
	    jif_service_current(&service, &last_call))
		return 5;
	if (jif_service_pause(&service, jif_key_number(1)) != -JIF_ECANCELED ||
	    jif_service_resume(&service, jif_key_number(1)) != -JIF_ECANCELED ||
	    jif_service_remove_sync(&service, jif_key_number(1)) !=
		    -JIF_ECANCELED ||
	    jif_service_save(&service, &nothing, NULL, 0, NULL) !=
		    -JIF_ECANCELED ||
	    jif_service_restore(&service, &nothing, NULL, 0, NULL) !=
		    -JIF_ECANCELED)
		return 6;
	return jif_service_init(&service) || jif_service_drain(&service, NULL);
}

static void leaves_a_child_alone(void)
{
	uint64_t t = begin_keys(1);
	int status = -1;
	pid_t child;

	one = (struct jif_order){ .running_max = 1 };
	jif_order_init(&service, &one);
	hold_worker(t);
	set_key(1, t + HOUR, true);
	jif_job_add(&b.job, t + HOUR);
	pthread_mutex_lock(&service.lock);
	child = fork();
	if (!child)
		_exit(call_in_child() || call_more_in_child());
	pthread_mutex_unlock(&service.lock);
	waitpid(child, &status, 0);
	is(status, 0, "in the child of a fork, calls are errors");
	sem_post(&a.gate);
	is(jif_service_stop(&service, NULL), 2, "the parent has what it had");
}

static struct jif_order *order_of_key(struct jif_service *s, struct jif_key key,
				      void *value)
{
	if (s != &service || value != &entries[(name_of(key) - '1') % 4] ||
	    jif_service_current(s, &last_call))
		note('!');
	return &one;
}

static int set_bytes(char name, uint64_t ns)
{
	char bytes[2] = { name, 0 };

	return jif_service_set(&service, jif_key_bytes(bytes, 1),
			       &entries[(name - '1') % 4], jif_times_once(ns));
}

static void note_bytes(struct jif_service *s, const struct jif_call *call)
{
	(void)s;
	note(call->job ? 'j' : name_of(call->key));
}

/* A spare place before the calls, and a byte more than there is to be. */
static struct {
	struct jif_worker worker;
	struct jif_call calls[CALLS];
	uint8_t bytes[JIF_KEY_BYTES(4, 1, CALLS, 1) + 1];
} near;

/* Keys that wait for the order of a, which runs. */
static uint64_t queue_keys(enum jif_full full, const char *names)
{
	uint64_t t = WRAP - 10 * MS;

	begin_at(1, full, t);
	service.workers = &near.worker;
	service.calls = near.calls;
	memset(near.bytes, '!', sizeof(near.bytes));
	use_keys();
	service.key_fn = run_bytes;
	service.order_of = order_of_key;
	service.key_bytes = near.bytes;
	service.key_size = 1;
	service.report = keep_report;
	jif_service_init(&service);
	jif_service_start(&service);
	reports = 0;
	one = (struct jif_order){ .running_max = 1 };
	jif_order_init(&service, &one);
	jif_job_order(&a.job, &one);
	hold_worker(t);
	for (; *names; names++)
		set_bytes(*names, t + 6 * MS);
	begin_to(t + 6 * MS);
	return t;
}

static void keeps_the_bytes_of_what_waits(void)
{
	uint64_t t = queue_keys(JIF_FULL_BLOCK, "123");
	struct jif_stats stats;

	settle();
	jif_order_stats(&one, &stats);
	is(stats.queued, 3, "keys are of an order, too");
	for (char name = '5'; name < '9'; name++)
		set_bytes(name, t + HOUR);
	sem_post(&a.gate);
	finish_work();
	ok(noted("a123"), "and run in turn, with the bytes that they had");
	jif_order_stats(&one, &stats);
	ok(stats.counts.ran == 4 && !stats.queued, "counted");
	is(jif_service_stop(&service, note_bytes), 4, "the others are pending");
	ok(noted_all("5678"), "with theirs");

	t = queue_keys(JIF_FULL_BLOCK, "12");
	jif_job_order(&b.job, &one);
	jif_job_add(&b.job, t + 7 * MS);
	jif_service_lock(&service);
	jif_table_set(&service.table, jif_key_bytes("long", 4),
		      &entries[('l' - '1') % 4],
		      jif_once((uint32_t)(t / MS) + 8));
	jif_service_unlock(&service);
	go_to(t + 8 * MS);
	is(jif_service_drain(&service, note_bytes), 4, "drained");
	ok(noted("12jl"), "in turn; what is too long is not copied");
	sem_post(&a.gate);
	finish_work();
	end();
	forget();
}

static bool has_place(void)
{
	bool has;

	pthread_mutex_lock(&service.lock);
	has = service.free;
	pthread_mutex_unlock(&service.lock);
	return has;
}

static void refuses_keys(void)
{
	uint64_t t = queue_keys(JIF_FULL_REFUSE, "1234");

	settle();
	is(reports, 0, "so many places there are");
	set_bytes('5', t + 7 * MS);
	jif_job_add(&b.job, t + 7 * MS);
	go_to(t + 7 * MS);
	ok(reports == 1 && reported_err == -JIF_ENOSPC &&
		   name_of(reported.key) == '5',
	   "one more is refused, and told by its bytes; a job is not");
	sem_post(&a.gate);
	finish_work();
	ok(noted("ab1234"), "the others run");
	end();
}

static void keys_find_no_place(void)
{
	uint64_t t;

	queue_keys(JIF_FULL_INLINE, "1234");
	while (has_place())
		wait_a_bit();
	ok(noted(""), "no place for a key is free: the clock waits");
	sem_post(&a.gate);
	finish_work();
	ok(noted("a1234"), "and no key is lost");
	is(near.bytes[sizeof(near.bytes) - 1], '!', "nor a byte behind them");
	end();

	t = queue_keys(JIF_FULL_BLOCK, "1234");
	while (has_place())
		wait_a_bit();
	set_bytes('5', t + 7 * MS);
	begin_to(t + 7 * MS);
	for (unsigned i = 0; i < 20; i++)
		wait_a_bit();
	is(jif_service_remove(&service, jif_key_bytes("2", 1)), 0,
	   "one that is removed");
	while (has_place())
		wait_a_bit();
	sem_post(&a.gate);
	finish_work();
	ok(noted("a1345"), "makes room for the next one");
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
	while (jif_service_counts(&service).ran < 2)
		wait_a_bit();
	jif_service_stats(&service, &stats);
	ok(stats.late[0] == 2 && !stats.late_ns,
	   "a clock that goes back makes nobody late");
	end();
	forget();
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
	while (jif_service_counts(&service).ran < 2)
		wait_a_bit();
	jif_service_stats(&service, &stats);
	ok(stats.late_ns == 8 * MS + longest && stats.longest_ns == longest,
	   slow_ns ? "what is slow makes the next one late" :
		     "with nothing slow, no clock is read for a callback");
	end();
	forget();
}

static uint64_t begin_copies(unsigned n)
{
	static uint8_t bytes[JIF_KEY_BYTES(4, WORKERS, CALLS, 5)];
	uint64_t t = WRAP - 10 * MS;

	begin_at(n, JIF_FULL_BLOCK, t);
	use_keys();
	service.key_bytes = bytes;
	service.key_size = 5;
	sem_init(&key_begun, 0, 0);
	sem_init(&key_gate, 0, 0);
	key_held = true;
	return t;
}

static void copies_keys(unsigned n)
{
	uint64_t t = begin_copies(n);
	char name[] = "alpha", same[] = "alpha", other[] = "beta";
	struct jif_key key = jif_key_bytes(same, 5);
	struct jif_stats stats;

	ok(!jif_service_init(&service) && !jif_service_start(&service),
	   n ? "copies of keys, with workers" : "copies of keys");
	jif_service_set(&service, jif_key_bytes(name, 5), &entries[1],
			jif_times_once(t + 5 * MS));
	jif_service_add(&service, jif_key_bytes(other, 4), &entries[2],
			jif_times_once(t + HOUR));
	memset(name, 'x', 5);
	memset(other, 'x', 4);
	is(jif_service_remove(&service, jif_key_bytes("beta", 4)), 0,
	   "the bytes of a key may be freed when it is added");
	is(jif_service_move(&service, key, t + 6 * MS), 1, "or set");
	is(jif_service_set(&service, jif_key_bytes("alphas", 6), NULL,
			   jif_times_once(t)),
	   -JIF_EINVAL, "a key is too long");
	begin_to(t + 6 * MS);
	await(&key_begun);
	is(set_key(6, t + HOUR, true), 0, "a number has no bytes");
	jif_service_set(&service, jif_key_bytes("gamma", 5), &entries[3],
			jif_times_once(t + HOUR));
	jif_service_stats(&service, &stats);
	is(stats.pending, 2, "keys are pending, too");
	ok(jif_service_walk(&service, is_alpha, &same) == 1 && same[0] == '!',
	   "one that runs is where it was");
	key_held = false;
	sem_post(&key_gate);
	is(jif_service_stop(&service, NULL), 2, "the others are pending");
	forget();
}

static int hold_bytes(struct jif_service *s, struct jif_key key, void *value)
{
	sem_post(&key_begun);
	await(&key_gate);
	return run_bytes(s, key, value);
}

/* Two workers run a key each, and the watch tells of both. */
static void tells_of_keys(void)
{
	uint64_t t = begin_copies(WORKERS);
	unsigned n;

	service.key_fn = hold_bytes;
	service.report = keep_report;
	service.slow_ns = 5 * MS;
	jif_service_init(&service);
	jif_service_start(&service);
	reports = 0;
	for (unsigned i = 1; i <= 2; i++) {
		set_bytes((char)('0' + i), t + i * MS);
		begin_to(t + i * MS);
		await(&key_begun);
	}
	begin_to(t + 20 * MS);
	do {
		wait_a_bit();
		jif_service_lock(&service);
		n = reports;
		jif_service_unlock(&service);
	} while (n < 2);
	sem_post(&key_gate);
	sem_post(&key_gate);
	finish_work();
	ok(noted_all("12"), "who tells of keys that run keeps their bytes");
	end();
}

static void expire_and_stop(void)
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
	sleeps_until_a_full_slot();
	drains_before_it_starts();
	stops_and_starts();
	calls_from_callbacks(0);
	calls_from_callbacks(1);
	waits_for_a_callback(0);
	waits_for_a_callback(1);
	two_wait_for_a_callback();
	workers_leave_the_clock();
	keeps_order();
	waits_for_itself();
	blocks_when_full();
	stops_when_full();
	stays_awake_when_it_stops();
	helps_when_full();
	refuses_when_full();
	refuses_none_that_waits(&one);
	refuses_none_that_waits(NULL);
	frees_what_is_refused();
	reports_slow_and_failed(0);
	reports_slow_and_failed(1);
}

static void keep_keys(void)
{
	needs_a_table();
	tells_bad_tables();
	runs_keys();
	drains_keys();
	stopped_it_has_no_keys();
	removes_keys_while_it_stops();
	locks_for_other_calls();
	pauses_keys();
	moves_paused_keys();
	drains_what_is_no_job();
	keys_wait_for_workers();
	keys_survive_a_stop();
	keys_wait_again(JIF_CATCHUP_EACH, "a222", 100000 * MS);
	keys_wait_again(JIF_CATCHUP_SKIP, "a2", MS);
	drains_while_things_are_deleted();
	keeps_the_bytes_of_a_key();
	orders_keys(true);
	orders_keys(false);
	keys_wake_the_clock();
	copies_keys(0);
	copies_keys(1);
	tells_of_keys();
	keeps_the_bytes_of_what_waits();
	keys_find_no_place();
	refuses_keys();
}

static void share_workers(void)
{
	slow_order_holds_nobody_up();
	orders_take_turns();
	orders_run_at_a_time();
	orders_have_a_quota();
	helps_only_the_busy();
	waits_for_the_watch();
	tells_of_a_refusal_once();
	drains_what_waits_for_itself();
	waits_for_the_clock();
	counts_what_comes_again();
	counts_what_waits();
	stops_in_time(0);
	stops_in_time(1);
	reports_while_it_runs(0);
	reports_while_it_runs(1);
	reports_all_that_is_slow();
	watches_on_time();
	is_seen(0);
	is_seen(1);
	lateness_has_classes();
	order_of_no_service();
}

static void keep_time(void)
{
	catches_up();
	takes_any_tick();
	clock_is_current();
	skips_periods_of_a_job(JIF_CATCHUP_EACH, "pppp", 0, 55 * MS);
	skips_periods_of_a_job(JIF_CATCHUP_SKIP, "p", 3, 55 * MS);
	skips_periods_of_a_job(JIF_CATCHUP_RESTART, "p", 3, 58 * MS);
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
	shares_wakeups();
	goes_back();
	measures_what_is_asked_for(0);
	measures_what_is_asked_for(HOUR);
	follows_the_kernel(false);
	follows_the_kernel(true);
}

/* --- the end of a process --------------------------------------------------*/

#define RTC UINT64_C(1700000000000000000)

static unsigned char kept[JIF_SNAPSHOT_SIZE(2) + 24 + 5];
static struct jif_saved_keys kept_keys = { &service.table, NULL };
static const struct jif_saved kept_list[] = {
	JIF_SAVED_JOB(1, &a.job),
	JIF_SAVED_JOB(2, &b.job),
	JIF_SAVED_KEYS(3, &kept_keys),
};
static const struct jif_snapshot snapshot = { &service.loop.wheel, kept_list, 3,
					      7 };

static uint64_t rtc_ns;

static uint64_t read_rtc(void)
{
	return rtc_ns;
}

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
	return jif_service_restore(&service, &snapshot, kept, sizeof(kept),
				   read_rtc);
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
	go_to(15 * MS);
	ok(noted("d"), "nor late");
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
	go_to(due - 1);
	ok(noted(""), "b is not early");
	go_to(due + 2 * MS);
	ok(noted("b"), "nor two ticks late");
	go_to(due + 12 * MS);
	ok(noted("b"), "its periods go on");
	is(jif_service_count(&service), 1, "the key waits");
	service.on_stop = NULL;
	is(jif_service_stop(&service, NULL), 2, "and so does b");
	is(restore(0), -JIF_ECANCELED, "a service that has stopped");
}

static void refuses_what_it_cannot_restore(void)
{
	struct jif_snapshot other = snapshot;
	static struct jif_wheel wheel;
	static struct jif_job foreign;

	live_once(0);
	begin_process(40 * MS);
	other.wheel = &wheel;
	is(jif_service_restore(&service, &other, kept, sizeof(kept), NULL),
	   -JIF_EINVAL, "of another wheel");
	is(jif_service_save(&service, &other, kept, sizeof(kept), NULL),
	   -JIF_EINVAL, "nor saved");
	other = snapshot;
	other.list = &(struct jif_saved)JIF_SAVED_JOB(1, &foreign);
	other.count = 1;
	is(jif_service_save(&service, &other, kept, sizeof(kept), NULL),
	   -JIF_EINVAL, "a job of another service");
	other.list = &(struct jif_saved)JIF_SAVED_JOB(1, NULL);
	is(jif_service_save(&service, &other, kept, sizeof(kept), NULL),
	   -JIF_EINVAL, "no job at all");
	kept[40] ^= 1;
	is(restore(MS), -JIF_EBADMSG, "damaged");
	kept[40] ^= 1;
	jif_job_add(&d.job, HOUR);
	is(restore(MS), -JIF_EBUSY, "something is pending");
	jif_job_del(&d.job);
	is(restore(0), 3, "in the tick of the save");
	is(jif_service_drain(&service, NULL), 3, "all is there");
	is(restore(-30 * MS), 3, "before the save, as if no time had passed");
	is(jif_service_drain(&service, NULL), 3, "all is there, too");
	jif_job_add(&b.job, HOUR);
	is(jif_service_save(&service, &snapshot, kept, 47, NULL), -JIF_ENOSPC,
	   "no room");
	service.on_stop = NULL;
	end();
	other.wheel = &wheel;
	is(jif_service_restore(&service, &other, kept, sizeof(kept), NULL),
	   -JIF_EINVAL, "nor when it has stopped");
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
	ok(jif_service_save(&service, &snapshot, kept, sizeof(kept), read_rtc) >
		   0,
	   "both are saved");
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

/* The RTC and the service's clock are read with the lock, in that order. */
static uint64_t rtc_with_the_clock(void)
{
	uint64_t ns = RTC + fake_clock(NULL);

	if (service.depth != 1)
		note('!');
	set_clock(fake_clock(NULL) + 3 * MS);
	return ns;
}

static void is_not_early_although_clocks_are_read_apart(void)
{
	uint64_t t = WRAP - 10 * MS;

	begin_process(t);
	jif_job_add(&a.job, t + 20 * MS);
	service.on_stop = NULL;
	is(jif_service_save(&service, &snapshot, kept, sizeof(kept),
			    rtc_with_the_clock),
	   JIF_SNAPSHOT_SIZE(1), "saved");
	end();
	begin_process(t + 7 * MS);
	service.on_stop = NULL;
	is(jif_service_restore(&service, &snapshot, kept, sizeof(kept),
			       rtc_with_the_clock),
	   1, "restored");
	is(jif_service_counts(&service).ran, 0, "nothing has run");
	go_to(t + 20 * MS - 1);
	ok(noted(""), "not early");
	go_to(t + 25 * MS);
	ok(noted("a"), "late by what it took to read the clock");
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
	is(jif_service_save(&service, &list, kept, sizeof(kept), NULL),
	   JIF_SNAPSHOT_SIZE(2), "saved twice");
	jif_job_del(&a.job);
	is(jif_service_restore(&service, &list, kept, sizeof(kept), NULL), 1,
	   "restored once");
	jif_service_stats(&service, &stats);
	is(stats.pending, 1, "pending once");
	is(jif_service_stop(&service, NULL), 1, "and taken off");
}

static const struct jif_saved saved_a[] = { JIF_SAVED_JOB(1, &a.job) };
static const struct jif_snapshot only_a = { &service.loop.wheel, saved_a, 1,
					    7 };

static int save_a(jif_rtc_fn *rtc)
{
	return jif_service_save(&service, &only_a, kept, sizeof(kept), rtc);
}

static int restore_a(jif_rtc_fn *rtc)
{
	return jif_service_restore(&service, &only_a, kept,
				   JIF_SNAPSHOT_SIZE(1), rtc);
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
	go_to(10003 * tick - 1);
	ok(noted(""), "both in one phase: not early");
	go_to(10003 * tick);
	ok(noted("p") && last_call.due_ns == 10003 * tick, "nor late");
	ok(a.job.times == 79999 && a.job.waiting.policy == JIF_CATCHUP_EACH,
	   "as often as before, with its policy");
	go_to(80003 * tick - 1);
	ok(noted(""), "with its period, not early");
	go_to(80003 * tick);
	ok(noted("p"), "nor late");
	end();
}

/* What is due while nobody runs says so; a snapshot of nothing changes none. */
static void says_since_when_it_is_due(void)
{
	uint64_t t = WRAP - 10 * MS;

	begin_at(0, 0, t);
	jif_service_init(&service);
	jif_service_start(&service);
	jif_job_init(&service, &a.job, look_at_call);
	jif_job_add(&a.job, t + 5 * MS);
	rtc_ns = RTC;
	save_a(read_rtc);
	jif_job_del(&a.job);
	rtc_ns += 9 * MS;
	is(restore_a(read_rtc), 1, "overdue by 4 ms");
	while (jif_service_counts(&service).ran < 1)
		wait_a_bit();
	ok(noted("p") && last_call.due_ns == t - 4 * MS, "and says so");
	rtc_ns = RTC;
	is(save_a(read_rtc), JIF_SNAPSHOT_SIZE(0), "nothing is saved");
	rtc_ns += HOUR;
	is(jif_service_restore(&service, &only_a, kept, JIF_SNAPSHOT_SIZE(0),
			       read_rtc),
	   0, "nothing is restored");
	jif_job_add(&b.job, t + 5 * MS);
	is((long long)jif_job_left(&b.job), 5 * MS, "time goes on from now");
	jif_job_add(&d.job, t + HOUR);
	jif_job_del(&b.job);
	is(restore_a(read_rtc), -JIF_EBUSY, "what the clock has not seen, too");
	is(jif_service_stop(&service, NULL), 1, "is pending");
	is(jif_service_restore(&service, &nothing, kept, sizeof(kept), NULL),
	   -JIF_ECANCELED, "it is stopped");
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
	jif_service_init(&service);
	jif_service_start(&service);
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
	int n = jif_service_save(&service, &snapshot, kept, sizeof(kept), NULL);

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
	n = jif_service_save(&service, &plain, kept, sizeof(kept), NULL);
	is(n, JIF_SNAPSHOT_SIZE(1), "a timer that is no job");
	jif_service_lock(&service);
	jif_timer_del(&service.loop.wheel, &timer);
	jif_service_unlock(&service);
	is(jif_service_restore(&service, &snapshot, kept, (size_t)n, NULL),
	   -JIF_ENOENT, "is none later");
	is(jif_service_left(&service, jif_key_number(1)), 0, "no such key");
	is(jif_service_stop(&service, NULL), 0, "nothing is pending");
}

static void no_period(struct jif_periodic *p)
{
	(void)p;
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
		jif_service_save(&service, &other, kept, sizeof(kept),
				 read_rtc);
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
	is(jif_service_save(&service, &only_c, kept, sizeof(kept), read_rtc),
	   JIF_SNAPSHOT_SIZE(1), "what another thread has armed is saved");
	is(jif_service_drain(&service, NULL), 2, "and drained");
	pthread_create(&other, NULL, arm_c, &far);
	pthread_join(other, NULL);
	is(restore_a(read_rtc), -JIF_EBUSY,
	   "it is pending, so nothing is restored");
	end();
}

#define KEYS 66000

/* In all slots, since a debug build looks for each key on its list. */
static uint64_t spread_ns(unsigned i)
{
	unsigned k = i % 150;

	if (k < 60)
		return (k + 2) * MS;
	if (k < 120)
		return (k - 58) * 60 * MS;
	return (k < 143 ? (k - 118) * 3600 : (k - 141) * 86400) * MS;
}

/* Of one in a thousand. */
static unsigned count_right(uint64_t ns)
{
	unsigned n = 0;

	for (unsigned i = 999; i < KEYS; i += 1000)
		n += jif_service_left(&service, jif_key_number(i)) ==
		     spread_ns(i) - ns;
	return n;
}

/* More than 16 bits count. */
static void keeps_many_keys(void)
{
	static struct jif_entry many[KEYS];
	static unsigned char buffer[JIF_SNAPSHOT_SIZE(KEYS) + 8 * KEYS];
	static const struct jif_saved list[] = { JIF_SAVED_KEYS(1,
								&kept_keys) };
	const struct jif_snapshot keys = { &service.loop.wheel, list, 1, 7 };
	uint64_t t = WRAP - 10 * MS;
	struct jif_stats stats;

	begin_at(0, 0, t);
	use_keys();
	service.table.entries = many;
	service.table.capacity = KEYS;
	jif_service_init(&service);
	jif_service_start(&service);
	for (unsigned i = 0; i < KEYS; i++)
		set_key(i, t + spread_ns(i), true);
	jif_service_stats(&service, &stats);
	ok(jif_service_count(&service) == KEYS && stats.pending == KEYS &&
		   count_right(0) == KEYS / 1000,
	   "66,000 keys");
	jif_service_pause(&service, jif_key_number(KEYS - 1));
	jif_service_pause(&service, jif_key_number(999));
	go_to(t + MS);
	is(count_right(MS), KEYS / 1000 - 2, "two of them are paused");
	is(count_right(0), 2, "the right ones");
	is(jif_service_save(&service, &keys, buffer, sizeof(buffer), read_rtc),
	   sizeof(buffer), "all are saved");
	is(jif_service_drain(&service, NULL), KEYS, "drained");
	is(jif_service_restore(&service, &keys, buffer, sizeof(buffer),
			       read_rtc),
	   KEYS, "and restored");
	is(count_right(MS), KEYS / 1000 - 2, "when they are due");
	is(jif_service_stop(&service, NULL), KEYS, "or handed out by a stop");
}

static uint64_t drained_due[2];
static unsigned drained;

static void note_due(struct jif_service *s, const struct jif_call *call)
{
	(void)s;
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
	is((long long)jif_job_left(&b.job), 0, "what waits has no time left");
	jif_job_del(&c.job);
	n = jif_service_save(&service, &jobs, kept, sizeof(kept), NULL);
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
	is((long long)drained_due[0], (long long)(t + 6 * MS), "since when");
	is((long long)drained_due[1], 0, "the other one has not waited");
	forget();
}

static void survive(void)
{
	static const uint64_t phases[] = { 0, 300 * US, MS - 1 };

	catches_up_with_what_it_missed();
	for (unsigned i = 0; i < 3; i++)
		for (unsigned k = 0; k < 3; k++)
			is_not_early_for_a_restart(phases[i], phases[k]);
	is_not_early_although_clocks_are_read_apart();
	twice_on_the_list_it_is_pending_once();
	keeps_what_is_far(MS);
	keeps_what_is_far(HOUR);
	says_since_when_it_is_due();
	takes_the_real_time();
	stop_tells_what_waited();
	refuses_what_it_cannot_restore();
	saves_what_is_far();
	tells_what_is_left_of_what_is_far();
	refuses_what_no_job_can_be();
	refuses_what_is_too_far();
	saves_what_others_have_armed();
}

/* --- threads that end in a call --------------------------------------------*/

#define TRIES 50000

/* Goes no further if one has taken the lock with it. */
static void is_free(const char *name)
{
	unsigned tries = 0;

	while (tries < TRIES && pthread_mutex_trylock(&service.lock)) {
		wait_a_bit();
		tries++;
	}
	ok(tries < TRIES, name);
	if (tries == TRIES)
		exit(tap_end());
	pthread_mutex_unlock(&service.lock);
}

static void note_cancelled(struct jif_service *s, const struct jif_call *call)
{
	(void)s;
	pthread_testcancel();
	note(jif_container_of(call->job, struct item, job)->name);
}

static int wait_for_job(void)
{
	return jif_job_del_sync(&a.job);
}

static int wait_for_key(void)
{
	return jif_service_remove_sync(&service, jif_key_number(1));
}

static int wait_for_stop(void)
{
	return jif_service_stop(&service, note_cancelled);
}

static int wait_for_stop_in_time(void)
{
	return jif_service_stop_in(&service, note_cancelled, HOUR);
}

/* It may be cancelled when the call has returned, and not before. */
static void *be_cancelled(void *wait)
{
	int result = (*(int (**)(void))wait)();

	note((char)('0' + result));
	pthread_testcancel();
	note('!');
	return NULL;
}

static void gives_the_lock_back(int (*wait)(void), const char *want,
				const char *name)
{
	uint64_t t = begin_keys(2);
	pthread_t thread;
	void *end_of_it;

	hold_worker(t);
	sem_init(&key_begun, 0, 0);
	sem_init(&key_gate, 0, 0);
	key_held = true;
	set_key(1, t + 6 * MS, true);
	begin_to(t + 6 * MS);
	await(&key_begun);
	jif_job_add(&b.job, t + HOUR);
	pthread_create(&thread, NULL, be_cancelled, &wait);
	await_waiting();
	pthread_cancel(thread);
	sem_post(&a.gate);
	sem_post(&key_gate);
	pthread_join(thread, &end_of_it);
	is_free(name);
	finish_work();
	ok(end_of_it == PTHREAD_CANCELED && noted_all(want),
	   "and ends when the call has done its work");
	end();
	key_held = false;
}

static void *hold_lock(void *arg)
{
	jif_service_lock(&service);
	jif_service_lock(&service);
	sem_post(&key_begun);
	await(&key_gate);
	jif_service_unlock(&service);
	pthread_testcancel();
	jif_service_unlock(&service);
	note('u');
	pthread_testcancel();
	return arg;
}

static void unlocks_what_it_has_locked(void)
{
	pthread_t thread;
	void *end_of_it;

	begin(0, 0);
	sem_init(&key_begun, 0, 0);
	sem_init(&key_gate, 0, 0);
	pthread_create(&thread, NULL, hold_lock, NULL);
	await(&key_begun);
	pthread_cancel(thread);
	sem_post(&key_gate);
	pthread_join(thread, &end_of_it);
	is_free("a thread that is cancelled unlocks the service");
	ok(end_of_it == PTHREAD_CANCELED && noted("u"), "and ends then");
	end();
}

static int leave_thread(struct jif_job *job)
{
	(void)job;
	note('x');
	pthread_exit(NULL);
}

static void leave_report(struct jif_service *s, const struct jif_call *call,
			 int err, uint64_t ns)
{
	keep_report(s, call, err, ns);
	pthread_exit(NULL);
}

static struct jif_order *leave_locked(struct jif_service *s, struct jif_key key,
				      void *value)
{
	(void)value;
	if (key.number != 1)
		return NULL;
	jif_service_lock(s);
	pthread_exit(NULL);
}

static void has_ended(const char *name)
{
	unsigned tries = 0;

	while (jif_service_running(&service) && ++tries < TRIES)
		wait_a_bit();
	is(jif_job_add(&e.job, WRAP + HOUR), -JIF_ECANCELED, name);
}

/* Of an order, which another one of it waits for. */
static void ends_with_a_thread(unsigned n, const char *name)
{
	uint64_t t = begin(n, JIF_FULL_BLOCK);
	struct jif_stats stats;

	one = (struct jif_order){ .running_max = 1 };
	jif_order_init(&service, &one);
	jif_job_init(&service, &c.job, leave_thread);
	jif_job_order(&c.job, &one);
	jif_job_order(&d.job, &one);
	jif_job_add(&b.job, t + HOUR);
	jif_job_add(&c.job, t + 5 * MS);
	jif_job_add(&d.job, t + 5 * MS);
	begin_to(t + 5 * MS);
	has_ended(name);
	is(jif_service_stop_in(&service, note_drained, 10000 * MS), 2,
	   "what is pending is handed out");
	ok(noted("xdb"), "and has not run");
	is(jif_job_del_sync(&c.job), 0, "nobody waits for it");
	jif_order_stats(&one, &stats);
	ok(!stats.running && stats.counts.failed == 1, "it has failed");
	ok(!jif_service_start(&service), "it may start again");
	jif_job_add(&d.job, t + 6 * MS);
	go_to(t + 6 * MS);
	finish_work();
	ok(noted("d"), "and the order goes on");
	end();
}

static void ends_with_a_report(void)
{
	uint64_t t = WRAP;
	struct jif_stats stats;

	begin_at(1, JIF_FULL_REFUSE, t);
	service.report = leave_report;
	jif_service_init(&service);
	jif_service_start(&service);
	hold_worker(t);
	queue_the_others(t);
	has_ended("a report may end the clock's thread");
	jif_service_stats(&service, &stats);
	is(stats.running, 1, "the worker goes on");
	sem_post(&a.gate);
	is(jif_service_stop_in(&service, NULL, 10000 * MS), 2, "to the end");
	ok(noted("a"), "of its callback");
}

static void ends_with_the_lock(void)
{
	uint64_t t = begin_keys(0);

	service.order_of = leave_locked;
	set_key(1, t + 5 * MS, true);
	set_key(2, t + HOUR, true);
	begin_to(t + 5 * MS);
	has_ended("one that has the lock may end the clock's thread");
	is_free("and gives it back");
	is(jif_service_stop_in(&service, NULL, 10000 * MS), 1,
	   "other keys are taken off");
}

static void lose_threads(void)
{
	gives_the_lock_back(wait_for_job, "a10",
			    "who is cancelled in del_sync has no lock");
	gives_the_lock_back(wait_for_key, "a10", "nor in remove_sync");
	gives_the_lock_back(wait_for_stop, "a11b", "nor in stop");
	gives_the_lock_back(wait_for_stop_in_time, "a11b", "nor in stop_in");
	unlocks_what_it_has_locked();
	ends_with_a_thread(0, "when the clock's thread has ended, add says so");
	ends_with_a_thread(1, "or a worker");
	ends_with_a_report();
	ends_with_the_lock();
}

#define DAY (24 * HOUR)

static void pauses_a_job(void)
{
	uint64_t t = begin(0, 0);

	is(jif_job_add_in(&b.job, 10 * MS + 250 * US), 0, "in 10.25 ms");
	is(jif_job_add_in(&b.job, 1), -JIF_EBUSY, "it is pending");
	set_clock(t + 4 * MS + 100 * US);
	is((long long)jif_job_left(&b.job), 6 * MS + 150 * US,
	   "what is left is exact");
	ok(jif_job_pause(&b.job) && !jif_job_pause(&b.job), "it pauses once");
	ok(!jif_job_pending(&b.job), "and is idle");
	go_to(t + HOUR + 300 * US);
	is((long long)jif_job_left(&b.job), 6 * MS + 150 * US, "as long");
	is(jif_job_resume(&b.job), 0, "it goes on");
	is(jif_job_resume(&b.job), -JIF_EINVAL, "once");
	go_to(t + HOUR + 7 * MS - 1);
	ok(noted(""), "not early");
	go_to(t + HOUR + 7 * MS);
	ok(noted("b"), "nor late");
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
	is((long long)jif_job_left(&b.job), 0, "nothing is left of one");
	is((long long)jif_job_left(&c.job), 9 * MS, "the other comes again");
	sem_post(&a.gate);
	finish_work();
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

static void saves_a_paused_job(void)
{
	uint64_t t = begin(0, 0);

	jif_job_start(&a.job, jif_times_every(t + 10 * MS, 5 * MS, 3));
	set_clock(t + 4 * MS + 500 * US);
	jif_job_pause(&a.job);
	rtc_ns = RTC;
	is(save_a(read_rtc), JIF_SNAPSHOT_SIZE(1), "a paused job is saved");
	jif_job_del(&a.job);
	rtc_ns += HOUR;
	is(restore_a(read_rtc), 1, "and restored");
	settle();
	is((long long)jif_job_left(&a.job), 6 * MS, "paused");
	is(jif_job_resume(&a.job), 0, "it goes on");
	go_to(t + 11 * MS);
	ok(noted("a") && a.job.times == 2, "as often as before");
	end();
	rtc_ns = RTC;
}

static void saves_a_paused_key(void)
{
	static const struct jif_saved list[] = { JIF_SAVED_KEYS(1,
								&kept_keys) };
	struct jif_snapshot keys = { &service.loop.wheel, list, 1, 7 };
	struct jif_key key = jif_key_number(3);
	uint64_t t = begin_keys(0);

	rtc_ns = RTC;
	set_key(3, t + 10 * MS, false);
	set_clock(t + 4 * MS + 500 * US);
	jif_service_pause(&service, key);
	is((long long)jif_service_left(&service, key), 5 * MS + 500 * US,
	   "what is left of a key");
	is(jif_service_save(&service, &keys, kept, sizeof(kept), read_rtc),
	   JIF_SNAPSHOT_SIZE(1) + 8, "is saved");
	jif_service_remove(&service, key);
	is(jif_service_restore(&service, &keys, kept, sizeof(kept), read_rtc),
	   1, "and restored");
	is((long long)jif_service_left(&service, key), 6 * MS,
	   "in ticks, rounded up");
	jif_service_remove(&service, key);
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
	begin_at(0, 0, t);
	use_keys();
	service.key_catchup = JIF_CATCHUP_SKIP;
	key_held = false;
	jif_service_init(&service);
	jif_service_start(&service);
	jif_service_set(&service, jif_key_number(7), &entries[3],
			jif_times_every(t + 5 * MS, MS, JIF_FOREVER));
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
	service.key_fn = run_key;
	service.table.entries = entries;
	service.table.capacity = 4;
	service.table.hash = jif_key_hash;
	service.loop.tick_ns = tick;
	jif_service_init(&service);
	jif_service_start(&service);
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

static void is_made_once(void)
{
	uint64_t t = begin(0, 0);

	jif_job_add(&b.job, t + 5 * MS);
	is(jif_service_init(&service), -JIF_EBUSY,
	   "one that runs is not initialised");
	go_to(t + 5 * MS);
	ok(noted("b"), "and goes on");
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
	set_clock(t + 16 * DAY);
	is(jif_loop_expires(&service.loop, t + 36 * DAY, &expires), 0,
	   "by all calls");
	is(expires, (t + 36 * DAY) / MS % (UINT64_C(1) << 32), "exactly");
	jif_service_unlock(&service);
	jif_job_add(&b.job, t + 17 * DAY);
	set_clock(t + 47 * DAY);
	jif_service_lock(&service);
	is(jif_loop_expires(&service.loop, t + 50 * DAY, &expires), -JIF_ERANGE,
	   "but what is due is not passed");
	is(jif_timer_add_in(&service.loop.wheel, &timer, 1), -JIF_ERANGE,
	   "by none");
	jif_service_unlock(&service);
	is(jif_job_add(&c.job, t + 70 * DAY), 0, "jobs need not");
	is(jif_job_add(&d.job, t + 73 * DAY), -JIF_ERANGE, "in reach from now");
	go_to(t + 70 * DAY - MS);
	ok(noted("b"), "not early");
	go_to(t + 70 * DAY);
	ok(noted("c"), "nor late");
	end();
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

static void know_what_time_it_is(void)
{
	pauses_a_job();
	pauses_what_waits();
	saves_a_paused_job();
	saves_a_paused_key();
	counts_no_more_than_32_bits();
	pauses_a_key(MS, 5 * MS + MS / 3 - 10 * (MS / 7));
	pauses_a_key(HOUR, 5 * HOUR + HOUR / 3 - 10 * (HOUR / 7));
	is_made_once();
	reaches_from_now();
	never_was_a_job();
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "many")) {
		counts_beyond_16_bits();
		keeps_many_keys();
		return tap_end();
	}
	expire_and_stop();
	keep_keys();
	share_workers();
	keep_time();
	survive();
	runs_out();
	leaves_a_child_alone();
	lose_threads();
	know_what_time_it_is();
	return tap_end();
}
