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
#include "periodic.h"
#include "port/jif_port.h"

/**
 * struct quotient - of how many calls there is time for
 * @calls:	whole ones
 * @rest:	in 1 / per ticks
 */
struct quotient {
	uint32_t calls;
	uint32_t rest;
};

static inline void add_to_rest(struct quotient *q, uint32_t more,
			       uint32_t ticks)
{
	q->rest += more;
	if (q->rest >= ticks) {
		q->rest -= ticks;
		q->calls++;
	}
}

/* late * per + phase by ticks, bit by bit: the product may have 63 bits. */
static struct quotient calls_in(const struct jif_periodic *p, uint32_t late)
{
	struct quotient q = { 0, 0 };
	uint32_t bit = JIF_DELAY_MAX / 2 + 1;

	while (bit > late)
		bit /= 2;
	for (; bit; bit /= 2) {
		q.calls *= 2;
		add_to_rest(&q, q.rest, p->period);
		if (late & bit)
			add_to_rest(&q, p->per, p->period);
	}
	add_to_rest(&q, p->phase, p->period);
	return q;
}

/* Sets the phase; returns the tick of the next call. */
static uint32_t next_call(struct jif_periodic *p, uint32_t target,
			  uint32_t *missed)
{
	uint32_t late = target - p->expires;
	struct quotient q = { 0, p->phase };
	uint32_t ticks;

	if (policy_of(p) == JIF_CATCHUP_EACH || late > JIF_DELAY_MAX)
		late = 0;
	if (late)
		q = calls_in(p, late);
	if (q.calls && policy_of(p) == JIF_CATCHUP_RESTART)
		q.rest = 0;
	*missed = q.calls;
	q.rest = p->period - q.rest;
	ticks = (q.rest - 1) / p->per + 1;
	p->phase = ticks * p->per - q.rest;
	return p->expires + late + ticks;
}

static void expire_ratio(struct jif_timer *timer)
{
	struct jif_periodic *p =
		jif_container_of(timer, struct jif_periodic, timer);
	jif_irq_t flags = jif_irq_save();
	uint32_t target = p->wheel->target;
	jif_periodic_fn *fn = p->fn;
	bool due = is_due(p);
	uint32_t missed, expires;

	if (due) {
		expires = next_call(p, target, &missed);
		arm_next(p, expires, missed);
	}
	jif_irq_restore(flags);
	if (due)
		fn(p);
}

int jif_periodic_start_ratio(struct jif_wheel *wheel, struct jif_periodic *p,
			     uint32_t first, uint32_t ticks, uint32_t per,
			     uint32_t count)
{
	jif_irq_t flags;
	int was;

	if (!per || per > ticks)
		return jif_invalid("a ratio is less than a tick per call", p);
	flags = jif_irq_save();
	was = jif_periodic_start(wheel, p, first, ticks, count);
	if (was >= 0) {
		p->per = per;
		p->phase = 0;
		p->timer.fn = expire_ratio;
	}
	jif_irq_restore(flags);
	return was;
}
