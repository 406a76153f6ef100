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
 * name, or what all threads do in one schedule
 */
#include "machine.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jif/service.h"
#include "jif/shard.h"
#include "jif/smp.h"
#include "lib/port/jif_port.h"
#include "lib/port/smp/jif_smp.h"

#define ITEMS	 3
#define DUES	 8
#define END_NS	 (begin_ns + 1000 * MS)
#define SIZE(of) (sizeof(of) / sizeof(*(of)))

/* struct plan - a text for each thread: "add0+3" arms item 0 for 3 ms */
static const struct plan {
	const char *name;
	const char *texts[3];
	unsigned workers;
	bool shard, cores;
	bool slow;     /* callbacks take 2 ms, and reports 4 */
	bool watch;    /* they take 4 ms, and those of 3 are reported */
	unsigned late; /* so many ms, if the time moved while threads ran */
} plans[] = {
	{ "arm, arm", { "add0+3", "add1+2" } },
	{ "arm, arm the same", { "add0+3 mod0+5", "add0+2" } },
	{ "arm, delete", { "add0+3 mod0+1", "del0 del0" } },
	{ "arm, delete and wait", { "add0+1 sleep+1", "sleep+1 sync0" } },
	{ "arm, delete and wait at once", { "add0+3", "sync0 sync0" } },
	{ "arm when it runs", { "add0+1", "sleep+1 mod0+2" } },
	{ "arm when a worker runs it", { "add0+1", "sleep+1 mod0+2" }, 1 },
	{ "arm for two workers", { "add0+1 add1+1" }, 2 },
	{ "two wait for the same",
	  { "add0+1 sleep+1", "sleep+1 sync0", "sleep+1 sync0" },
	  1 },
	{ "pause, resume", { "add0+2 pause0", "resume0 del0" } },
	{ "pause, delete", { "add0+2 pause0", "del0 add0+5" } },
	{ "pause when it is due",
	  { "add0+1 sleep+1", "sleep+1 pause0 resume0" } },
	{ "keys", { "set0+2 rm0", "set0+1 rm0" } },
	{ "keys of a worker", { "set0+1", "sleep+1 rmsync0 set0+2" }, 1 },
	{ "keys, stop", { "set0+2 move0+1", "stop+99" } },
	{ "pause a key", { "set0+2 hold0 go0", "go0 hold1" }, .late = 3 },
	{ "move a key", { "set0+1 sleep+1 move0+3", "sleep+1 rm0" }, 1 },
	{ "periods", { "every0+1", "sleep+2 sync0" }, 1 },
	{ "stop", { "add0+1 add1+2", "stop+99" } },
	{ "stop a worker", { "add0+1", "sleep+1 stop+99" }, 1 },
	{ "stop when two are due",
	  { "add0+1 add1+1", "sleep+2 stop+99" },
	  .slow = true },
	{ "stop in time", { "add0+1", "sleep+1 stop+1" }, 1 },
	{ "stop beside a report",
	  { "add0+1 sleep+1 stop+0", "sleep+2 sync0", "sleep+2 stop+99" },
	  1,
	  .slow = true },
	{ "stop, two", { "stop+99", "add0+1 stop+99" } },
	{ "stop, start", { "stop+99 start add0+2", "add1+1" } },
	{ "drain", { "add0+1 drain mod0+2", "add1+1" } },
	{ "drain a worker", { "add0+1", "sleep+1 drain mod0+2" }, 1 },
	{ "watch", { "add0+1 add1+6" }, 1, .watch = true, .late = 4 },
	{ "stop a watch",
	  { "add0+1 sleep+2 stop+99" },
	  1,
	  .watch = true,
	  .late = 4 },
	{ "lock", { "lock add0+1 unlock wake", "add1+1 del1" } },
	{ "fork", { "add0+2 fork", "add1+1" } },
	{ "cores", { "take take drop drop", "take drop" }, .cores = true },
	{ "three cores",
	  { "take drop", "take idle drop", "take drop" },
	  .cores = true },
	{ "post", { "post0+2", "post1+1" }, .shard = true },
	{ "post, delete", { "post0+2 unpost0", "post1+1" }, .shard = true },
	{ "post when the owner runs",
	  { "post0+1", "sleep+1 post1+1" },
	  .shard = true },
	{ "post more than there are places",
	  { "post0+1 post1+1", "post2+1" },
	  .shard = true },
	{ "post when the owner arms",
	  { "post1+1", NULL, "own0+5" },
	  .shard = true },
};

/* struct item - a job, key or timer; what is armed is live until it ends */
struct item {
	struct jif_job job;
	struct jif_timer timer;
	struct arming {
		uint64_t due, from;
		bool live;
	} armings[DUES];
	unsigned count, armed, ended, running;
	bool paused, periodic, unposted;
};

static const struct plan *plan;
static struct item items[ITEMS];
static struct jif_service service;
static struct jif_worker workers[2];
static struct jif_call calls[4];
static struct jif_entry entries[4];
static struct jif_shard shard;
static struct jif_post posts[2];
static uint64_t begin_ns, last_end;
static unsigned ran, reported, holder, holds;
static bool stop_begun, stopped;

/* --- what is expected ------------------------------------------------------*/

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

static void take(uint64_t ns)
{
	if (plan->slow || plan->watch)
		machine_wait(-1, machine_now() + ns);
}

static void run(struct item *item)
{
	struct arming *a = item->armings;

	while (a < item->armings + DUES && !is_time(a, machine_now()))
		a++;
	machine_check(a < item->armings + DUES, "item %td should not run",
		      item - items);
	a->live = item->periodic;
	a->due += MS;
	a->from = machine_now();
	item->running++;
	ran++;
	take(plan->watch ? 4 * MS : 2 * MS);
	last_end = machine_now();
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

static void run_timer(struct jif_timer *timer)
{
	run(jif_container_of(timer, struct item, timer));
}

static void report(struct jif_service *s, const struct jif_call *call, int err,
		   uint64_t ns)
{
	if (!plan->watch || err)
		take(4 * MS);
	if (plan->watch)
		last_end = machine_now();
	reported++;
	machine_check(!plan->watch || machine_moved ||
			      ns == (err ? 3 * MS : 4 * MS),
		      "a report is late");
}

static void drain(struct jif_service *s, const struct jif_call *call)
{
	if (call->job)
		jif_container_of(call->job, struct item, job)->ended++;
	else
		((struct item *)call->value)->ended++;
}

/* --- calls -----------------------------------------------------------------*/

static int stop(uint64_t timeout_ns)
{
	uint64_t begun = machine_now(), last;
	int n;

	stop_begun = true;
	n = jif_service_stop_in(&service, drain, timeout_ns);
	last = later(begun, later(last_end, machine_moved));
	stopped |= n >= 0;
	machine_check(n < 0 || machine_now() <= last, "a stop is late");
	return 0;
}

static int del_sync(struct item *item)
{
	int n = jif_job_del_sync(&item->job);

	machine_check(!item->running, "its callback has not ended");
	return n;
}

/* A child arms nothing, and waits for nobody. */
static int fork_child(struct item *item, struct jif_key key)
{
	int error = -JIF_ECANCELED;

	if (!machine_fork())
		return 0;
	jif_service_wake(&service);
	jif_service_unlock(&service);
	machine_check(
		jif_job_mod(&item->job, END_NS) == error &&
			jif_job_resume(&item->job) == error &&
			jif_job_del_sync(&item->job) == error &&
			jif_service_set(&service, key, item,
					jif_times_once(END_NS)) == error &&
			jif_service_move(&service, key, END_NS) == error &&
			jif_service_resume(&service, key) == error &&
			jif_service_drain(&service, NULL) == error &&
			jif_service_start(&service) == error &&
			jif_service_stop(&service, NULL) == error,
		"a child is served");
	_exit(0);
}

unsigned jif_smp_core(void)
{
	return (unsigned)pthread_self();
}

static int take_lock(void)
{
	jif_smp_take();
	machine_check(!holds++ || holder == jif_smp_core(),
		      "two have the lock");
	holder = jif_smp_core();
	return 0;
}

static int let_others_in(void)
{
	unsigned before = holds, depth;

	holds = 0;
	depth = jif_smp_let_go();
	jif_smp_take_back(depth);
	machine_check(!holds, "two have the lock");
	holder = jif_smp_core();
	holds = before;
	return 0;
}

static int resume(struct item *item)
{
	bool was = item->paused;
	int err = jif_job_resume(&item->job);

	machine_check(!was || !err, "a paused job is not resumed");
	item->paused = false;
	return err;
}

static struct arming *arm(struct item *item, uint64_t due)
{
	struct arming *a = &item->armings[item->count++];

	*a = (struct arming){ due, machine_now(), true };
	return a;
}

static int armed(struct item *item, struct arming *a, int result)
{
	item->armed += result >= 0;
	a->live &= result >= 0;
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
	ARM(post, jif_shard_mod(&shard, &item->timer, due))
	ARM(own, jif_loop_mod(&shard.loop, &item->timer, due))
	WORD(del, jif_job_del(&item->job))
	WORD(sync, del_sync(item))
	WORD(pause, item->paused = jif_job_pause(&item->job))
	WORD(rm, !jif_service_remove(&service, key))
	WORD(rmsync, jif_service_remove_sync(&service, key))
	WORD(hold, (jif_service_pause(&service, key), 0))
	WORD(go, (jif_service_resume(&service, key), 0))
	WORD(unpost,
	     (item->unposted |= !jif_shard_del(&shard, &item->timer), 0))
	WORD(sleep, (machine_wait(-1, due), 0))
	WORD(lock, (jif_service_lock(&service), 0))
	WORD(unlock, (jif_service_unlock(&service), 0))
	WORD(wake, (jif_service_wake(&service), 0))
	WORD(start, (stopped &= jif_service_start(&service) != 0, 0))
	WORD(drain, (jif_service_drain(&service, drain), 0))
	WORD(stop, stop(due - begin_ns))
	WORD(fork, fork_child(item, key))
	WORD(take, take_lock())
	WORD(drop, (holds--, jif_smp_drop(), 0))
	WORD(idle, let_others_in())
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
	service.workers = plan->workers ? workers : NULL;
	service.worker_count = plan->workers;
	service.calls = plan->workers ? calls : NULL;
	service.call_count = plan->workers ? SIZE(calls) : 0;
	service.slow_ns = plan->watch ? 3 * MS : 0;
	service.table.entries = entries;
	service.table.capacity = SIZE(entries);
	service.table.hash = jif_key_hash;
	service.key_fn = run_key;
	service.report = report;
	machine_check(!jif_service_init(&service), "no service");
	for (struct item *item = items; item < items + ITEMS; item++)
		jif_job_init(&service, &item->job, run_job);
	machine_check(!jif_service_start(&service), "it does not start");
}

/* The third text is its owner's. */
static void *own_shard(void *arg)
{
	run_text(arg);
	while (machine_now() < END_NS) {
		machine_wait(shard.loop.fd, END_NS);
		jif_shard_run(&shard);
	}
	return arg;
}

static void start_shard(void)
{
	const char *text = plan->texts[2] ? plan->texts[2] : "";
	pthread_t owner;

	shard.posts = posts;
	shard.capacity = SIZE(posts);
	for (struct item *item = items; item < items + ITEMS; item++)
		jif_timer_init(&item->timer, run_timer);
	machine_check(!jif_shard_init(&shard), "no shard");
	pthread_create(&owner, NULL, own_shard, (void *)(uintptr_t)text);
}

static void check_stats(void)
{
	struct jif_stats stats;

	jif_service_stats(&service, &stats);
	machine_check(!stats.pending && !stats.queued && !stats.running,
		      "%u pending, %u queued, %u running", stats.pending,
		      stats.queued, stats.running);
	machine_check(stats.counts.ran == ran, "not all that ran is counted");
	machine_check(!service.idle && !service.waiting && !service.alive,
		      "a thread is counted that is none");
}

/* How often a period ends is not known; what is deleted may have run. */
static void check_items(void)
{
	for (const struct item *item = items; item < items + ITEMS; item++)
		machine_check(item->periodic || item->armed == item->ended ||
				      (item->unposted && !item->ended),
			      "item %td armed %u times, ended %u times",
			      item - items, item->armed, item->ended);
}

static void run_plan(void)
{
	pthread_t threads[SIZE(plan->texts)];
	unsigned n = 0, most = plan->shard ? 2 : SIZE(plan->texts);

	begin_ns = machine_now();
	if (!plan->cores)
		(plan->shard ? start_shard : start)();
	for (; n < most && plan->texts[n]; n++)
		pthread_create(&threads[n], NULL, run_text,
			       (void *)(uintptr_t)plan->texts[n]);
	while (n--)
		pthread_join(threads[n], NULL);
	machine_wait(-1, END_NS);
	if (!stop_begun) {
		check_items();
		machine_check(!plan->watch || machine_moved ||
				      reported == 2 * ran,
			      "%u reports of %u calls", reported, ran);
	}
	if (plan->shard || plan->cores)
		return;
	if (!stopped)
		stop(UINT64_MAX);
	check_items();
	check_stats();
}

int main(int argc, char **argv)
{
	unsigned most = argc > 1 ? (unsigned)atoi(argv[1]) : 1, failed = 0;
	const char *schedule = argc > 3 ? argv[3] : NULL;
	bool passed;

	for (size_t i = 0; i < SIZE(plans); i++) {
		if (argc > 2 && !strstr(plans[i].name, argv[2]))
			continue;
		plan = &plans[i];
		passed = true;
		for (unsigned n = schedule ? most : 0; n <= most && passed; n++)
			passed = machine_explore(run_plan, n, schedule);
		printf("%sok %zu - %s # %lu schedules, %lu states\n",
		       passed ? "" : "not ", i + 1, plans[i].name,
		       machine_schedules, machine_states);
		failed += !passed;
	}
	printf("1..%zu\n", SIZE(plans));
	return failed != 0;
}
