/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/smp/smp.c - one wheel and two cores that are threads
 *
 * Core 0 runs the wheel and sleeps; both arm, move and delete. What was armed
 * has either expired or been cancelled, counted per timer and per key. Some
 * timers are armed by core 1 only, and not again before they have expired:
 * these also have to be on their tick.
 *
 * usage: smp OPERATIONS: how many armings, moves and deletions, taken together
 */
#include <jif/firmware/table.h>
#include <jif/jiffies.h>
#include <jif/port/smp.h>
#include <jif/wheel.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "host.h"
#include "lib/port/jif_port.h"
#include "test/wheel/model/random.h"
#include "test/wheel/model/verbs.h"

#define SHARED 48
#define OWNED  48
#define KEYS   24

/**
 * struct item - a timer and what became of it
 * @armed:	how often it was armed and had not been pending
 * @ended:	how often it expired, or was deleted while it was pending
 * @due:	one of core 1: the tick on which it has to run
 * @waits:	one of core 1: it has been armed, and neither run nor deleted
 */
struct item {
	struct jif_timer timer;
	unsigned armed;
	unsigned ended;
	uint32_t due;
	bool waits;
};

bool smp_spinlock;

static struct jif_wheel wheel;
static struct item shared[SHARED];
static struct item owned[OWNED];
static struct item keyed[KEYS];
static struct jif_entry entries[KEYS / 2];
static struct jif_table table;
static unsigned long operations;
static unsigned long counts[TIMER_VERBS];
static unsigned fired, slept, wrong;
static unsigned long progress;
static unsigned sleeping; /* odd: core 0 sleeps */
static bool done;
static unsigned looks[2];
static _Thread_local unsigned this_core;
static _Thread_local unsigned in_vain; /* looks for the lock, in this take */

unsigned jif_smp_core(void)
{
	in_vain = 0;
	return this_core;
}

void jif_panic(const char *why)
{
	puts(why);
	exit(1);
}

/*
 * There may be fewer processors than threads. While core 0 sleeps, the lock is
 * free: it may be found taken once, by a look from before. So is it while the
 * other core waits for it, too, or has ended.
 */
void smp_wait(void)
{
	static _Thread_local unsigned before, other;
	unsigned now = __atomic_load_n(&sleeping, __ATOMIC_ACQUIRE);
	unsigned look = __atomic_load_n(&looks[!this_core], __ATOMIC_RELAXED);
	bool ended = __atomic_load_n(&done, __ATOMIC_ACQUIRE);

	if (now % 2 && now == before)
		jif_panic("core 0 sleeps and has the lock");
	in_vain = look == other && !ended ? 0 : in_vain + 1;
	if (in_vain == 100)
		jif_panic("nobody has the lock");
	before = now;
	other = look;
	__atomic_fetch_add(&looks[this_core], 1, __ATOMIC_RELAXED);
	sched_yield();
}

static void count(unsigned *counter)
{
	__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

static void expect(bool right)
{
	if (!right)
		count(&wrong);
}

static void fire_shared(struct jif_timer *timer)
{
	count(&jif_container_of(timer, struct item, timer)->ended);
	fired++;
}

static void fire_owned(struct jif_timer *timer)
{
	struct item *item = jif_container_of(timer, struct item, timer);

	expect(jif_wheel_clock(&wheel) == item->due);
	item->ended++;
	fired++;
	__atomic_store_n(&item->waits, false, __ATOMIC_RELEASE);
}

static void fire_keyed(struct jif_table *from, struct jif_key key, void *value)
{
	expect(from == &table && value == &keyed[key.number]);
	count(&keyed[key.number].ended);
	fired++;
}

static uint32_t delay(uint64_t *random)
{
	static const uint32_t longest[] = { 4, 60, 4000, 90000, 700000 };

	return 1 + random_next(random, longest[random_next(random, 5)]);
}

static void touch_shared(uint64_t *random)
{
	static const unsigned char verbs[] = { ADD, MOD, REDUCE, POSTPONE,
					       DEL };
	struct item *item = &shared[random_next(random, SHARED)];
	uint32_t expires = jif_now() + delay(random);
	unsigned verb = verbs[random_next(random, sizeof(verbs))];
	bool was = verb_call(verb, &wheel, &item->timer, expires);

	if (verb == DEL && was)
		count(&item->ended);
	else if (verb != DEL && !was)
		count(&item->armed);
	__atomic_fetch_add(&counts[verb], 1, __ATOMIC_RELAXED);
}

/* Core 1. Its own save around the call nests. */
static void touch_owned(uint64_t *random)
{
	struct item *item = &owned[random_next(random, OWNED)];
	jif_irq_t flags;

	if (!__atomic_load_n(&item->waits, __ATOMIC_ACQUIRE)) {
		item->armed++;
		item->waits = true;
		flags = jif_irq_save();
		item->due = jif_wheel_clock(&wheel) + delay(random);
		expect(!jif_timer_add(&wheel, &item->timer, item->due));
		jif_irq_restore(flags);
		__atomic_fetch_add(&counts[ADD], 1, __ATOMIC_RELAXED);
	} else if (!random_next(random, 4) &&
		   jif_timer_del(&wheel, &item->timer)) {
		item->ended++;
		item->waits = false;
		__atomic_fetch_add(&counts[DEL], 1, __ATOMIC_RELAXED);
	}
}

static void touch_keyed(uint64_t *random)
{
	struct jif_key key = jif_key_number(random_next(random, KEYS));
	struct item *item = &keyed[key.number];
	uint32_t expires = jif_now() + delay(random);
	unsigned what = random_next(random, 4);

	if (what == 0)
		jif_table_move(&table, key, expires);
	else if (what == 1 && !jif_table_remove(&table, key))
		count(&item->ended);
	else if (what > 1 &&
		 !jif_table_add(&table, key, item, jif_once(expires)))
		count(&item->armed);
}

static void look(uint64_t *random)
{
	struct item *item = &shared[random_next(random, SHARED)];
	uint32_t now = jif_wheel_clock(&wheel);

	if (jif_timer_pending(&item->timer))
		expect(jif_timer_expires(&wheel, &item->timer) - now <=
		       JIF_DELAY_MAX);
}

/* Sleeps until core 1 has done something, which takes the lock. */
void jif_port_idle(uint32_t ticks)
{
	unsigned long before = __atomic_load_n(&progress, __ATOMIC_RELAXED);

	__atomic_store_n(&sleeping, sleeping + 1, __ATOMIC_RELEASE);
	while (__atomic_load_n(&progress, __ATOMIC_RELAXED) == before &&
	       !__atomic_load_n(&done, __ATOMIC_RELAXED))
		sched_yield();
	__atomic_store_n(&sleeping, sleeping + 1, __ATOMIC_RELEASE);
	jif_ticks(ticks < 5000 ? ticks : 5000);
	slept++;
}

static int visit(void *arg, const struct jif_timer *timer, unsigned level,
		 unsigned slot, uint32_t remaining)
{
	return ++*(unsigned *)arg > SHARED + OWNED + KEYS / 2;
}

/* Within another save: the lock is let go all the same. */
static void sleep_nested(void)
{
	jif_irq_t flags = jif_irq_save();

	jif_wheel_sleep(&wheel, jif_smp_idle);
	jif_irq_restore(flags);
}

static void run(uint64_t *random)
{
	unsigned seen = 0;
	uint32_t when;

	jif_ticks(1 + random_next(random, random_next(random, 9) ? 4 : 9000));
	if (random_next(random, 4))
		jif_wheel_run(&wheel, jif_now());
	else
		while (!jif_wheel_run_budget(&wheel, jif_now(), 3))
			touch_shared(random);
	if (random_next(random, 64))
		return;
	expect(!jif_wheel_walk(&wheel, visit, &seen));
	expect(!jif_wheel_check(&wheel));
	jif_wheel_next_stop(&wheel, &when);
	jif_wheel_sleep(&wheel, jif_smp_idle);
	sleep_nested();
}

static void *core_0(void *unused)
{
	uint64_t random = random_begin(1);

	while (!__atomic_load_n(&done, __ATOMIC_ACQUIRE)) {
		run(&random);
		for (unsigned i = 0; i < 8; i++) {
			touch_shared(&random);
			touch_keyed(&random);
		}
	}
	return unused;
}

static void begin(void)
{
	jif_wheel_init(&wheel, jif_now());
	for (unsigned i = 0; i < SHARED; i++)
		jif_timer_init(&shared[i].timer, fire_shared);
	for (unsigned i = 0; i < OWNED; i++)
		jif_timer_init(&owned[i].timer, fire_owned);
	table = (struct jif_table){ .wheel = &wheel,
				    .fn = fire_keyed,
				    .hash = jif_key_hash,
				    .entries = entries,
				    .capacity = KEYS / 2 };
	expect(!jif_table_init(&table));
}

static bool enough(void)
{
	unsigned long n = 0;

	for (unsigned i = 0; i < TIMER_VERBS; i++)
		n += __atomic_load_n(&counts[i], __ATOMIC_RELAXED);
	return n >= operations;
}

static void *core_1(void *unused)
{
	uint64_t random = random_begin(2);

	this_core = 1;
	while (!enough()) {
		touch_shared(&random);
		touch_owned(&random);
		touch_keyed(&random);
		look(&random);
		__atomic_store_n(&progress, progress + 1, __ATOMIC_RELAXED);
	}
	__atomic_store_n(&done, true, __ATOMIC_RELEASE);
	return unused;
}

/* All that was pending has been deleted: each arming has had its end. */
static void settle(const struct item *items, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		if (items[i].armed == items[i].ended)
			continue;
		printf("timer %u: armed %u times, ended %u times\n", i,
		       items[i].armed, items[i].ended);
		expect(false);
	}
}

int main(int argc, char *argv[])
{
	void *(*const cores[])(void *) = { core_0, core_1 };
	pthread_t threads[2];

	operations = argc == 2 ? strtoul(argv[1], NULL, 10) : 0;
	begin();
	for (unsigned i = 0; i < 2; i++)
		if (pthread_create(&threads[i], NULL, cores[i], NULL))
			return 2;
	for (unsigned i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	for (unsigned i = 0; i < SHARED; i++)
		shared[i].ended += jif_timer_del(&wheel, &shared[i].timer);
	for (unsigned i = 0; i < OWNED; i++)
		owned[i].ended += jif_timer_del(&wheel, &owned[i].timer);
	for (uint32_t i = 0; i < KEYS; i++)
		keyed[i].ended += !jif_table_remove(&table, jif_key_number(i));
	settle(shared, SHARED);
	settle(owned, OWNED);
	settle(keyed, KEYS);
	expect(jif_wheel_empty(&wheel) && !jif_wheel_check(&wheel));
	printf("%lu added, %lu moved, %lu deleted, %u expired, %u sleeps\n",
	       counts[ADD], counts[MOD] + counts[REDUCE] + counts[POSTPONE],
	       counts[DEL], fired, slept);
	printf("%u wrong\n", wrong);
	return wrong || !fired || !slept;
}
