/* SPDX-License-Identifier: MIT */
/*
 * test/host/interleave/plans.c - what threads do beside each other
 *
 * A plan is what two or three threads call. Whatever the schedule: each arming
 * ends once, by a callback, a call that says so or a drain; no callback is
 * early, and late only if the time moved while threads ran; whoever waits goes
 * on; in the end, nothing is left, and the counts say so.
 *
 * usage: plans [PREEMPTIONS [NAME [SCHEDULE]]]: plans that have this in their
 * name, or what all threads do in one schedule; with real.c,
 * [SECONDS [NAME [MS]]]: all may be so late
 */
#include "machine.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "jif/host/service.h"
#include "jif/port/smp.h"
#include "lib/port/jif_port.h"
#include "lib/port/smp/jif_smp.h"

#define DUES	 8
#define END_NS	 (begin_ns + 1200 * MS)
#define SIZE(of) (sizeof(of) / sizeof(*(of)))

/* struct plan - a text for each thread: "add0+3" arms item 0 for 3 ms */
static const struct plan {
	const char *name;
	char *texts[3];
	unsigned workers;
	/* SLOW: callbacks take 2 ms. FULL: one call may wait */
	enum { SERVICE, SLOW, FULL, CORES } kind;
	unsigned late; /* so many ms, if the time moved while threads ran */
} plans[] = {
	{ "arm, arm", { "add0+3", "add1+2" } },
	{ "arm, arm the same", { "add0+3 mod0+5", "add0+2" } },
	{ "arm, delete", { "add0+3 mod0+1", "del0 del0" } },
	{ "arm, delete and wait", { "add0+1 at+1", "at+1 sync0" } },
	{ "arm, delete and wait at once", { "add0+3", "sync0 sync0" } },
	{ "arm twice, delete and wait", { "add0+3 mod0+5", "sync0" } },
	{ "arm anew, move", { "add0+3 del0 add0+4", "mod0+5" } },
	{ "arm when it runs", { "add0+1", "at+1 mod0+2" } },
	{ "arm when a worker runs it", { "add0+1", "at+1 mod0+2" }, 1 },
	{ "arm beside a period", { "every0+2", "add0+1" } },
	{ "arm two beside periods", { "every0+2 add1+1", "every1+2 add0+1" } },
	{ "a full queue", { "add0+1 add1+1 add2+1" }, 1, FULL },
	{ "a full queue, delete",
	  { "add0+1 add1+1 add2+1", "at+1 sync1" },
	  1,
	  FULL },
	{ "a full queue of keys", { "set0+1 set1+1 set2+1" }, 1, FULL },
	{ "a full queue, stop",
	  { "add0+1 add1+1 add2+1", "at+1 stop+99" },
	  1,
	  FULL },
	{ "arm for two workers", { "add0+1 add1+1" }, 2 },
	{ "two wait for it", { "add0+1 at+1", "at+1 sync0", "at+1 sync0" }, 1 },
	{ "pause, resume", { "add0+2 pause0", "resume0 del0" } },
	{ "pause, delete", { "add0+2 pause0", "del0 add0+5" } },
	{ "pause when it is due", { "add0+1 at+1", "at+1 pause0 resume0" } },
	{ "keys", { "set0+2 rm0", "set0+1 rm0" } },
	{ "keys of a worker", { "set0+1", "at+1 rmsync0 set0+2" }, 1 },
	{ "keys, stop", { "set0+2 move0+1", "stop" } },
	{ "pause a key", { "set0+2 hold0 go0", "go0 hold1" }, .late = 3 },
	{ "move a key", { "set0+1 at+1 move0+3", "at+1 rm0" }, 1 },
	{ "periods", { "every0+1", "at+2 sync0" }, 1 },
	{ "stop", { "add0+1 add1+2", "stop" } },
	{ "stop a worker", { "add0+1", "at+1 stop" }, 1 },
	{ "stop, two are due", { "add0+1 add1+1", "at+2 stop" }, 0, SLOW },
	{ "stop, two", { "stop", "add0+1 stop" } },
	{ "stop, start", { "stop start add0+2", "add1+1" } },
	{ "drain", { "add0+1 drain mod0+2", "add1+1" } },
	{ "drain a worker", { "add0+1", "at+1 drain mod0+2" }, 1 },
	{ "lock", { "lock add0+1 unlock wake", "add1+1 del1" } },
	{ "fork", { "add0+2 fork", "add1+1" } },
	{ "cores", { "take take drop drop", "take drop" }, 0, CORES },
	{ "idle cores", { "take take drop drop", "take idle drop" }, 0, CORES },
	{ "3 cores", { "take drop", "take idle drop", "take drop" }, 0, CORES },
};

/* struct item - a job or key; what is armed is live until it ends */
static struct item {
	struct jif_job job;
	struct arming {
		uint64_t due, from;
		bool live;
	} armings[DUES];
	_Atomic unsigned count, armed, ended, running;
	bool paused, periodic;
} items[3];

static const struct plan *plan;
static struct jif_service service;
static struct jif_worker workers[2];
static struct jif_call calls[4];
static struct jif_entry entries[4];
static uint64_t begin_ns, last_end;
static _Atomic unsigned ran;
static unsigned holder, holds;
static bool stop_begun, stopped;

/* --- what is expected ------------------------------------------------------*/

uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 * MS + (uint64_t)now.tv_nsec;
}

void expect(bool cond, const char *format, ...)
{
	va_list values;

	if (cond)
		return;
	printf("# %.3f ms: ", (double)(now_ns() - begin_ns) / MS);
	va_start(values, format);
	vprintf(format, values);
	va_end(values);
	machine_fail();
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static uint64_t next_tick(uint64_t ns)
{
	return (ns / MS + 1) * MS;
}

static bool is_time(const struct arming *a, uint64_t now)
{
	uint64_t last = a->due > a->from ? a->due : next_tick(a->from);

	if (machine_moved)
		last = later(last, next_tick(machine_moved) + plan->late * MS);
	return a->live && a->due <= now && now <= last;
}

/* Before the one that runs was taken, it waited, too. */
static void expect_room(void)
{
	struct jif_stats stats;

	jif_service_stats(&service, &stats);
	expect(stats.queued <= 1, "%u wait where there is room for one",
	       stats.queued);
}

static void run(struct item *item)
{
	struct arming *a = item->armings;

	while (a < item->armings + DUES && !is_time(a, now_ns()))
		a++;
	expect(a < item->armings + DUES,
	       "item %td runs too early, late or often", item - items);
	a->live = item->periodic;
	a->due += MS;
	a->from = now_ns();
	item->running++;
	ran++;
	if (plan->kind == FULL)
		expect_room();
	if (plan->kind == SLOW)
		machine_wait(-1, now_ns() + 2 * MS);
	last_end = now_ns();
	item->running--;
	item->ended++;
}

static int run_job(struct jif_job *job)
{
	run(jif_container_of(job, struct item, job));
	return 0;
}

static int run_key(struct jif_service *s, struct jif_key key, void *value)
{
	run(value);
	return 0;
}

static void drain(struct jif_service *s, const struct jif_call *call)
{
	struct item *item = call->value;

	if (call->job)
		item = jif_container_of(call->job, struct item, job);
	item->ended++;
}

/* --- calls -----------------------------------------------------------------*/

static int stop(void)
{
	uint64_t begun = now_ns(), last;
	int n;

	stop_begun = true;
	n = jif_service_stop(&service, drain);
	last = later(begun, later(last_end, machine_moved));
	stopped |= n >= 0;
	expect(n < 0 || now_ns() <= last, "a stop is late");
	return 0;
}

static int waited(const struct item *item, int n)
{
	expect(!item->running, "its callback has not ended");
	return n;
}

/* A child arms nothing, and waits for nobody. */
static void run_child(struct item *item, struct jif_key key)
{
	struct jif_times times = jif_times_once(END_NS);
	const int results[] = { jif_job_mod(&item->job, END_NS),
				jif_job_resume(&item->job),
				jif_job_del_sync(&item->job),
				jif_service_set(&service, key, item, times),
				jif_service_move(&service, key, END_NS),
				jif_service_resume(&service, key),
				jif_service_drain(&service, NULL),
				jif_service_start(&service),
				jif_service_stop(&service, NULL) };

	jif_service_wake(&service);
	jif_service_unlock(&service);
	for (size_t i = 0; i < SIZE(results); i++)
		expect(results[i] == -JIF_ECANCELED, "a child is served");
	_exit(0);
}

static int fork_child(struct item *item, struct jif_key key)
{
	int status = 0;
	pid_t child = fork();

	if (!child)
		run_child(item, key);
	waitpid(child, &status, 0);
	expect(child > 0 && !status, "that was in the child");
	return 0;
}

unsigned jif_smp_core(void)
{
	return (unsigned)pthread_self();
}

static int has_lock(bool nests)
{
	expect(!nests || holder == jif_smp_core(), "two have the lock");
	holder = jif_smp_core();
	return 0;
}

static int resume(struct item *item)
{
	bool was = item->paused;
	int err = jif_job_resume(&item->job);

	expect(!was || !err, "a paused job is not resumed");
	item->paused = false;
	return err;
}

static struct arming *arm(struct item *item, uint64_t due)
{
	struct arming *a = &item->armings[item->count++];

	*a = (struct arming){ due, now_ns(), true };
	return a;
}

static int armed(struct item *item, struct arming *a, int result)
{
	if (result >= 0)
		item->armed++;
	else
		a->live = false;
	return result;
}

/*
 * What a word of a text does, and how many armings that has ended. What is
 * armed is live from before the call on, unless the result is an error.
 */
#define WORD(name, what)                                                       \
	if (!strcmp(word, #name))                                              \
		return (what);
#define ARM(name, what) WORD(name, (a = arm(item, due), armed(item, a, what)))

static int call(const char *word, struct item *item, uint64_t due)
{
	struct jif_key key = jif_key_number((uintptr_t)(item - items));
	struct arming *a;

	ARM(add, jif_job_add(&item->job, due))
	ARM(mod, jif_job_mod(&item->job, due))
	ARM(every, (item->periodic = true,
		    jif_job_start(&item->job, jif_times_every(due, MS, 2))))
	ARM(resume, resume(item))
	ARM(set, jif_service_set(&service, key, item, jif_times_once(due)))
	ARM(move, jif_service_move(&service, key, due))
	WORD(del, jif_job_del(&item->job))
	WORD(sync, waited(item, jif_job_del_sync(&item->job)))
	WORD(pause, item->paused = jif_job_pause(&item->job))
	WORD(rm, !jif_service_remove(&service, key))
	WORD(rmsync, waited(item, jif_service_remove_sync(&service, key)))
	WORD(hold, (jif_service_pause(&service, key), 0))
	WORD(go, (jif_service_resume(&service, key), 0))
	WORD(at, (machine_wait(-1, due), 0))
	WORD(lock, (jif_service_lock(&service), 0))
	WORD(unlock, (jif_service_unlock(&service), 0))
	WORD(wake, (jif_service_wake(&service), 0))
	WORD(start, (stopped &= jif_service_start(&service) != 0, 0))
	WORD(drain, (jif_service_drain(&service, drain), 0))
	WORD(stop, stop())
	WORD(fork, fork_child(item, key))
	WORD(take, (jif_smp_take(), has_lock(holds++)))
	WORD(drop, (holds--, jif_smp_drop(), 0))
	WORD(idle, (holds = 0, jif_smp_take_back(jif_smp_let_go()),
		    has_lock(holds++)))
	abort();
}

static void *run_text(void *arg)
{
	char *text = arg, word[8];
	struct item *item;
	uint64_t ms;
	int n;

	while (sscanf(text, " %7[a-z]%n", word, &n) == 1) {
		text += n;
		item = &items[isdigit(*text) ? *text++ - '0' : 0];
		ms = strtoul(text, &text, 10);
		n = call(word, item, begin_ns + ms * MS);
		item->ended += n > 0 ? (unsigned)n : 0;
	}
	return arg;
}

/* --- a plan ----------------------------------------------------------------*/

static void start(void)
{
	service = (struct jif_service){
		.workers = plan->workers ? workers : NULL,
		.worker_count = plan->workers,
		.calls = plan->workers ? calls : NULL,
		.call_count = plan->kind == FULL ? 1 :
			      plan->workers	 ? SIZE(calls) :
						   0,
		.table = { .entries = entries,
			   .capacity = SIZE(entries),
			   .hash = jif_key_hash },
		.key_fn = run_key,
	};
	expect(!jif_service_init(&service), "no service");
	for (struct item *item = items; item < items + SIZE(items); item++)
		jif_job_init(&service, &item->job, run_job);
	expect(!jif_service_start(&service), "it does not start");
}

/* How often a period ends is not known. */
static void check_items(void)
{
	for (struct item *item = items; item < items + SIZE(items); item++)
		expect(item->periodic || item->armed == item->ended,
		       "item %td armed %u times, ended %u", item - items,
		       item->armed, item->ended);
}

static void check_stats(void)
{
	struct jif_stats stats;

	jif_service_stats(&service, &stats);
	expect(!stats.pending && !stats.queued && !stats.running,
	       "%u pending, %u queued, %u running", stats.pending, stats.queued,
	       stats.running);
	expect(stats.counts.ran == ran, "not all that ran is counted");
	expect(!service.idle && !service.waiting && !service.alive,
	       "a thread is counted that is none");
}

static void run_plan(void)
{
	pthread_t threads[SIZE(plan->texts)];
	unsigned n = 0;

	begin_ns = now_ns();
	if (plan->kind != CORES)
		start();
	for (; n < SIZE(plan->texts) && plan->texts[n]; n++)
		pthread_create(&threads[n], NULL, run_text, plan->texts[n]);
	while (n--)
		pthread_join(threads[n], NULL);
	if (plan->kind == CORES) {
		jif_smp_take(); /* others have given it back */
		jif_smp_drop();
	}
	machine_wait(-1, END_NS);
	if (!stop_begun)
		check_items();
	if (plan->kind == CORES)
		return;
	if (!stopped)
		stop();
	check_items();
	check_stats();
}

int main(int argc, char **argv)
{
	bool passed = true;

	for (plan = plans; plan < plans + SIZE(plans); plan++)
		if (argc < 3 || strstr(plan->name, argv[2]))
			passed &= machine_explore(
				plan->name, run_plan,
				argc > 1 ? (unsigned)atoi(argv[1]) : 1,
				argc > 3 ? argv[3] : NULL);
	return !passed;
}
