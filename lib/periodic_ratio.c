/* SPDX-License-Identifier: MIT */
/*
 * lib/periodic_ratio.c - periods that are no whole ticks, without drift
 *
 * Call k is due k * ticks / per after the first one, and comes on the tick that
 * is then, or the next one after it. By how much it comes later, counted in
 * 1 / per ticks, is its phase: less than per. So from one call to the next, it
 * is ticks - phase of these, rounded up to whole ticks, and what was added
 * for that is the next phase: nothing is ever lost, and all has 32 bits.
 */
#include <jif/periodic.h>

#include "bug.h"
#include "periodic_shared.h"
#include "port/jif_port.h"

/* What a run covers. */
struct progress {
	uint32_t late;	/* from the call that is due to its end, in ticks */
	uint32_t calls; /* how many more calls are due in that time */
	uint32_t rest;	/* the rest then, and the phase, in 1 / per ticks */
};

static inline void add_to_rest(struct progress *run, uint32_t more,
			       uint32_t ticks)
{
	run->rest += more;
	if (run->rest >= ticks) {
		run->rest -= ticks;
		run->calls++;
	}
}

/* (late * per + phase) / ticks, bit by bit: the product may have 63 bits. */
static struct progress progress_of(const struct jif_periodic *p)
{
	uint32_t late = lateness(p->wheel, p->expires, policy_of(p));
	struct progress run = { late, 0, 0 };
	uint32_t bit = JIF_DELAY_MAX + 1;

	while (bit > run.late)
		bit /= 2;
	for (; bit; bit /= 2) {
		run.calls *= 2;
		add_to_rest(&run, run.rest, p->period);
		if (run.late & bit)
			add_to_rest(&run, p->per, p->period);
	}
	add_to_rest(&run, p->phase, p->period);
	return run;
}

/* When the next call is, and its phase. */
static struct call next_call(const struct jif_periodic *p,
			     const struct progress *run)
{
	uint32_t ticks, parts = p->period;

	if (!restarts(p, run->calls))
		parts -= run->rest;
	ticks = (parts - 1) / p->per + 1;
	return (struct call){ jif_periodic_expire_ratio, p->period,
			      p->expires + run->late + ticks, run->calls,
			      ticks * p->per - parts };
}

void jif_periodic_expire_ratio(struct jif_timer *timer)
{
	struct jif_periodic *p =
		jif_container_of(timer, struct jif_periodic, timer);
	struct progress run = progress_of(p);
	struct call call = next_call(p, &run);

	/* If not, it has been given whole periods. */
	if (!jif_periodic_call(p, &call))
		jif_periodic_expire(timer);
}

int jif_periodic_start_ratio(struct jif_wheel *wheel, struct jif_periodic *p,
			     uint32_t first, uint32_t ticks, uint32_t per,
			     uint32_t count)
{
	struct grid grid = { ticks, count, per, jif_periodic_expire_ratio,
			     jif_periodic_now };

	if (!per || per > ticks)
		return jif_invalid("a ratio is less than a tick per call", p);
	return jif_periodic_begin(wheel, p, first, &grid);
}
