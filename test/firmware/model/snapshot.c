/* SPDX-License-Identifier: MIT */
/*
 * test/firmware/model/snapshot.c - random saves and restores, and a list of
 * times
 *
 * The model has the times of the RTC in 64 bits, which go on whatever becomes
 * of the wheel, and takes what is due by looking at all there is. A reset comes
 * between two runs, or within a callback; then RAM is lost, and jiffies begin
 * anywhere. LOCKSTEP_SEED and LOCKSTEP_OPERATIONS, in the environment, are for
 * more of them.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <jif/firmware/snapshot.h>
#include <jif/kit/sim.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#include "../../wheel/model/environment.h"
#include "../../wheel/model/random.h"

#define TIMERS	  5
#define PERIODICS 6
#define KEYS	  8
#define CAPACITY  5
#define OBJECTS	  (TIMERS + PERIODICS + KEYS)
/* So that a key of 64 bits uses them. */
#define NUMBER ((jif_number_t)UINT64_C(0x0123456701234567))
#define CYCLES 1000000

/**
 * struct model - what the model knows of an object
 * @armed:	it is to expire
 * @paused:	with @due as what is left
 * @due:	when it expires, by the RTC
 * @grid:	of a periodic one, when it should have
 * @order:	what was armed sooner is less
 * @period:	or 0
 * @times:	still to expire
 */
struct model {
	bool armed, paused;
	uint64_t due, grid, order;
	uint32_t period, times;
};

static struct jif_wheel wheel;
static struct jif_timer timers[TIMERS];
static struct jif_periodic periodics[PERIODICS];
static struct jif_table table;
static struct jif_entry entries[CAPACITY];
static const char *const names[KEYS] = { "b", "a", "door", "window", NULL };

/* The last one is none. */
static struct model models[OBJECTS + 1];

static struct jif_key key_of(unsigned i)
{
	if (i < 4)
		return jif_key_bytes(names[i], (uint32_t)strlen(names[i]));
	return jif_key_number(i * NUMBER);
}

static unsigned index_of(struct jif_key key)
{
	unsigned i = 0;

	if (!key.bytes)
		return (unsigned)(key.number / NUMBER);
	while (key.number != strlen(names[i]) ||
	       memcmp(key.bytes, names[i], key.number) != 0)
		i++;
	return i;
}

static void *value_of(struct jif_table *of, struct jif_key *key)
{
	if (key->bytes)
		key->bytes = names[index_of(*key)];
	return &models[TIMERS + PERIODICS + index_of(*key)];
}

static struct jif_saved_keys keys = { &table, value_of };
static const struct jif_saved list[] = {
	JIF_SAVED_TIMER(0, &timers[0]),
	JIF_SAVED_PERIODIC(1, &periodics[0]),
	JIF_SAVED_TIMER(7, &timers[1]),
	JIF_SAVED_PERIODIC(8, &periodics[1]),
	JIF_SAVED_PERIODIC(9, &periodics[2]),
	JIF_SAVED_KEYS(300, &keys),
	JIF_SAVED_TIMER(301, &timers[2]),
	JIF_SAVED_TIMER(302, &timers[3]),
	JIF_SAVED_PERIODIC(20000, &periodics[3]),
	JIF_SAVED_PERIODIC(20001, &periodics[4]),
	JIF_SAVED_PERIODIC(20002, &periodics[5]),
	JIF_SAVED_TIMER(65535, &timers[4]),
};
#define ROWS (sizeof(list) / sizeof(list[0]))
static const struct jif_snapshot snapshot = { &wheel, list, ROWS, 7 };

static uint8_t buffer[1000];
static uint64_t random_state, orders, expired, late;

/* By the RTC: the wheel's clock, how far it is run, and what jiffies lack. */
static uint64_t clk, target, offset;
static bool crashes;
static jmp_buf crash;

static uint32_t choose(uint32_t end)
{
	return random_next(&random_state, end);
}

static uint32_t wheel_time(uint64_t rtc)
{
	return (uint32_t)(rtc + offset);
}

/* When a periodic one comes again. */
static uint64_t again(struct model *m, unsigned policy, uint32_t *missed)
{
	uint64_t next = m->grid + m->period;

	*missed = 0;
	if (policy == JIF_CATCHUP_EACH)
		return next;
	for (; next <= target; next += m->period)
		++*missed;
	return policy == JIF_CATCHUP_RESTART && *missed ? target + m->period :
							  next;
}

static struct model *first_due(void)
{
	struct model *first = NULL;

	for (unsigned i = 0; i < OBJECTS; i++) {
		struct model *m = &models[i];

		if (m->armed && !m->paused &&
		    (!first || m->due < first->due ||
		     (m->due == first->due && m->order < first->order)))
			first = m;
	}
	return first;
}

static void (*meddle)(void);

static void save(uint64_t now)
{
	int size = jif_snapshot_save(&snapshot, buffer, sizeof(buffer),
				     wheel_time(now), now);

	cr_assert_gt(size, 0);
	memset(buffer + size, 0xff, sizeof(buffer) - (size_t)size);
}

/* The object that expires has to be the model's, on its tick. */
static void expire(unsigned i, uint32_t period_missed)
{
	struct model *m = first_due();
	uint32_t missed = 0;

	cr_assert_eq(m, &models[i], "another one is due");
	cr_assert_eq(wheel_time(m->due), jif_wheel_clock(&wheel));
	clk = m->due;
	expired++;
	late += clk > m->grid;
	m->armed = --m->times != 0;
	m->times += m->times == JIF_FOREVER - 1;
	if (i >= TIMERS && i < TIMERS + PERIODICS)
		m->grid = again(m, (i - TIMERS) % 3, &missed);
	else if (m->armed && (m->grid = clk))
		m->grid = again(m, JIF_CATCHUP_SKIP, &missed);
	m->due = m->grid > clk ? m->grid : clk + 1;
	m->order = orders++;
	cr_assert_eq(missed, period_missed);
	if (!choose(4))
		meddle();
	if (crashes && !choose(6)) {
		save(clk + choose(3));
		longjmp(crash, 1);
	}
}

static void on_timer(struct jif_timer *timer)
{
	expire((unsigned)(timer - timers), 0);
}

static void on_periodic(struct jif_periodic *p)
{
	expire(TIMERS + (unsigned)(p - periodics), jif_periodic_missed(p));
}

static void on_key(struct jif_table *of, struct jif_key key, void *value)
{
	unsigned i = TIMERS + PERIODICS + index_of(key);

	cr_assert_eq(value, &models[i]);
	expire(i, jif_entry_missed(of, jif_table_find(of, key)));
}

static void note(struct model *m, uint64_t due, uint32_t period, uint32_t times)
{
	*m = (struct model){ true, false, due, due, orders++, period, times };
}

static void pause(struct model *m)
{
	if (m->armed && !m->paused)
		m->due -= clk;
	m->paused = true;
}

static void resume(struct model *m)
{
	if (m->armed && m->paused)
		note(m, clk + (m->due ? m->due : 1), m->period, m->times);
}

static void change_timer(unsigned i)
{
	uint64_t due = clk + 1 + choose(choose(2) ? 10 : 5000);
	struct model *m = &models[i];

	switch (choose(4)) {
	case 0:
		jif_timer_del(&wheel, &timers[i]);
		m->armed = false;
		break;
	case 1:
		cr_assert_eq(jif_timer_pause(&wheel, &timers[i]),
			     m->armed && !m->paused);
		pause(m);
		break;
	case 2:
		cr_assert_eq(jif_timer_resume(&wheel, &timers[i]) == 0,
			     m->armed && m->paused);
		resume(m);
		break;
	default:
		jif_timer_mod(&wheel, &timers[i], wheel_time(due));
		note(m, due, 0, 1);
	}
}

/* Not so often that there is nothing else. */
static void change_periodic(unsigned i)
{
	uint64_t due = clk + 1 + choose(100);
	uint32_t period = 1 + choose(choose(4) ? 3000 : 10);
	uint32_t times = choose(2) && period > 100 ? JIF_FOREVER :
						     1 + choose(9);

	if (!choose(4)) {
		jif_periodic_stop(&periodics[i]);
		models[TIMERS + i].armed = false;
		return;
	}
	(void)!jif_periodic_start_at(&wheel, &periodics[i], wheel_time(due),
				     period, times);
	note(&models[TIMERS + i], due, period, times);
}

static void change_key(unsigned i)
{
	struct model *m = &models[TIMERS + PERIODICS + i];
	struct jif_schedule when =
		jif_every(0, 1 + choose(3000), 1 + choose(4));
	uint64_t due = clk + 1 + choose(choose(2) ? 10 : 2000);

	switch (choose(5)) {
	case 0:
		jif_table_remove(&table, key_of(i));
		m->armed = false;
		break;
	case 1:
		cr_assert_eq(jif_table_pause(&table, key_of(i)) == 0,
			     m->armed && !m->paused);
		pause(m);
		break;
	case 2:
		cr_assert_eq(jif_table_resume(&table, key_of(i)) == 0,
			     m->armed && m->paused);
		resume(m);
		break;
	default:
		when.expires = wheel_time(due);
		if (when.times == 1)
			when.period = 0;
		if (jif_table_set(&table, key_of(i), m, when) >= 0)
			note(m, due, when.period, when.times);
	}
}

static void change_something(void)
{
	unsigned i = choose(OBJECTS);

	if (i < TIMERS)
		change_timer(i);
	else if (i < TIMERS + PERIODICS)
		change_periodic(i - TIMERS);
	else
		change_key(i - TIMERS - PERIODICS);
}

static void run(uint64_t until)
{
	const struct model *m;

	target = until;
	jif_wheel_run(&wheel, wheel_time(until));
	clk = until;
	m = first_due();
	cr_assert(!m || m->due > until, "it has not expired");
}

/* The objects in the order of a snapshot: the list's, and the table's. */
static unsigned write_order(struct model *order[])
{
	struct jif_key key;
	jif_handle_t handle = 0;
	unsigned n = 0;

	for (unsigned i = 0; i < ROWS; i++) {
		if (list[i].kind == &jif_saved_timer)
			order[n++] =
				&models[(struct jif_timer *)list[i].object -
					timers];
		else if (list[i].kind == &jif_saved_periodic)
			order[n++] =
				&models[TIMERS +
					((struct jif_periodic *)list[i].object -
					 periodics)];
		else
			while ((handle = jif_table_next(&table, handle)) &&
			       jif_entry_get(&table, handle, &key, NULL))
				order[n++] = &models[TIMERS + PERIODICS +
						     index_of(key)];
	}
	return n;
}

/* What was due in the tick of the save comes in the next one, and first. */
static unsigned rearm(struct model *order[], unsigned n)
{
	unsigned armed = 0;
	struct model *m;

	for (unsigned i = 0; i < n; i++) {
		m = order[i];
		armed += m->armed;
		if (m->armed && !m->paused && m->due <= clk) {
			m->due = clk + 1;
			m->order = orders++;
			order[i] = &models[OBJECTS];
		}
	}
	for (unsigned i = 0; i < n; i++)
		order[i]->order = orders++;
	return armed;
}

static void lose_memory(void)
{
	static const struct jif_table made = { .wheel = &wheel,
					       .fn = on_key,
					       .hash = jif_key_hash,
					       .entries = entries,
					       .capacity = CAPACITY };

	memset(&jif_sim, 0, sizeof(jif_sim));
	memset(&wheel, 0xa5, sizeof(wheel));
	memset(timers, 0xa5, sizeof(timers));
	memset(periodics, 0xa5, sizeof(periodics));
	memset(entries, 0xa5, sizeof(entries));
	table = made;
	jif_wheel_init(&wheel, choose(UINT32_MAX));
	for (unsigned i = 0; i < TIMERS; i++)
		jif_timer_init(&timers[i], on_timer);
	for (unsigned i = 0; i < PERIODICS; i++)
		jif_periodic_init(&periodics[i], on_periodic,
				  (enum jif_catchup)(i % 3));
	cr_assert_eq(jif_table_init(&table), 0);
}

/* A stretch of life, and a reset. */
static void live(void)
{
	struct model *order[OBJECTS];
	uint64_t now;
	unsigned n;

	for (unsigned i = choose(12); i; i--)
		change_something();
	crashes = choose(2);
	if (!setjmp(crash)) {
		run(clk + choose(choose(3) ? 50 : 2000));
		save(clk + choose(3));
	}
	crashes = false;
	n = write_order(order);
	lose_memory();
	now = clk + 2 + choose(choose(8) ? 300 : 10000);
	offset = choose(UINT32_MAX) - now;
	cr_assert_eq(jif_snapshot_restore(&snapshot, buffer, sizeof(buffer),
					  wheel_time(now), now),
		     (int)rearm(order, n));
	cr_assert_eq(jif_wheel_clock(&wheel), wheel_time(clk));
	if (choose(4))
		run(now);
}

Test(snapshot_model, nothing_is_lost_or_early_or_comes_twice)
{
	uint64_t cycles = number_of("LOCKSTEP_OPERATIONS", CYCLES);

	meddle = change_something;
	random_state = random_begin(number_of("LOCKSTEP_SEED", 1));
	clk = UINT64_C(0xffffff00);
	lose_memory();
	jif_wheel_init(&wheel, wheel_time(clk));
	for (uint64_t i = 0; i < cycles; i++)
		live();
	printf("snapshot: %" PRIu64 " saves and restores, %" PRIu64
	       " expiries, %" PRIu64 " of them late by a tick\n",
	       cycles, expired, late);
	cr_assert_eq(jif_wheel_check(&wheel), 0);
	cr_assert_gt(expired, 2 * cycles);
	cr_assert_gt(late, cycles / 500);
}
