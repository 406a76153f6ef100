/* SPDX-License-Identifier: MIT */
/*
 * lib/periodic_pause.c - periodic timers: their next call, pauses, new periods
 */
#include <jif/periodic.h>

#include "bug.h"
#include "periodic.h"
#include "port/jif_port.h"

bool jif_periodic_next(const struct jif_periodic *p, uint32_t *when)
{
	jif_irq_t flags = jif_irq_save();
	bool started = p->period;
	uint32_t tick;

	if (started) {
		*when = p->expires;
		tick = jif_timer_expires(p->wheel, &p->timer);
		/* Its tick is over, and it comes as soon as it can. */
		if (jif_time_after(tick, p->expires))
			*when = tick;
	}
	jif_irq_restore(flags);
	return started;
}

bool jif_periodic_pause(struct jif_periodic *p)
{
	jif_irq_t flags = jif_irq_save();
	bool started = p->period;
	uint32_t now;

	if (started) {
		/* This may move the clock on, and the call with it. */
		now = jif_wheel_now(p->wheel);
		jif_timer_del(p->wheel, &p->timer);
		keep_periodic(p, p->expires - now);
	}
	jif_irq_restore(flags);
	return started;
}

/*
 * What was due before the pause was, is still overdue by as much. A call that
 * was out of reach is so again: its timer first goes as far as it can.
 */
static int go_on(struct jif_periodic *p)
{
	uint32_t first = jif_wheel_now(p->wheel) + p->expires;
	uint32_t farthest = clock_of(p->wheel) + JIF_DELAY_MAX;
	bool ahead = p->expires <= JIF_DELAY_MAX;

	if (ahead && first - clock_of(p->wheel) > JIF_DELAY_MAX)
		return jif_reject(-JIF_ERANGE,
				  "a periodic timer goes on out of reach", p);
	p->expires = first;
	p->period = p->timer.remaining;
	if (ahead)
		p->missed &= ~NEXT_IS_FAR;
	else if (p->missed & NEXT_IS_FAR)
		first = farthest;
	return jif_timer_add(p->wheel, &p->timer, first);
}

int jif_periodic_resume(struct jif_periodic *p)
{
	jif_irq_t flags = jif_irq_save();
	int err = -JIF_EINVAL;

	if (is_periodic_paused(p))
		err = go_on(p);
	jif_irq_restore(flags);
	return err;
}

int jif_periodic_change(struct jif_periodic *p, uint32_t period, uint32_t count)
{
	jif_irq_t flags;
	int err = -JIF_EINVAL;

	if (period > JIF_DELAY_MAX)
		return jif_reject(-JIF_ERANGE, "a period is too long", p);
	if (!period || !count)
		return jif_invalid("a periodic timer has no period or count",
				   p);
	flags = jif_irq_save();
	if (p->left) {
		*period_of(p) = period;
		p->left = count;
		p->timer.fn = jif_periodic_expire;
		err = 0;
	}
	jif_irq_restore(flags);
	return err;
}
