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
#include "catchup.h"
#include "delay.h"
#include "goes_on.h"
#include "port/jif_port.h"

static void expire_periodic(struct jif_timer *timer)
{
	struct jif_periodic *p =
		jif_container_of(timer, struct jif_periodic, timer);
	jif_irq_t flags = jif_irq_save();
	jif_periodic_fn *fn = p->fn;

	/* Stopped or started anew by an interrupt, since it was taken off. */
	if (!p->period || jif_timer_pending(timer)) {
		jif_irq_restore(flags);
		return;
	}
	p->missed =
		missed_by(p->wheel->target, p->expires, p->period, p->policy);
	if (is_carried_on(p)) {
		jif_timer_mod(p->wheel, timer, p->expires);
		jif_irq_restore(flags);
		return;
	}
	p->expires = next_grid(p->wheel->target, p->expires, p->period,
			       p->missed, p->policy);
	add_carried(p);
	if (p->left != 1)
		jif_timer_mod(p->wheel, timer, p->expires);
	else
		p->period = 0;
	if (p->left != JIF_FOREVER)
		p->left--;
	jif_irq_restore(flags);
	fn(p);
}

void jif_periodic_init(struct jif_periodic *p, jif_periodic_fn *fn,
		       enum jif_catchup policy)
{
	jif_timer_init(&p->timer, expire_periodic);
	p->fn = fn;
	p->period = 0;
	p->left = 0;
	p->missed = 0;
	p->policy = (uint8_t)policy;
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
	bool running = p->period;

	check_armed(p);
	if (running)
		jif_timer_del(p->wheel, &p->timer);
	p->period = 0;
	p->left = 0;
	jif_irq_restore(flags);
	return running;
}

static bool may_start(const struct jif_periodic *p, uint32_t period,
		      uint32_t count)
{
	return p->fn && p->timer.fn == expire_periodic &&
	       p->policy <= JIF_CATCHUP_RESTART && period && count;
}

int jif_periodic_start_at(struct jif_wheel *wheel, struct jif_periodic *p,
			  uint32_t expires, uint32_t period, uint32_t count)
{
	jif_irq_t flags;
	uint32_t clock;
	int was;

	if (period > JIF_DELAY_MAX)
		return jif_reject(-JIF_ERANGE, "a period is too long", p);
	if (!may_start(p, period, count))
		return jif_invalid("a periodic timer cannot be started so", p);
	flags = jif_irq_save();
	clock = jif_wheel_clock(wheel);
	was = jif_periodic_stop(p);
	p->wheel = wheel;
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
	int err = -JIF_ERANGE;

	if (first <= JIF_DELAY_MAX - (now - wheel->clk))
		err = jif_periodic_start_at(wheel, p, now + first, period,
					    count);
	jif_irq_restore(flags);
	return err;
}

int jif_periodic_start_in(struct jif_wheel *wheel, struct jif_periodic *p,
			  uint32_t first, uint32_t period, uint32_t count)
{
	jif_irq_t flags = jif_irq_save();
	int err = -JIF_ERANGE;
	uint32_t expires;

	if (expiry_after(wheel, first, &expires))
		err = jif_periodic_start_at(wheel, p, expires, period, count);
	jif_irq_restore(flags);
	return err;
}

bool jif_periodic_pending(const struct jif_periodic *p)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = p->period;

	check_armed(p);
	jif_irq_restore(flags);
	return pending;
}

uint32_t jif_periodic_missed(const struct jif_periodic *p)
{
	return p->missed;
}

uint32_t jif_periodic_left(const struct jif_periodic *p)
{
	jif_irq_t flags = jif_irq_save();
	uint32_t left = p->left;

	check_armed(p);
	jif_irq_restore(flags);
	return left;
}
