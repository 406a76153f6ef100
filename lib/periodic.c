/* SPDX-License-Identifier: MIT */
/*
 * lib/periodic.c - a timer that comes again and again, without drift
 *
 * The next call is armed before the function runs, so that the function may
 * stop it, start it anew, or stop and free it: nobody touches it afterwards.
 */
#include <jif/jiffies.h>
#include <jif/periodic.h>

#include "bug.h"
#include "delay.h"
#include "goes_on.h"
#include "periodic.h"
#include "port/jif_port.h"

void jif_periodic_expire(struct jif_timer *timer)
{
	struct jif_periodic *p =
		jif_container_of(timer, struct jif_periodic, timer);
	jif_irq_t flags = jif_irq_save();
	uint32_t target = p->wheel->target;
	jif_periodic_fn *fn = p->fn;
	bool due = is_due(p);
	uint32_t missed, next;

	if (due) {
		missed = missed_by(target, p->expires, p->period, policy_of(p));
		next = p->expires + (missed + 1) * p->period;
		if (restarts(p, missed))
			next = target + p->period;
		due = !is_carried_on(p, next, missed);
		if (due)
			arm_next(p, next, add_carried(p, missed));
	}
	jif_irq_restore(flags);
	if (due)
		fn(p);
}

void jif_periodic_init(struct jif_periodic *p, jif_periodic_fn *fn,
		       enum jif_catchup policy)
{
	jif_timer_init(&p->timer, jif_periodic_expire);
	p->fn = fn;
	p->period = 0;
	p->left = 0;
	p->missed = 0;
	p->policy = (uint16_t)(JIF_PERIODIC_READY + policy);
}

/* While nothing is under way on its wheel, a running one is armed. */
static inline void check_armed(const struct jif_periodic *p)
{
	if (CONFIG_JIF_DEBUG && p->period && !p->wheel->busy &&
	    !jif_timer_pending(&p->timer))
		jif_refused("the timer of a periodic timer was taken off", p,
			    (void (*)(void))p->fn);
}

bool jif_periodic_stop(struct jif_periodic *p)
{
	jif_irq_t flags = jif_irq_save();
	bool running = p->left;

	check_armed(p);
	if (running)
		jif_timer_del(p->wheel, &p->timer);
	p->period = 0;
	p->left = 0;
	jif_irq_restore(flags);
	return running;
}

static inline int reject_start(const struct jif_periodic *p)
{
	if (is_periodic_ready(p))
		return jif_reject_fn(-JIF_EINVAL,
				     "a periodic timer has no period or count",
				     p, p->fn);
	return jif_invalid("a periodic timer cannot be started so", p);
}

int jif_periodic_start_at(struct jif_wheel *wheel, struct jif_periodic *p,
			  uint32_t expires, uint32_t period, uint32_t count)
{
	jif_irq_t flags;
	uint32_t clock;
	int was;

	if (period > JIF_DELAY_MAX)
		return jif_reject_fn(-JIF_ERANGE, "a period is too long", p,
				     p->fn);
	if (!is_periodic_ready(p) || !period || !count)
		return reject_start(p);
	flags = jif_irq_save();
	clock = wheel->clk;
	was = jif_periodic_stop(p);
	if (CONFIG_JIF_DEBUG && looks_past(expires, clock))
		jif_misused(TOO_FAR, p, (void (*)(void))p->fn);
	p->wheel = wheel;
	p->timer.fn = jif_periodic_expire;
	p->expires = expires;
	if (expires - clock - 1 >= JIF_DELAY_MAX)
		p->expires = clock + 1;
	p->period = period;
	p->left = count;
	p->missed = 0;
	forget_carried(p);
	jif_timer_add(wheel, &p->timer, p->expires);
	jif_irq_restore(flags);
	return was;
}

int jif_periodic_start(struct jif_wheel *wheel, struct jif_periodic *p,
		       uint32_t first, uint32_t period, uint32_t count)
{
	jif_irq_t flags = jif_irq_save();
	uint32_t now = now_of(wheel);
	int err;

	if (first <= JIF_DELAY_MAX - (now - wheel->clk))
		err = jif_periodic_start_at(wheel, p, now + first, period,
					    count);
	else
		err = jif_too_far(p, p->fn);
	jif_irq_restore(flags);
	return err;
}

int jif_periodic_start_in(struct jif_wheel *wheel, struct jif_periodic *p,
			  uint32_t first, uint32_t period, uint32_t count)
{
	jif_irq_t flags = jif_irq_save();
	uint32_t expires;
	int err;

	if (expiry_after(wheel, first, &expires))
		err = jif_periodic_start_at(wheel, p, expires, period, count);
	else
		err = jif_too_far(p, p->fn);
	jif_irq_restore(flags);
	return err;
}

bool jif_periodic_pending(const struct jif_periodic *p)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = p->left;

	check_armed(p);
	jif_irq_restore(flags);
	return pending;
}

uint32_t jif_periodic_missed(const struct jif_periodic *p)
{
	return p->missed & ~NEXT_IS_FAR;
}

uint32_t jif_periodic_left(const struct jif_periodic *p)
{
	jif_irq_t flags = jif_irq_save();
	uint32_t left = p->left;

	check_armed(p);
	jif_irq_restore(flags);
	return left;
}
