/* SPDX-License-Identifier: MIT */
/*
 * lib/firmware/lazy.c - timers that may be late: two timers, of which one runs
 *
 * It is armed until the callback of one of them begins: also while that timer
 * is off its wheel already. An interrupt that comes then can still disarm it or
 * arm it anew, and the callback finds out.
 *
 * Arming arms one of the two and then, interrupts being let in between, sees to
 * the other. Until that is done, by whoever gets to it first, no callback runs:
 * a timer that expires meanwhile is put off to the next tick.
 */
#include <jif/lazy.h>

#include "../bug.h"
#include "../delay.h"
#include "../port/jif_port.h"
#include "../shared.h"

/* What @armed holds; HALF: the other timer is still as it was. */
enum { SOFT = 1, HARD = 2, HALF = 4 };

bool jif_lazy_del(struct jif_lazy *lazy)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = lazy->armed;

	lazy->armed = 0;
	jif_timer_del(lazy->deferrable, &lazy->soft);
	jif_timer_del(lazy->wheel, &lazy->hard);
	jif_irq_restore(flags);
	return pending;
}

static void run_lazy(struct jif_lazy *lazy, struct jif_wheel *wheel,
		     struct jif_timer *timer, unsigned which)
{
	jif_irq_t flags = jif_irq_save();
	bool due = lazy->armed & which && !jif_timer_pending(timer);

	if (due && lazy->armed & HALF) {
		(void)!jif_timer_add(wheel, timer, clock_of(wheel));
		due = false;
	}
	if (due)
		jif_lazy_del(lazy);
	jif_irq_restore(flags);
	if (due)
		lazy->fn(lazy);
}

static void run_soft(struct jif_timer *timer)
{
	struct jif_lazy *lazy = jif_container_of(timer, struct jif_lazy, soft);

	run_lazy(lazy, lazy->deferrable, timer, SOFT);
}

static void run_hard(struct jif_timer *timer)
{
	struct jif_lazy *lazy = jif_container_of(timer, struct jif_lazy, hard);

	run_lazy(lazy, lazy->wheel, timer, HARD);
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

/*
 * By when it has to run: slack beyond the reach of the wheel is not used. False
 * if a time to come lies so far after the clock of a wheel that is behind that
 * it looks like the past. Without a time source, nobody knows. A loop's source
 * may move the clock on.
 */
static bool find_latest(const struct jif_lazy *lazy, uint32_t expires,
			uint32_t slack, uint32_t *latest)
{
	bool past = !lazy->wheel->time ||
		    expires - now_of(lazy->wheel) > JIF_DELAY_MAX;
	uint32_t clock = clock_of(lazy->wheel);
	uint32_t second = slack ? clock_of(lazy->deferrable) : clock;
	uint32_t ahead = expires - clock;
	uint32_t most = JIF_DELAY_MAX;

	if (ahead <= JIF_DELAY_MAX)
		most -= ahead;
	*latest = expires + (slack < most ? slack : most);
	if (*latest - clock - 1 >= JIF_DELAY_MAX)
		*latest = clock + 1;
	return past || (ahead | (expires - second)) <= JIF_DELAY_MAX;
}

static void arm_rest(struct jif_lazy *lazy)
{
	jif_irq_t flags = jif_irq_save();
	unsigned armed = lazy->armed;
	struct jif_wheel *wheel = lazy->wheel;
	struct jif_timer *other = &lazy->hard;

	if (armed & HALF) {
		lazy->armed = (uint8_t)(armed - HALF);
		if (!(armed & SOFT)) {
			wheel = lazy->deferrable;
			other = &lazy->soft;
		}
		if (armed == (SOFT | HARD | HALF))
			jif_timer_mod(wheel, other, lazy->latest);
		else
			jif_timer_del(wheel, other);
	}
	jif_irq_restore(flags);
}

int jif_lazy_mod(struct jif_lazy *lazy, uint32_t expires, uint32_t slack)
{
	struct jif_wheel *wheel = lazy->deferrable;
	struct jif_timer *first = &lazy->soft;
	unsigned armed = slack == JIF_FOREVER ? SOFT | HALF :
						SOFT | HARD | HALF;
	uint32_t latest;
	jif_irq_t flags;
	bool pending;

	if (!lazy->fn)
		return jif_invalid("a lazy timer has no function", lazy);
	if (!slack) {
		wheel = lazy->wheel;
		first = &lazy->hard;
		armed = HARD | HALF;
	}
	flags = jif_irq_save();
	pending = lazy->armed;
	if (!find_latest(lazy, expires, slack, &latest)) {
		jif_irq_restore(flags);
		return jif_reject(-JIF_ERANGE, "a lazy timer is too far ahead",
				  lazy);
	}
	lazy->armed = (uint8_t)armed;
	lazy->latest = latest;
	jif_timer_mod(wheel, first, expires);
	jif_irq_restore(flags);
	arm_rest(lazy);
	return pending;
}

bool jif_lazy_next(const struct jif_lazy *lazy, uint32_t *earliest,
		   uint32_t *latest)
{
	jif_irq_t flags = jif_irq_save();
	uint32_t last = jif_timer_expires(lazy->wheel, &lazy->hard);
	uint32_t first = last;
	unsigned armed = lazy->armed;

	if (armed & SOFT) {
		first = jif_timer_expires(lazy->deferrable, &lazy->soft);
		if (armed & HALF)
			last = lazy->latest;
		if (!(armed & HARD))
			last = first + JIF_FOREVER;
	}
	if (armed) {
		*earliest = first;
		*latest = last;
	}
	jif_irq_restore(flags);
	return armed;
}

bool jif_lazy_pending(const struct jif_lazy *lazy)
{
	LOOK_ANEW();
	return lazy->armed;
}
