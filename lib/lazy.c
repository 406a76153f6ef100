/* SPDX-License-Identifier: MIT */
/*
 * lib/lazy.c - timers that may be late: two timers, of which one runs
 *
 * It is armed until the callback of one of them begins: also while that timer
 * is off its wheel already. An interrupt that comes then can still disarm it or
 * arm it anew, and the callback finds out.
 */
#include <jif/lazy.h>

#include "port/jif_port.h"
#include "shared.h"

static void disarm_both(struct jif_lazy *lazy)
{
	lazy->armed = false;
	jif_timer_del(lazy->deferrable, &lazy->soft);
	jif_timer_del(lazy->wheel, &lazy->hard);
}

static void run_lazy(struct jif_lazy *lazy, const struct jif_timer *timer)
{
	jif_irq_t flags = jif_irq_save();
	bool due = lazy->armed && !jif_timer_pending(timer);

	if (due)
		disarm_both(lazy);
	jif_irq_restore(flags);
	if (due)
		lazy->fn(lazy);
}

static void run_soft(struct jif_timer *timer)
{
	run_lazy(jif_container_of(timer, struct jif_lazy, soft), timer);
}

static void run_hard(struct jif_timer *timer)
{
	run_lazy(jif_container_of(timer, struct jif_lazy, hard), timer);
}

void jif_lazy_init(struct jif_lazy *lazy, struct jif_wheel *wheel,
		   struct jif_wheel *deferrable, jif_lazy_fn *fn)
{
	jif_timer_init(&lazy->soft, run_soft);
	jif_timer_init(&lazy->hard, run_hard);
	lazy->wheel = wheel;
	lazy->deferrable = deferrable;
	lazy->fn = fn;
	lazy->armed = false;
}

bool jif_lazy_del(struct jif_lazy *lazy)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = lazy->armed;

	disarm_both(lazy);
	jif_irq_restore(flags);
	return pending;
}

bool jif_lazy_mod(struct jif_lazy *lazy, uint32_t expires, uint32_t slack)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = jif_lazy_del(lazy);

	lazy->armed = true;
	if (slack)
		jif_timer_add(lazy->deferrable, &lazy->soft, expires);
	if (slack != JIF_DEFERRABLE)
		jif_timer_add(lazy->wheel, &lazy->hard, expires + slack);
	jif_irq_restore(flags);
	return pending;
}

bool jif_lazy_pending(const struct jif_lazy *lazy)
{
	LOOK_ANEW();
	return lazy->armed;
}
