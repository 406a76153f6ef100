/* SPDX-License-Identifier: MIT */
/* The wheel beside what it should be */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "sim.h"

uint32_t sim_jiffies(struct sim *sim, int64_t tick)
{
	return (uint32_t)(tick - sim->scenario->start) - JIFFIES_TO_WRAP;
}

int64_t sim_clock(struct sim *sim)
{
	return sim->now - (int64_t)(uint32_t)(sim_jiffies(sim, sim->now) -
					      jif_wheel_clock(&sim->wheel));
}

int64_t sim_tick(struct sim *sim, uint32_t when)
{
	return sim_clock(sim) +
	       (int64_t)(uint32_t)(when - jif_wheel_clock(&sim->wheel));
}

void sim_fail(struct sim *sim, const char *format, ...)
{
	va_list args;

	if (sim->failures++ >= DIAG_SHOWN)
		return;
	fputs("jifsim: internal error: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	putc('\n', stderr);
}

struct census {
	int64_t entries;
	int64_t first;
};

static int count_entry(void *arg, const struct jif_timer *timer, unsigned level,
		       unsigned slot, uint32_t remaining)
{
	struct census *census = arg;
	int64_t expires = entry_of(timer)->expires;

	census->entries++;
	if (expires < census->first)
		census->first = expires;
	return 0;
}

void sim_check(struct sim *sim)
{
	struct census census = { 0, INT64_MAX };
	const struct stats *stats = &sim->stats;
	int broken = jif_wheel_check(&sim->wheel);
	uint32_t next, stop;
	bool any = jif_wheel_next_expiry(&sim->wheel, &next);

	jif_wheel_walk(&sim->wheel, count_entry, &census);
	if (census.entries != stats->pending)
		sim_fail(sim, "%" PRId64 " timers are pending, want %" PRId64,
			 census.entries, stats->pending);
	if (stats->armed != stats->rearmed + stats->fired + stats->cancelled +
				    stats->drained + stats->pending)
		sim_fail(sim,
			 "not every timer that was armed is accounted for");
	if (census.first <= sim_clock(sim))
		sim_fail(sim, "a timer is still pending after its tick");
	if (any != !!census.entries ||
	    (any && sim_tick(sim, next) != census.first))
		sim_fail(sim, "the next expiry is wrong");
	if (jif_wheel_next_stop(&sim->wheel, &stop) != any ||
	    (any && sim_tick(sim, stop) > census.first))
		sim_fail(sim, "the next stop is too late");
	if (broken)
		sim_fail(sim, "invariant W%d of the wheel is broken", broken);
}
