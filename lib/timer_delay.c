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
	trace_init(timer);
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

	if (pending > 0) {
		dequeue(wheel, timer);
		trace_cancel(wheel, timer);
	}
	if (pending >= 0)
		WRITE_SHARED(&timer->where, JIF_TIMER_DEAD);
	jif_irq_restore(flags);
	return pending > 0;
}

int jif_timer_add_in(struct jif_wheel *wheel, struct jif_timer *timer,
		     uint32_t delay)
{
	jif_irq_t flags = jif_irq_save();
	uint32_t expires;
	int err;

	if (tell_expiry(wheel, delay, &expires))
		err = jif_timer_add(wheel, timer, expires);
	else
		err = jif_too_far(timer, timer->fn);
	jif_irq_restore(flags);
	return err;
}

int jif_timer_mod_in(struct jif_wheel *wheel, struct jif_timer *timer,
		     uint32_t delay)
{
	jif_irq_t flags = jif_irq_save();
	uint32_t expires;
	int err;

	if (tell_expiry(wheel, delay, &expires))
		err = jif_timer_mod(wheel, timer, expires);
	else
		err = jif_too_far(timer, timer->fn);
	jif_irq_restore(flags);
	return err;
}

bool jif_timer_mod_pending(struct jif_wheel *wheel, struct jif_timer *timer,
			   uint32_t expires)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = is_pending(timer);

	if (pending)
		jif_timer_mod(wheel, timer, expires);
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

bool jif_timer_pause(struct jif_wheel *wheel, struct jif_timer *timer)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = is_pending(timer);
	uint32_t left = 0;

	if (pending) {
		left = left_of(wheel, timer);
		pending = jif_timer_del(wheel, timer);
	}
	if (pending) {
		timer->next = NULL;
		timer->remaining = left;
	}
	jif_irq_restore(flags);
	return pending;
}

int jif_timer_resume(struct jif_wheel *wheel, struct jif_timer *timer)
{
	jif_irq_t flags = jif_irq_save();
	int err = -JIF_EINVAL;
	uint32_t expires;

	if (is_paused(timer)) {
		expires = now_of(wheel) + timer->remaining;
		if (jif_time_before(expires, clock_of(wheel)))
			err = jif_reject(-JIF_ERANGE,
					 "a timer goes on out of reach", timer);
		else
			err = jif_timer_add(wheel, timer, expires);
	}
	jif_irq_restore(flags);
	return err;
}
