/* SPDX-License-Identifier: MIT */
/*
 * jif/periodic.h - a timer that comes again and again, without drift
 *
 * The calls lie on a grid: the first expiry, and from there one period after
 * the other, however late a callback runs or how long it takes. What happens
 * to the grid ticks that a stalled main loop has slept through is a choice.
 */
#ifndef JIF_PERIODIC_H
#define JIF_PERIODIC_H

#include <jif/timer.h>
#include <jif/types.h>
#include <jif/wheel.h>

JIF_BEGIN_DECLS

struct jif_periodic;

/**
 * typedef jif_periodic_fn - what runs each period
 * @p:	the periodic timer, which is armed for its next call already: it may be
 *	stopped, started anew, or stopped and freed
 */
typedef void jif_periodic_fn(struct jif_periodic *p);

/**
 * enum jif_catchup - when one run of the wheel covers several periods
 * @JIF_CATCHUP_EACH:	call once for each grid tick, in order
 * @JIF_CATCHUP_SKIP:	call once; go on at the first grid tick after the run
 * @JIF_CATCHUP_RESTART: call once; go on one period after the run's time, which
 *			is the new grid
 */
enum jif_catchup { JIF_CATCHUP_EACH, JIF_CATCHUP_SKIP, JIF_CATCHUP_RESTART };

/** struct jif_periodic - a periodic timer */
struct jif_periodic {
	/* private: */
	struct jif_timer timer;	 /* the timer of the next call */
	struct jif_wheel *wheel; /* the wheel it is on */
	jif_periodic_fn *fn;	 /* what runs each period */
	uint32_t expires;	 /* the grid tick of the next call */
	uint32_t period;	 /* in ticks; 0: stopped */
	uint32_t left;		 /* calls still to come, or JIF_FOREVER */
	uint32_t missed;	 /* ticks of its grid, at the latest call */
	uint8_t policy;		 /* one of enum jif_catchup */
#if JIF_HAS_LONG_JUMPS
	uint32_t carried;	 /* missed in earlier runs of a jump */
#endif
};

/**
 * jif_periodic_init - make a periodic timer ready to be started
 * @p:		memory that is not a started periodic timer
 * @fn:		what runs each period
 * @policy:	what to do about missed periods
 * Context: any.
 */
void jif_periodic_init(struct jif_periodic *p, jif_periodic_fn *fn,
		       enum jif_catchup policy);

/**
 * jif_periodic_start - start, or start anew with other times
 * @wheel:	the wheel
 * @p:		a periodic timer that has been initialised
 * @first:	delay of the first call, in ticks, from the wheel's clock on; 0
 *		is the next tick
 * @period:	from call to call, in ticks, 1 to JIF_DELAY_MAX
 * @count:	how many calls, at least 1; JIF_FOREVER: no end
 *
 * On a wheel that is behind, the clock is not now: on one that is 5,000 ticks
 * behind, a @first of 1,000 is past, and the first call comes in the next run,
 * as do all others that are past. jif_periodic_start_in() counts from now on.
 *
 * Works from the callback too, and on a periodic timer that is running: its old
 * calls are off. What a single run of the wheel covers and a period, added up,
 * may be at most JIF_DELAY_MAX, unless the policy is JIF_CATCHUP_EACH; so may
 * the time that is left and a period, where jif_wheel_drain() calls it.
 *
 * Context: any.
 * Return: 1 if it was running, 0 if not; -JIF_ERANGE if @first or @period is
 * too long; -JIF_EINVAL if it has no function, an unknown policy or was not
 * initialised, or @period or @count is 0. After an error, nothing has changed.
 */
int jif_periodic_start(struct jif_wheel *wheel, struct jif_periodic *p,
		       uint32_t first, uint32_t period, uint32_t count);

/**
 * jif_periodic_start_at - start with the first call at a certain time
 * @wheel:	the wheel
 * @p:		a periodic timer that has been initialised
 * @expires:	the first call: absolute, in the wheel's time; JIF_DELAY_MAX
 *		after its clock, at most; what is past is the next tick
 * @period:	from call to call, in ticks, 1 to JIF_DELAY_MAX
 * @count:	how many calls, at least 1; JIF_FOREVER: no end
 *
 * Otherwise as jif_periodic_start().
 *
 * Context: any.
 * Return: as jif_periodic_start().
 */
int jif_periodic_start_at(struct jif_wheel *wheel, struct jif_periodic *p,
			  uint32_t expires, uint32_t period, uint32_t count);

/**
 * jif_periodic_start_in - start with the first call so long from now
 * @wheel:	a wheel that is run with jiffies
 * @p:		a periodic timer that has been initialised
 * @first:	delay of the first call, as for jif_timer_add_in()
 * @period:	from call to call, in ticks, 1 to JIF_DELAY_MAX
 * @count:	how many calls, at least 1; JIF_FOREVER: no end
 *
 * Otherwise as jif_periodic_start().
 *
 * Context: any.
 * Return: as jif_periodic_start(); -JIF_ERANGE as jif_timer_add_in().
 */
int jif_periodic_start_in(struct jif_wheel *wheel, struct jif_periodic *p,
			  uint32_t first, uint32_t period, uint32_t count);

/**
 * jif_periodic_stop - no more calls
 * @p:		a periodic timer that has been initialised
 * Context: any.
 * Return: true if there were calls to come. A call whose tick has been reached
 * may be under way then, and is made.
 */
bool jif_periodic_stop(struct jif_periodic *p);

/**
 * jif_periodic_pending - are there calls to come?
 * @p:	a periodic timer that has been initialised
 * Context: any.
 * Return: true if it was started, and neither stopped nor called as often as it
 * was to be.
 */
bool jif_periodic_pending(const struct jif_periodic *p);

/**
 * jif_periodic_missed - how many periods were skipped before the latest call
 * @p:	a periodic timer
 * Context: its callback.
 * Return: the periods that this call stands for, beside its own; always 0 with
 * JIF_CATCHUP_EACH.
 */
uint32_t jif_periodic_missed(const struct jif_periodic *p);

/**
 * jif_periodic_left - how many calls are still to come
 * @p:	a periodic timer
 * Context: any.
 * Return: calls, not counting the one under way; JIF_FOREVER if there is no
 * end; 0 if it is stopped.
 */
uint32_t jif_periodic_left(const struct jif_periodic *p);

JIF_END_DECLS

#endif
