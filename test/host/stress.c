/* SPDX-License-Identifier: MIT */
/*
 * test/host/stress.c - a service, and threads that do all they can to it
 *
 * Eight threads arm, move, delete, drain, stop and start. Each arming has to
 * end once: it runs, or a call says that it does not. Both are counted, per job
 * and per key. Some jobs are armed by one thread and their own callback only:
 * when that thread has deleted one and waited, its memory is overwritten. Half
 * of the keys are strings, which are overwritten when they are set. Of jobs
 * with periods, only the runs are counted.
 *
 * usage: stress OPERATIONS [SECONDS]: per thread and kind of service, so many
 * of them; with SECONDS, for so long, all kinds taken together
 */
#include <jif/host/service.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tap.h"
#include "test/wheel/model/random.h"

/* Helgrind takes what is atomic for a mistake: -DHELGRIND leaves it out. */
#ifdef HELGRIND
#include <valgrind/helgrind.h>
#define ATOMIC(object) VALGRIND_HG_DISABLE_CHECKING(&(object), sizeof(object))
#else
#define ATOMIC(object) ((void)&(object))
#endif

#define US	 UINT64_C(1000)
#define THREADS	 8
#define SHARED	 64
#define OWNED	 8
#define KEYS	 32
#define WORKERS	 3
#define CALLS	 5
#define KINDS	 3
#define STOPPERS 2
#define PERIODIC 8
#define NAME	 4

/**
 * struct item - a job or a key, and what became of it
 * @job:	the job
 * @armed:	how often it was armed
 * @ended:	how often it has run, or was taken off
 * @due_ns:	one of a single thread: not sooner than that
 * @running:	how many of its callbacks run
 */
struct item {
	struct jif_job job;
	unsigned armed;
	unsigned ended;
	uint64_t due_ns;
	unsigned running;
};

static struct jif_service service;
static struct jif_entry entries[KEYS / 2];
static struct jif_worker workers[WORKERS];
static struct jif_call calls[CALLS];
static struct item shared[SHARED];
static struct item owned[THREADS][OWNED];
static struct item keyed[KEYS];
static struct item periodic[PERIODIC];
static uint8_t key_bytes[JIF_KEY_BYTES(KEYS / 2, WORKERS, CALLS, NAME)];
static unsigned long operations;
static uint64_t end_ns;
static unsigned fired, cancelled, drained, refused, started, wrong;

static void count(unsigned *counter, int n)
{
	__atomic_fetch_add(counter, (unsigned)n, __ATOMIC_RELAXED);
}

static void expect(bool right)
{
	if (!right)
		count(&wrong, 1);
}

static uint64_t soon(uint64_t *random)
{
	return jif_service_now(&service) +
	       random_next(random, random_next(random, 8) ? 400 : 20000) * US;
}

/* A job does not overlap itself, nor does a key; it knows when it was due. */
static void fire(struct item *item)
{
	uint64_t now = jif_service_now(&service);
	struct jif_call call = { .due_ns = UINT64_MAX };

	expect(jif_service_current(&service, &call) && now >= call.due_ns);
	expect(!__atomic_fetch_add(&item->running, 1, __ATOMIC_RELAXED));
	count(&item->ended, 1);
	count(&fired, 1);
}

static void end_fire(struct item *item)
{
	__atomic_fetch_sub(&item->running, 1, __ATOMIC_RELAXED);
}

static int fire_shared(struct jif_job *job)
{
	struct item *item = jif_container_of(job, struct item, job);
	uint64_t now = jif_service_now(&service);

	fire(item);
	if (now / US % 4 == 0 && !jif_job_add(job, now + 100 * US))
		count(&item->armed, 1);
	end_fire(item);
	return now / US % 16 == 0;
}

static int fire_owned(struct jif_job *job)
{
	struct item *item = jif_container_of(job, struct item, job);
	uint64_t now = jif_service_now(&service);

	fire(item);
	expect(now >= __atomic_load_n(&item->due_ns, __ATOMIC_RELAXED));
	if (now / US % 4 && !jif_job_add(job, now + 50 * US))
		count(&item->armed, 1);
	end_fire(item);
	return 0;
}

static int fire_periodic(struct jif_job *job)
{
	struct item *item = jif_container_of(job, struct item, job);

	fire(item);
	end_fire(item);
	return 0;
}

static void name_key(char name[NAME], unsigned i)
{
	memcpy(name,
	       (char[NAME]){ 'k', (char)('0' + i % 8), (char)('0' + i / 8),
			     '.' },
	       NAME);
}

/* Those with odd numbers are strings. */
static struct jif_key key_of(unsigned i, char name[NAME])
{
	if (i % 2 == 0)
		return jif_key_number(i);
	name_key(name, i);
	return jif_key_bytes(name, NAME);
}

static int fire_key(struct jif_service *s, struct jif_key key, void *value)
{
	struct item *item = value;
	char name[NAME];

	fire(item);
	sched_yield();
	name_key(name, (unsigned)(item - keyed));
	expect(s == &service);
	expect(key.bytes ? !memcmp(key.bytes, name, NAME) :
			   item == &keyed[key.number]);
	end_fire(item);
	return 0;
}

static struct item *item_of(const struct jif_call *call)
{
	return call->job ? jif_container_of(call->job, struct item, job) :
			   call->value;
}

static void drain(struct jif_service *s, const struct jif_call *call)
{
	expect(s == &service);
	count(&item_of(call)->ended, 1);
	count(&drained, 1);
}

static void report(struct jif_service *s, const struct jif_call *call, int err,
		   uint64_t ns)
{
	expect(s == &service && (err || ns >= s->slow_ns));
	if (err != -JIF_ENOSPC)
		return;
	count(&item_of(call)->ended, 1);
	count(&refused, 1);
}

static void cancel(struct item *item, int n)
{
	if (n == -JIF_ECANCELED)
		return;
	expect(n >= 0);
	count(&item->ended, n);
	count(&cancelled, n);
}

static void touch_shared(uint64_t *random)
{
	struct item *item = &shared[random_next(random, SHARED)];
	unsigned what = random_next(random, 8);
	uint64_t when = soon(random);
	int ret = -1;

	if (what < 3) {
		ret = jif_job_add(&item->job, when);
	} else if (what < 6) {
		ret = jif_job_mod(&item->job, when);
		if (ret == 1)
			cancel(item, 1);
	} else if (what == 6) {
		cancel(item, when % 2 ? jif_job_del(&item->job) :
					jif_job_pause(&item->job));
	} else {
		cancel(item, jif_job_del_sync(&item->job));
	}
	expect(jif_job_left(&item->job) <= 20000 * US);
	if (ret >= 0)
		count(&item->armed, 1);
}

static void touch_owned(struct item *own, uint64_t *random)
{
	struct item *item = &own[random_next(random, OWNED)];
	uint64_t when = soon(random);

	if (random_next(random, 2)) {
		cancel(item, jif_job_del_sync(&item->job));
		expect(!item->running);
		memset(&item->job, 0xa5, sizeof(item->job));
		jif_job_init(&service, &item->job, fire_owned);
		__atomic_store_n(&item->due_ns, when, __ATOMIC_RELAXED);
		if (!jif_job_add(&item->job, when))
			count(&item->armed, 1);
	} else if (jif_job_del(&item->job)) {
		cancel(item, 1);
	}
}

static void touch_keyed(uint64_t *random)
{
	unsigned i = random_next(random, KEYS), what = random_next(random, 8);
	char name[NAME];
	struct jif_key key = key_of(i, name);
	struct item *item = &keyed[i];
	uint64_t when = soon(random);

	if (what < 2)
		jif_service_move(&service, key, when);
	else if (what == 2)
		cancel(item, jif_service_remove_sync(&service, key));
	else if (what == 3)
		cancel(item, !jif_service_remove(&service, key));
	else if (!jif_service_add(&service, key, item, jif_times_once(when)))
		count(&item->armed, 1);
	memset(name, 'x', NAME);
}

static void touch_periodic(uint64_t *random)
{
	struct item *item = &periodic[random_next(random, PERIODIC)];
	struct jif_times when = jif_times_every(soon(random), 100 * US, 5);

	when.catchup = (enum jif_catchup)random_next(random, 3);
	when.slack_ns = random_next(random, 2) * 200 * US;
	if (random_next(random, 2))
		expect(jif_job_start(&item->job, when) <= 1);
	else
		expect(jif_job_del_sync(&item->job) >= 0);
}

/* What has run, and what runs, has begun so late. */
static void look(void)
{
	struct jif_stats stats;
	uint64_t begun = 0;

	jif_service_stats(&service, &stats);
	for (unsigned i = 0; i < JIF_LATE_CLASSES; i++)
		begun += stats.late[i];
	expect(begun == stats.counts.ran + stats.running &&
	       stats.running <= WORKERS + 1);
}

/* Calls that change nothing in the end. */
static void ask(uint64_t *random)
{
	unsigned i = random_next(random, KEYS);
	char name[NAME];
	struct jif_key key = key_of(i, name);

	expect(jif_job_left(&shared[i].job) < 40000 * US);
	expect(jif_service_left(&service, key) < 40000 * US);
	expect(jif_service_count(&service) <= KEYS / 2);
	if (!jif_service_pause(&service, key))
		jif_service_resume(&service, key);
}

/* Of two threads that stop it, one does. */
static void touch_service(uint64_t *random)
{
	int n = 0;

	jif_service_lock(&service);
	expect(!jif_wheel_check(&service.loop.wheel));
	jif_service_unlock(&service);
	if (random_next(random, 2)) {
		n = jif_service_drain(&service, drain);
	} else {
		n = jif_service_stop(&service, drain);
		if (n >= 0)
			count(&started, !jif_service_start(&service));
		else
			expect(n == -JIF_ECANCELED);
	}
}

static bool is_over(unsigned long n)
{
	return end_ns ? jif_service_now(&service) >= end_ns : n >= operations;
}

static void *run_thread(void *arg)
{
	unsigned id = (unsigned)(uintptr_t)arg;
	uint64_t random = random_begin(id + 1);

	for (unsigned long n = 0; !is_over(n); n += 3) {
		touch_shared(&random);
		touch_owned(owned[id], &random);
		touch_keyed(&random);
		touch_periodic(&random);
		if (!random_next(&random, 16)) {
			look();
			ask(&random);
		}
		if (id < STOPPERS && !random_next(&random, 100))
			touch_service(&random);
		if (!random_next(&random, 8))
			sched_yield();
	}
	return NULL;
}

static void begin(unsigned kind)
{
	memset(&service, 0, sizeof(service));
	service.loop.tick_ns = 50 * US;
	service.table.entries = entries;
	service.table.capacity = KEYS / 2;
	service.table.hash = jif_key_hash;
	service.key_fn = fire_key;
	service.key_order = true;
	service.key_bytes = key_bytes;
	service.key_size = NAME;
	service.slow_ns = kind % 2 ? 200 * US : 0;
	service.report = report;
	if (kind) {
		service.workers = workers;
		service.worker_count = WORKERS;
		service.calls = calls;
		service.call_count = CALLS;
		service.full = (enum jif_full)(kind - 1);
	}
	expect(!jif_service_init(&service) && !jif_service_start(&service));
	for (unsigned i = 0; i < SHARED; i++)
		jif_job_init(&service, &shared[i].job, fire_shared);
	for (unsigned i = 0; i < PERIODIC; i++)
		jif_job_init(&service, &periodic[i].job, fire_periodic);
	for (unsigned i = 0; i < THREADS * OWNED; i++)
		jif_job_init(&service, &owned[i / OWNED][i % OWNED].job,
			     fire_owned);
}

static void begin_counting(struct item *items, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		ATOMIC(items[i].job);
		ATOMIC(items[i].armed);
		ATOMIC(items[i].ended);
		ATOMIC(items[i].due_ns);
		ATOMIC(items[i].running);
	}
}

static void settle(const struct item *items, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (items[i].armed == items[i].ended && !items[i].running)
			continue;
		printf("# item %u: armed %u times, ended %u times\n", i,
		       items[i].armed, items[i].ended);
		expect(false);
	}
}

static void run(unsigned kind, const char *name)
{
	pthread_t threads[THREADS];
	struct jif_stats stats;

	begin(kind);
	fired = cancelled = drained = refused = started = wrong = 0;
	for (uintptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, run_thread, (void *)i))
			abort();
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	expect(jif_service_stop(&service, drain) >= 0);
	settle(shared, SHARED);
	settle(&owned[0][0], THREADS * OWNED);
	settle(keyed, KEYS);
	jif_service_stats(&service, &stats);
	expect(stats.counts.ran == fired && stats.counts.refused == refused &&
	       !stats.pending && !stats.queued && !stats.running);
	printf("# %u ran, %u cancelled, %u drained, %u refused, %u restarts\n",
	       fired, cancelled, drained, refused, started);
	ok(!wrong && fired && cancelled && drained && started, name);
}

int main(int argc, char *argv[])
{
	static const char *const names[KINDS] = {
		"each arming ends once: no workers",
		"each arming ends once: workers, and the clock blocks",
		"each arming ends once: workers, and some are refused",
	};
	struct timespec now;

	begin_counting(shared, SHARED);
	begin_counting(&owned[0][0], THREADS * OWNED);
	begin_counting(keyed, KEYS);
	begin_counting(periodic, PERIODIC);
	ATOMIC(fired);
	ATOMIC(cancelled);
	ATOMIC(drained);
	ATOMIC(refused);
	ATOMIC(started);
	ATOMIC(wrong);
	ATOMIC(service.loop.until_ns);
	ATOMIC(service.loop.ran);
	ATOMIC(service.loop.began);
	operations = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
	for (unsigned kind = 0; kind < KINDS; kind++) {
		clock_gettime(CLOCK_MONOTONIC, &now);
		if (argc > 2)
			end_ns = (uint64_t)now.tv_sec * 1000000 * US +
				 strtoul(argv[2], NULL, 10) * 1000000 * US /
					 KINDS;
		run(kind, names[kind]);
	}
	return tap_end();
}
