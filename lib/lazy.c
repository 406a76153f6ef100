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

static bool is_beyond(const struct jif_lazy *lazy, uint32_t expires,
		      uint32_t slack)
{
	uint32_t ahead = expires - lazy->wheel->clk;

	if (slack)
		ahead |= expires - lazy->deferrable->clk;
	return ahead > JIF_DELAY_MAX;
}

/*
 * Does a time to come lie so far after the clock of a wheel that is behind that
 * it looks like the past? Without a time source, nobody knows. A loop's source
 * may move the clock on.
 */
static bool is_too_far(const struct jif_lazy *lazy, uint32_t expires,
		       uint32_t slack)
{
	return lazy->wheel->time &&
	       expires - jif_wheel_now(lazy->wheel) <= JIF_DELAY_MAX &&
	       is_beyond(lazy, expires, slack);
}

/* What is allowed beyond the reach of the wheel is not made use of. */
static uint32_t window_end(const struct jif_wheel *wheel, uint32_t expires,
			   uint32_t slack)
{
	uint32_t ahead = expires - wheel->clk;
	uint32_t most = JIF_DELAY_MAX;

	if (ahead <= JIF_DELAY_MAX)
		most -= ahead;
	return expires + (slack < most ? slack : most);
}

static int arm_lazy(struct jif_lazy *lazy, uint32_t expires, uint32_t slack)
{
	bool pending;

	if (is_too_far(lazy, expires, slack))
		return jif_reject(-JIF_ERANGE, "a lazy timer is too far ahead",
				  lazy);
	pending = jif_lazy_del(lazy);
	if (slack) {
		lazy->armed = SOFT;
		jif_timer_add(lazy->deferrable, &lazy->soft, expires);
	}
	if (slack != JIF_FOREVER) {
		lazy->armed |= HARD;
		jif_timer_add(lazy->wheel, &lazy->hard,
			      window_end(lazy->wheel, expires, slack));
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

bool jif_lazy_next(const struct jif_lazy *lazy, uint32_t *earliest,
		   uint32_t *latest)
{
	jif_irq_t flags = jif_irq_save();
	uint32_t first = jif_timer_expires(lazy->deferrable, &lazy->soft);
	uint32_t last = jif_timer_expires(lazy->wheel, &lazy->hard);
	bool pending = lazy->armed;

	if (pending) {
		*earliest = lazy->armed & SOFT ? first : last;
		*latest = lazy->armed & HARD ? last : first + JIF_FOREVER;
	}
	jif_irq_restore(flags);
	return pending;
}

bool jif_lazy_pending(const struct jif_lazy *lazy)
{
	LOOK_ANEW();
	return lazy->armed;
}
