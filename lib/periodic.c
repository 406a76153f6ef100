/* SPDX-License-Identifier: MIT */
/*
 * lib/periodic.c - a timer that comes again and again, without drift
 *
 * The next call is armed before the function runs, so that the function may
 * stop it, start it anew, or stop and free it: nobody touches it afterwards.
 */
#include <jif/periodic.h>

#include "delay.h"
#include "periodic_shared.h"

/* Makes @call the next one. Interrupts are off. */
static void commit(struct jif_periodic *p, const struct call *call)
{
	p->expires = call->next;
	p->missed = call->missed;
	p->phase = call->phase;
	if (p->left != JIF_FOREVER)
		p->left--;
	if (!p->left)
		p->period = 0;
}

/*
 * Where the next call waits is found with interrupts on. One that has then
 * stopped, paused or started it has armed its timer, or left it no period.
 */
bool jif_periodic_call(struct jif_periodic *p, struct call *call)
{
	struct jif_wheel *wheel = p->wheel;
	jif_periodic_fn *fn = (p->missed & NEXT_IS_FAR) ? NULL : p->fn;
	uint32_t tick;
	jif_irq_t flags;
	bool idle, same;
	spot_t spot;

	if (call->missed > JIF_DELAY_MAX)
		call->missed = JIF_DELAY_MAX;
	tick = fn ? call->next : p->expires;
	if (fn && call->missed && tick - clock_of(wheel) > JIF_DELAY_MAX) {
		tick = wheel->target;
		call->missed |= NEXT_IS_FAR;
	}
	spot = jif_look_ahead(wheel, tick, &flags);
	idle = p->period && p->timer.where == JIF_TIMER_IDLE;
	same = idle && p->period == call->period && p->timer.fn == call->expire;
	if (same && fn)
		commit(p, call);
	else if (same)
		p->missed = 0;
	if (same && p->period)
		jif_arm_at(wheel, &p->timer, spot);
	jif_irq_restore(flags);
	if (same && fn)
		fn(p);
	return same || !idle;
}

void jif_periodic_expire(struct jif_timer *timer)
{
	struct jif_periodic *p =
		jif_container_of(timer, struct jif_periodic, timer);
	struct call call = { .expire = jif_periodic_expire };

	do {
		call.period = p->period;
		if (!call.period)
			return;
		call.missed = lateness(p->wheel, p->expires, policy_of(p)) /
			      call.period;
		call.next = p->expires + (call.missed + 1) * call.period;
		if (restarts(p, call.missed))
			call.next = p->wheel->target + call.period;
	} while (!jif_periodic_call(p, &call));
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
			 uint32_t expires, spot_t spot, const struct grid *grid)
{
	uint32_t period = grid->period, count = grid->count, per = grid->per;
	jif_timer_fn *expire = grid->expire;

	check_armed(p);
	if (p->wheel != wheel) {
		if (p->left)
			jif_timer_del(p->wheel, &p->timer);
		p->wheel = wheel;
	}
	p->timer.fn = expire;
	p->expires = expires;
	p->missed = 0;
	p->phase = 0;
	p->period = period;
	p->left = count;
	p->per = per;
	jif_arm_at(wheel, &p->timer, spot);
}

/* When @first is, counted from now, and the clock; false if it is too far. */
static bool count_from(jif_time_fn *now, const struct jif_wheel *wheel,
		       uint32_t first, uint32_t *expires, uint32_t *clk)
{
	jif_irq_t flags = jif_irq_save();
	uint32_t begin = now(wheel);

	*clk = clock_of(wheel);
	jif_irq_restore(flags);
	*expires = begin + first;
	return first <= JIF_DELAY_MAX - (begin - *clk);
}

int jif_periodic_begin(struct jif_wheel *wheel, struct jif_periodic *p,
		       uint32_t first, const struct grid *grid)
{
	uint32_t was, clk, expires;
	jif_irq_t flags;
	spot_t spot;

	if (grid->period > JIF_DELAY_MAX)
		return jif_reject_fn(-JIF_ERANGE, "a period is too long", p,
				     p->fn);
	if (!is_periodic_ready(p) || !grid->period || !grid->count)
		return reject_start(p);
	for (;;) {
		expires = first;
		clk = look_at_clock(wheel);
		if (grid->now &&
		    !count_from(grid->now, wheel, first, &expires, &clk))
			return jif_too_far(p, p->fn);
		if (CONFIG_JIF_DEBUG && looks_past(expires, clk))
			jif_misused(TOO_FAR, p, (void (*)(void))p->fn);
		if (expires - clk - 1 >= JIF_DELAY_MAX)
			expires = clk + 1;
		spot = jif_find_spot(wheel, clk, expires);
		flags = jif_irq_save();
		if (clk == clock_of(wheel))
			break;
		jif_irq_restore(flags);
	}
	was = p->left;
	begin_locked(wheel, p, expires, spot, grid);
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
