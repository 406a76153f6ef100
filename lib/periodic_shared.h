/* SPDX-License-Identifier: MIT */
/*
 * lib/periodic_shared.h - what the sources of periodic timers share
 *
 * One that is paused has no period, but calls left. Until it is resumed, its
 * @expires says how long after the pause the next call was due, less than 0 if
 * that was before it, and its timer, which is idle, keeps the period.
 */
#ifndef JIF_LIB_PERIODIC_SHARED_H
#define JIF_LIB_PERIODIC_SHARED_H

#include <jif/jiffies.h>
#include <jif/periodic.h>

#include "periodic_kind.h"
#include "shared.h"

/* With the policy added, what @policy of one that was initialised holds. */
#define JIF_PERIODIC_READY 0x6a00u

static inline bool is_periodic_ready(const struct jif_periodic *p)
{
	return p->fn && p->policy - JIF_PERIODIC_READY <= JIF_CATCHUP_RESTART;
}

/*
 * By how much the call at @expires, if it may miss others, is late at the end
 * of the run that makes it: less than 2^32 ticks. One of a drain is not late.
 */
static inline uint32_t lateness(const struct jif_wheel *wheel, uint32_t expires,
				unsigned policy)
{
	uint32_t late = wheel->target - expires;

	if (policy == JIF_CATCHUP_EACH ||
	    (late > JIF_DELAY_MAX && jif_time_after(expires, clock_of(wheel))))
		return 0;
	return late;
}

static inline bool restarts(const struct jif_periodic *p, uint32_t missed)
{
	return missed && policy_of(p) == JIF_CATCHUP_RESTART;
}

static inline bool is_periodic_paused(const struct jif_periodic *p)
{
	return !p->period && p->left;
}

/* Its timer is idle. */
static inline void keep_periodic(struct jif_periodic *p, uint32_t left)
{
	p->expires = left;
	p->timer.remaining = p->period;
	p->period = 0;
}

/*
 * Of a call that is out of reach, for the run that is under way goes so far,
 * the timer first goes to the end of that. This bit of @missed says so.
 */
#define NEXT_IS_FAR UINT32_C(0x80000000)

/* What comes of one that has expired. */
struct call {
	jif_timer_fn *expire; /* what its timer did */
	uint32_t period;      /* what that was */
	uint32_t next;	      /* when the next call is */
	uint32_t missed;      /* how many calls are left out until then */
	uint32_t phase;	      /* of a ratio, then */
};

/*
 * Arms the next call, and makes this one, if it is still due; false if another
 * period was given to it since @call was reckoned.
 */
bool jif_periodic_call(struct jif_periodic *p, struct call *call);

/* When calls come. */
struct grid {
	uint32_t period;      /* in ticks, in which there are @per calls */
	uint32_t count;	      /* how many calls */
	uint32_t per;	      /* not 0 */
	jif_timer_fn *expire; /* what its timer does */
	jif_time_fn *now;     /* from when on; NULL: the first is a tick */
};

int jif_periodic_begin(struct jif_wheel *wheel, struct jif_periodic *p,
		       uint32_t first, const struct grid *grid);
uint32_t jif_periodic_now(const struct jif_wheel *wheel);

#endif
