/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/unit/systems.c - a worked example of the literature, at a tick
 * of a millisecond; test/wheel/unit/README.md names others
 */
#include "unit.h"

#define SECOND	    UINT32_C(1000)
#define CONNECTIONS 10000

static struct conn {
	struct jif_timer idle;
	uint32_t closed;
} conns[CONNECTIONS];
static unsigned nclosed;

TestSuite(systems, .init = unit_init, .fini = unit_fini);

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
	nclosed = 0;
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
