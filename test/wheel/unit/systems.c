/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/unit/systems.c - the worked examples of the literature, at a tick
 * of a millisecond; test/wheel/unit/README.md names these and others
 */
#include <jif/firmware/table.h>

#include "unit.h"

#define SECOND	    UINT32_C(1000)
#define CONNECTIONS 10000
#define KEYS	    4

static struct conn {
	struct jif_timer idle;
	uint32_t closed;
} conns[CONNECTIONS];
static unsigned nclosed;

static struct jif_entry entries[KEYS];
static struct jif_table table;
static uint32_t runs[KEYS][16];
static unsigned nruns[KEYS];

static void note(struct jif_table *from, struct jif_key key, void *value)
{
	if (nruns[key.number] < 16)
		runs[key.number][nruns[key.number]] = now();
	nruns[key.number]++;
}

static void init(void)
{
	unit_init();
	nclosed = 0;
	memset(nruns, 0, sizeof(nruns));
	table = (struct jif_table){ .wheel = &wheel,
				    .fn = note,
				    .hash = jif_key_hash,
				    .entries = entries,
				    .capacity = KEYS };
	cr_assert_eq(jif_table_init(&table), 0);
}

TestSuite(systems, .init = init, .fini = unit_fini);

static void close_conn(struct jif_timer *timer)
{
	jif_container_of(timer, struct conn, idle)->closed = now();
	nclosed++;
}

/* Each beats i % 5000 ms after every 5 s; every third one falls silent. */
static uint32_t last_beat(unsigned i)
{
	if (i % 3)
		return UINT32_MAX;
	return i % (5 * SECOND) + i % 4 * 5 * SECOND;
}

Test(systems, ten_thousand_connections_idle_for_30_s_that_beat_each_5_s)
{
	for (unsigned i = 0; i < CONNECTIONS; i++) {
		jif_timer_init(&conns[i].idle, close_conn);
		cr_assert_not(
			jif_timer_add(&wheel, &conns[i].idle, at(30 * SECOND)));
	}
	for (uint32_t t = 0; t <= 60 * SECOND; t++) {
		run_to(t);
		for (unsigned i = t % (5 * SECOND); i < CONNECTIONS;
		     i += 5 * SECOND) {
			if (t > last_beat(i))
				continue;
			cr_assert(jif_timer_postpone(&wheel, &conns[i].idle,
						     at(t + 30 * SECOND)));
		}
	}
	cr_assert_eq(nclosed, (CONNECTIONS + 2) / 3);
	for (unsigned i = 0; i < CONNECTIONS; i += 3)
		cr_assert_eq(conns[i].closed, last_beat(i) + 30 * SECOND);
	cr_assert_eq(unit_pending(), CONNECTIONS - nclosed);
	jif_wheel_drain(&wheel, close_conn);
}

Test(systems, seven_thousand_one_hundred_seconds)
{
	(void)!jif_table_set(&table, jif_key_number(1), NULL,
			     jif_once(at(7100 * SECOND)));
	run_to(7100 * SECOND - 1);
	cr_assert_eq(nruns[1], 0);
	cr_assert_eq(jif_table_left(&table, jif_key_number(1)), 1);
	run_to(7100 * SECOND);
	cr_assert_eq(nruns[1], 1);
}

/* The second one takes itself out, which the others do not notice. */
static void give_up(struct jif_table *from, struct jif_key key, void *value)
{
	note(from, key, value);
	if (key.number == 2)
		cr_assert_eq(jif_table_remove(from, key), 0);
}

Test(systems, a_task_that_fails_does_not_stop_the_others)
{
	table.fn = give_up;
	for (unsigned i = 1; i < KEYS; i++)
		(void)!jif_table_set(&table, jif_key_number(i), NULL,
				     jif_every(at(SECOND), SECOND, 10));
	for (unsigned i = 1; i <= 20; i++)
		run_to(i * SECOND);
	cr_assert_eq(nruns[1], 10);
	cr_assert_eq(nruns[2], 1);
	cr_assert_eq(nruns[3], 10);
	for (unsigned i = 0; i < 10; i++)
		cr_assert_eq(runs[3][i], (i + 1) * SECOND);
}

/* A thread of Kafka's waits for the next bucket, and advances the clock. */
Test(systems, clock_advances_from_bucket_to_bucket)
{
	static const uint32_t due[] = { 20 * 60 * SECOND, 3 * SECOND, 7 };
	uint32_t when, steps = 0;

	for (unsigned i = 0; i < 3; i++)
		arm(i, due[i]);
	for (; jif_wheel_next_expiry(&wheel, &when); steps++) {
		jif_wheel_run(&wheel, when);
		cr_assert_eq(fired[steps].after, due[2 - steps]);
	}
	cr_assert_eq(steps, 3);
	cr_assert_eq(nfired, 3);
}
