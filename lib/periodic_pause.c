/* SPDX-License-Identifier: MIT */
/* lib/periodic_pause.c - periodic timers: next call, pauses, new periods */
#include <jif/periodic.h>

#include "bug.h"
#include "periodic_shared.h"
#include "rings.h"

bool jif_periodic_next(const struct jif_periodic *p, uint32_t *when)
{
	jif_irq_t flags = jif_irq_save();
	bool started = p->period;
	uint32_t tick;

	if (started) {
		*when = p->expires;
		tick = jif_timer_expires(p->wheel, &p->timer);
		/* Its tick is over, and it comes as soon as it can. */
		if (jif_time_after(tick, p->expires))
			*when = tick;
	}
	jif_irq_restore(flags);
	return started;
}

/* If time moves on before the call is taken off, it is asked for again. */
bool jif_periodic_pause(struct jif_periodic *p)
{
	jif_irq_t flags = jif_irq_save();
	struct jif_wheel *wheel;
	bool paused = false;
	uint32_t now;

	while (p->period && !paused) {
		wheel = p->wheel;
		/* This may move the clock on, and the call with it. */
		now = jif_wheel_now(wheel);
		flags = jif_irq_window(flags);
		paused = p->period && p->wheel == wheel &&
			 !jif_time_before(now, clock_of(wheel));
		if (paused) {
			jif_timer_del(wheel, &p->timer);
			keep_periodic(p, p->expires - now);
		}
	}
	jif_irq_restore(flags);
	return paused;
}

/* Of one that is resumed. */
struct going_on {
	/* How long after the pause its call was due; less than 0 if before. */
	uint32_t left;
	uint32_t next; /* when it is due now: as long overdue as it was */
	/* When its timer expires: out of reach, as far as it can go. */
	uint32_t tick;
};

static int find_next(const struct jif_periodic *p, struct going_on *it)
{
	if (!is_periodic_paused(p))
		return -JIF_EINVAL;
	it->left = p->expires;
	it->next = it->tick = jif_wheel_now(p->wheel) + it->left;
	if (it->left > JIF_DELAY_MAX) {
		if (p->missed & NEXT_IS_FAR)
			it->tick = clock_of(p->wheel) + JIF_DELAY_MAX;
	} else if (it->next - clock_of(p->wheel) > JIF_DELAY_MAX) {
		return jif_reject(-JIF_ERANGE,
				  "a periodic timer goes on out of reach", p);
	}
	return 0;
}

static void go_on(struct jif_periodic *p, const struct going_on *it,
		  spot_t spot)
{
	p->expires = it->next;
	p->period = p->timer.remaining;
	if (it->left <= JIF_DELAY_MAX)
		p->missed &= ~NEXT_IS_FAR;
	jif_arm_at(p->wheel, &p->timer, spot);
}

int jif_periodic_resume(struct jif_periodic *p)
{
	struct jif_wheel *wheel;
	struct going_on it;
	jif_irq_t flags;
	bool same = false;
	spot_t spot;
	int err;

	do {
		flags = jif_irq_save();
		wheel = p->wheel;
		err = find_next(p, &it);
		jif_irq_restore(flags);
		if (err)
			break;
		spot = jif_look_ahead(wheel, it.tick, &flags);
		same = is_periodic_paused(p) && p->wheel == wheel &&
		       p->expires == it.left &&
		       !jif_time_before(it.next - it.left, clock_of(wheel));
		if (same)
			go_on(p, &it, spot);
		jif_irq_restore(flags);
	} while (!same);
	return err;
}

int jif_periodic_change(struct jif_periodic *p, uint32_t period, uint32_t count)
{
	jif_irq_t flags;
	int err = -JIF_EINVAL;

	if (period > JIF_DELAY_MAX)
		return jif_reject(-JIF_ERANGE, "a period is too long", p);
	if (!period || !count)
		return jif_invalid("a periodic timer has no period or count",
				   p);
	flags = jif_irq_save();
	if (p->left) {
		*(p->period ? &p->period : &p->timer.remaining) = period;
		p->left = count;
		p->timer.fn = jif_periodic_expire;
		err = 0;
	}
	jif_irq_restore(flags);
	return err;
}
