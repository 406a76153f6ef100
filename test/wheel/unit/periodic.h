/* SPDX-License-Identifier: MIT */
/* What the periodic timers of a suite have called, and when */
#pragma once

#include <jif/periodic.h>

#include "unit.h"

static struct jif_periodic p;

static struct {
	const struct jif_periodic *who;
	uint32_t after;
	uint32_t missed;
} calls[CALLS];
static unsigned ncalls;
static void (*in_call)(struct jif_periodic *who);

static void call(struct jif_periodic *who)
{
	if (ncalls < CALLS) {
		calls[ncalls].who = who;
		calls[ncalls].after = now();
		calls[ncalls].missed = jif_periodic_missed(who);
	}
	ncalls++;
	if (in_call)
		in_call(who);
}

static void begin_calls(enum jif_catchup policy)
{
	ncalls = 0;
	in_call = NULL;
	memset(&p, 0xa5, sizeof(p));
	jif_periodic_init(&p, call, policy);
}

/* UINT32_MAX: there is none. */
static inline uint32_t next_call(void)
{
	uint32_t when;

	return jif_periodic_next(&p, &when) ? when - START : UINT32_MAX;
}

static inline void expect_calls(unsigned n, const uint32_t *after)
{
	cr_assert_eq(ncalls, n, "%u calls", ncalls);
	for (unsigned i = 0; i < n; i++)
		cr_expect_eq(calls[i].after, after[i], "call %u at %u", i,
			     (unsigned)calls[i].after);
}
#define expect_at(n, ...) expect_calls(n, (uint32_t[n]){ __VA_ARGS__ })
