/* SPDX-License-Identifier: MIT */
/*
 * lib/periodic.c - a timer that comes again and again, without drift
 *
 * The next call is armed before the function runs, so that the function may
 * stop it, start it anew, or stop and free it: nobody touches it afterwards.
 */
#include <jif/periodic.h>

#include "bug.h"
#include "delay.h"
#include "periodic.h"
#include "port/jif_port.h"

void jif_periodic_arm(struct jif_periodic *p, uint32_t expires, uint32_t missed)
{
	struct jif_wheel *wheel = p->wheel;

	if (missed > JIF_DELAY_MAX)
		missed = JIF_DELAY_MAX;
	p->expires = expires;
	if (missed && expires - clock_of(wheel) > JIF_DELAY_MAX) {
		expires = wheel->target;
		missed |= NEXT_IS_FAR;
	}
	p->missed = missed;
	if (p->left != JIF_FOREVER)
		p->left--;
	if (p->left)
		(void)!jif_timer_add(wheel, &p->timer, expires);
	else
		p->period = 0;
}

void jif_periodic_expire(struct jif_timer *timer)
{
	struct jif_periodic *p =
		jif_container_of(timer, struct jif_periodic, timer);
	jif_irq_t flags = jif_irq_save();
	jif_periodic_fn *fn = p->fn;
	bool due = is_due(p);
	uint32_t missed, next;

	if (due) {
		missed = lateness(p->wheel, p->expires, policy_of(p)) /
			 p->period;
		next = p->expires + (missed + 1) * p->period;
		if (restarts(p, missed))
			next = p->wheel->target + p->period;
		jif_periodic_arm(p, next, missed);
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
	if (CONFIG_JIF_DEBUG && p->period && !p->wheel->nesting &&
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

static void begin_locked(struct jif_wheel *wheel, struct jif_periodic *p,
			 uint32_t expires, const struct grid *grid)
{
	uint32_t clock = clock_of(wheel);

	check_armed(p);
	if (CONFIG_JIF_DEBUG && looks_past(expires, clock))
		jif_misused(TOO_FAR, p, (void (*)(void))p->fn);
	if (expires - clock - 1 >= JIF_DELAY_MAX)
		expires = clock + 1;
	if (p->left && p->wheel != wheel)
		jif_timer_del(p->wheel, &p->timer);
	p->wheel = wheel;
	p->timer.fn = grid->expire;
	p->expires = expires;
	p->period = grid->period;
	p->left = grid->count;
	p->missed = 0;
	p->per = grid->per;
	p->phase = 0;
	jif_timer_mod(wheel, &p->timer, expires);
}

int jif_periodic_begin(struct jif_wheel *wheel, struct jif_periodic *p,
		       uint32_t first, const struct grid *grid)
{
	jif_irq_t flags;
	uint32_t was, now;

	if (grid->period > JIF_DELAY_MAX)
		return jif_reject_fn(-JIF_ERANGE, "a period is too long", p,
				     p->fn);
	if (!is_periodic_ready(p) || !grid->period || !grid->count)
		return reject_start(p);
	flags = jif_irq_save();
	was = p->left;
	if (grid->now) {
		now = grid->now(wheel);
		if (first > JIF_DELAY_MAX - (now - clock_of(wheel))) {
			jif_irq_restore(flags);
			return jif_too_far(p, p->fn);
		}
		first += now;
	}
	begin_locked(wheel, p, first, grid);
	jif_irq_restore(flags);
	return was != 0;
}

int jif_periodic_start_at(struct jif_wheel *wheel, struct jif_periodic *p,
			  uint32_t expires, uint32_t period, uint32_t count)
{
	struct grid grid = { period, count, 1, jif_periodic_expire, NULL };

	return jif_periodic_begin(wheel, p, expires, &grid);
}

uint32_t jif_periodic_now(const struct jif_wheel *wheel)
{
	return now_of(wheel);
}

int jif_periodic_start(struct jif_wheel *wheel, struct jif_periodic *p,
		       uint32_t first, uint32_t period, uint32_t count)
{
	struct grid grid = { period, count, 1, jif_periodic_expire,
			     jif_periodic_now };

	return jif_periodic_begin(wheel, p, first, &grid);
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
