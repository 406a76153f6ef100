/* SPDX-License-Identifier: MIT */
/*
 * lib/lazy.c - timers that may be late: two timers, of which one runs
 *
 * It is armed until the callback of one of them begins: also while that timer
 * is off its wheel already. An interrupt that comes then can still disarm it or
 * arm it anew, and the callback finds out.
 */
#include <jif/lazy.h>

#include "bug.h"
#include "delay.h"
#include "port/jif_port.h"
#include "shared.h"

/* What @armed holds. */
enum { SOFT = 1, HARD = 2 };

static void disarm_both(struct jif_lazy *lazy)
{
	lazy->armed = 0;
	jif_timer_del(lazy->deferrable, &lazy->soft);
	jif_timer_del(lazy->wheel, &lazy->hard);
}

static void run_lazy(struct jif_lazy *lazy, const struct jif_timer *timer,
		     unsigned which)
{
	jif_irq_t flags = jif_irq_save();
	bool due = lazy->armed & which && !jif_timer_pending(timer);

	if (due)
		disarm_both(lazy);
	jif_irq_restore(flags);
	if (due)
		lazy->fn(lazy);
}

static void run_soft(struct jif_timer *timer)
{
	run_lazy(jif_container_of(timer, struct jif_lazy, soft), timer, SOFT);
}

static void run_hard(struct jif_timer *timer)
{
	run_lazy(jif_container_of(timer, struct jif_lazy, hard), timer, HARD);
}

void jif_lazy_init(struct jif_wheel *wheel, struct jif_wheel *deferrable,
		   struct jif_lazy *lazy, jif_lazy_fn *fn)
{
	jif_timer_init(&lazy->soft, run_soft);
	jif_timer_init(&lazy->hard, run_hard);
	lazy->wheel = wheel;
	lazy->deferrable = deferrable;
	lazy->fn = fn;
	lazy->armed = 0;
}

bool jif_lazy_del(struct jif_lazy *lazy)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = lazy->armed;

	disarm_both(lazy);
	jif_irq_restore(flags);
	return pending;
}

/* How far after @now a timer of a wheel that is behind may expire. */
static uint32_t reach_from(uint32_t now, const struct jif_wheel *wheel)
{
	uint32_t behind = now - wheel->clk;

	return behind <= JIF_DELAY_MAX ? JIF_DELAY_MAX - behind : JIF_DELAY_MAX;
}

/* What is allowed beyond the reach of the wheel is not made use of. */
static int arm_lazy(struct jif_lazy *lazy, uint32_t expires, uint32_t slack)
{
	uint32_t now = now_of(lazy->wheel);
	uint32_t left = expires - now, reach = reach_from(now, lazy->wheel);
	bool pending;

	if (left > JIF_DELAY_MAX)
		left = 0;
	if (left > reach || (slack && left > reach_from(now, lazy->deferrable)))
		return jif_reject(-JIF_ERANGE, "a lazy timer is too far ahead",
				  lazy);
	pending = jif_lazy_del(lazy);
	if (slack) {
		lazy->armed = SOFT;
		jif_timer_add(lazy->deferrable, &lazy->soft, expires);
	}
	if (slack != JIF_FOREVER) {
		lazy->armed |= HARD;
		if (slack > reach - left)
			slack = reach - left;
		jif_timer_add(lazy->wheel, &lazy->hard, expires + slack);
	}
	return pending;
}

int jif_lazy_mod(struct jif_lazy *lazy, uint32_t expires, uint32_t slack)
{
	jif_irq_t flags;
	int ret;

	if (!lazy->fn)
		return jif_invalid("a lazy timer has no function", lazy);
	flags = jif_irq_save();
	ret = arm_lazy(lazy, expires, slack);
	jif_irq_restore(flags);
	return ret;
}

bool jif_lazy_pending(const struct jif_lazy *lazy)
{
	LOOK_ANEW();
	return lazy->armed;
}
