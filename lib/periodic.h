/* SPDX-License-Identifier: MIT */
/*
 * lib/periodic.h - what the sources of periodic timers share
 *
 * One that is paused has no period, but calls left. Until it is resumed, its
 * @expires says how long after the pause the next call was due, less than 0 if
 * that was before it, and its timer, which is idle, keeps the period.
 */
#ifndef JIF_LIB_PERIODIC_H
#define JIF_LIB_PERIODIC_H

#include <jif/periodic.h>

/* With the policy added, what @policy of one that was initialised holds. */
#define JIF_PERIODIC_READY 0x6a00u

static inline bool is_periodic_ready(const struct jif_periodic *p)
{
	return p->fn && p->policy - JIF_PERIODIC_READY <= JIF_CATCHUP_RESTART;
}

static inline unsigned policy_of(const struct jif_periodic *p)
{
	return (uint8_t)p->policy;
}

static inline bool is_periodic_paused(const struct jif_periodic *p)
{
	return !p->period && p->left;
}

/* Its timer is idle. */
static inline void keep_paused(struct jif_periodic *p, uint32_t left)
{
	p->expires = left;
	p->timer.remaining = p->period;
	p->period = 0;
}

/* Where its period is, paused or not; or, of a ratio, its ticks. */
static inline uint32_t *period_of(struct jif_periodic *p)
{
	return p->period ? &p->period : &p->timer.remaining;
}

/*
 * Of a call that is out of reach, for the run that is under way goes so far,
 * the timer first goes to the end of that. This bit of @missed says so.
 */
#define NEXT_IS_FAR UINT32_C(0x80000000)

/*
 * False if it was stopped, paused or started anew by an interrupt since its
 * timer was taken off, or has to go on to its call. Interrupts are off, as for
 * the next function.
 */
static inline bool is_due(struct jif_periodic *p)
{
	if (!p->period || p->timer.where != JIF_TIMER_IDLE)
		return false;
	if (!(p->missed & NEXT_IS_FAR))
		return true;
	p->missed = 0;
	jif_timer_add(p->wheel, &p->timer, p->expires);
	return false;
}

/* One that is called each time has missed some, too, after a long jump. */
static inline bool may_be_far(const struct jif_periodic *p, uint32_t missed)
{
	return missed &&
	       (!JIF_HAS_LONG_JUMPS || policy_of(p) != JIF_CATCHUP_EACH);
}

/* Has the timer go to @expires, when so many were missed. */
static inline void go_to(struct jif_periodic *p, uint32_t expires,
			 uint32_t missed)
{
	struct jif_wheel *wheel = p->wheel;

	p->expires = expires;
	if (may_be_far(p, missed) && expires - wheel->clk > JIF_DELAY_MAX) {
		expires = wheel->target;
		missed |= NEXT_IS_FAR;
	}
	p->missed = missed;
	jif_timer_add(wheel, &p->timer, expires);
}

/* Arms the next call, which is at @expires, if there is one. */
static inline void arm_next(struct jif_periodic *p, uint32_t expires,
			    uint32_t missed)
{
	if (p->left != 1) {
		go_to(p, expires, missed);
	} else {
		p->expires = expires;
		p->missed = missed;
		p->period = 0;
	}
	if (p->left != JIF_FOREVER)
		p->left--;
}

/* What the timer of one with whole ticks does, and that of a ratio. */
void jif_periodic_expire(struct jif_timer *timer);
void jif_periodic_expire_ratio(struct jif_timer *timer);

static inline bool is_periodic(const struct jif_timer *timer)
{
	return timer->fn == jif_periodic_expire ||
	       timer->fn == jif_periodic_expire_ratio;
}

#endif
