/* SPDX-License-Identifier: MIT */
/* lib/timer_delay.c - timers: what they are asked, and delays and pauses */
#include <jif/wheel.h>

#include "bug.h"
#include "delay.h"
#include "port/jif_port.h"

void jif_timer_init(struct jif_timer *timer, jif_timer_fn *fn)
{
	timer->fn = fn;
	timer->where = JIF_TIMER_NEW;
	if (CONFIG_JIF_TRACE)
		jif_trace_init(timer);
}

bool jif_timer_pending(const struct jif_timer *timer)
{
	LOOK_ANEW();
	return is_pending(timer);
}

uint32_t jif_timer_expires(const struct jif_wheel *wheel,
			   const struct jif_timer *timer)
{
	jif_irq_t flags = jif_irq_save();
	uint32_t expires = clock_of(wheel);

	if (is_on(wheel, timer) > 0)
		expires = expiry_of(wheel, timer);
	jif_irq_restore(flags);
	return expires;
}

bool jif_timer_shutdown(struct jif_wheel *wheel, struct jif_timer *timer)
{
	jif_irq_t flags = jif_irq_save();
	int pending = is_on(wheel, timer);

	if (pending > 0)
		take_off(wheel, timer);
	if (pending >= 0)
		WRITE_SHARED(&timer->where, JIF_TIMER_DEAD);
	jif_irq_restore(flags);
	return pending > 0;
}

JIF_NOINLINE bool jif_look(const struct jif_wheel *wheel, struct look *look)
{
	jif_irq_t flags = jif_irq_save();
	uint32_t clk, expires;

	if (tell_expiry(wheel, look->delay, &expires)) {
		look->expires = expires;
		look->near = true;
	}
	clk = clock_of(wheel);
	jif_irq_restore(flags);
	if (!look->near)
		return false;
	look->clk = clk;
	look->spot = jif_find_spot(wheel, clk, look->expires);
	return true;
}

int jif_timer_add_in(struct jif_wheel *wheel, struct jif_timer *timer,
		     uint32_t delay)
{
	struct look look;
	int err = -JIF_EBUSY;

	begin_look(&look, delay);
	if (!look_after(wheel, &look))
		return jif_too_far(timer, timer->fn);
	if (is_pending(timer))
		err = check_add(wheel, timer, look.expires, err);
	else
		err = jif_arm_at(wheel, timer, look.spot);
	jif_irq_restore(look.flags);
	return err;
}

int jif_timer_mod_in(struct jif_wheel *wheel, struct jif_timer *timer,
		     uint32_t delay)
{
	struct look look;
	int pending;

	begin_look(&look, delay);
	if (!look_after(wheel, &look))
		return jif_too_far(timer, timer->fn);
	pending = jif_arm_at(wheel, timer, look.spot);
	jif_irq_restore(look.flags);
	return pending;
}

bool jif_timer_mod_pending(struct jif_wheel *wheel, struct jif_timer *timer,
			   uint32_t expires)
{
	jif_irq_t flags;
	spot_t spot = jif_look_ahead(wheel, expires, &flags);
	bool pending = is_pending(timer);

	if (pending) {
		check_add(wheel, timer, expires, 0);
		jif_arm_at(wheel, timer, spot);
	}
	jif_irq_restore(flags);
	return pending;
}

uint32_t jif_timer_left(const struct jif_wheel *wheel,
			const struct jif_timer *timer)
{
	jif_irq_t flags = jif_irq_save();
	uint32_t left = timer->remaining;

	if (!is_paused(timer))
		left = left_of(wheel, timer);
	jif_irq_restore(flags);
	return left;
}

/* If time moves on before the timer is taken off, it is asked for again. */
bool jif_timer_pause(struct jif_wheel *wheel, struct jif_timer *timer)
{
	jif_irq_t flags = jif_irq_save();
	bool paused = false;
	uint32_t now, left;

	while (!paused && is_pending(timer)) {
		now = jif_wheel_now(wheel);
		flags = jif_irq_window(flags);
		if (is_on(wheel, timer) < 0)
			break;
		if (!is_pending(timer) || jif_time_before(now, clock_of(wheel)))
			continue;
		left = expiry_of(wheel, timer) - now;
		take_off(wheel, timer);
		timer->next = NULL;
		timer->remaining = left <= JIF_DELAY_MAX ? left : 0;
		paused = true;
	}
	jif_irq_restore(flags);
	return paused;
}

/* When a paused timer is due, if it goes on now; or an error. */
static int find_end(const struct jif_wheel *wheel,
		    const struct jif_timer *timer, uint32_t *expires)
{
	if (!is_paused(timer))
		return -JIF_EINVAL;
	*expires = now_of(wheel) + timer->remaining;
	if (jif_time_before(*expires, clock_of(wheel)))
		return jif_reject(-JIF_ERANGE, "a timer goes on out of reach",
				  timer);
	return 0;
}

/* If time moves on before the timer is armed, it is asked for again. */
int jif_timer_resume(struct jif_wheel *wheel, struct jif_timer *timer)
{
	uint32_t left, expires;
	jif_irq_t flags;
	bool same = false;
	spot_t spot;
	int err;

	do {
		flags = jif_irq_save();
		left = timer->remaining;
		err = find_end(wheel, timer, &expires);
		jif_irq_restore(flags);
		if (err)
			break;
		spot = jif_look_ahead(wheel, expires, &flags);
		same = is_paused(timer) && timer->remaining == left &&
		       !jif_time_before(expires - left, clock_of(wheel));
		if (same)
			err = jif_arm_at(wheel, timer, spot);
		jif_irq_restore(flags);
	} while (!same);
	return err;
}
