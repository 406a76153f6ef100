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
 * @JIF_CATCHUP_SKIP:	call once; go on at the first grid tick after the run
 * @JIF_CATCHUP_EACH:	call once for each grid tick, in order
 * @JIF_CATCHUP_RESTART: call once; a new grid begins a period after the run
 */
enum jif_catchup { JIF_CATCHUP_SKIP, JIF_CATCHUP_EACH, JIF_CATCHUP_RESTART };

/** struct jif_periodic - a periodic timer */
struct jif_periodic {
	/* private: */
	struct jif_timer timer;	 /* the timer of the next call */
	struct jif_wheel *wheel; /* the wheel it is on */
	jif_periodic_fn *fn;	 /* what runs each period */
	uint32_t expires;	 /* the grid tick of the next call */
	uint32_t missed;	 /* ticks of its grid, at the latest call */
	uint32_t phase;		 /* by how much of 1 / @per ticks it is late */
	uint32_t period;	 /* in ticks; 0: stopped, or paused */
	uint32_t left;		 /* calls still to come, or JIF_FOREVER */
	uint32_t per;		 /* of a ratio: calls in @period ticks */
	uint16_t policy;	 /* see lib/periodic_shared.h */
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
 * @first:	delay of the first call, in ticks: it comes at jif_wheel_now() +
 *		@first, after @first - 1 to @first ticks; 0 is the next tick
 * @period:	from call to call, in ticks, 1 to JIF_DELAY_MAX
 * @count:	how many calls, at least 1; JIF_FOREVER: no end
 *
 * Works from the callback too, and on a periodic timer that is running or
 * paused: its old calls are off. Where jif_wheel_drain() calls it, the time
 * that is left and a period, added up, may be at most JIF_DELAY_MAX.
 * Context: any.
 * Return: 1 if it had calls to come, 0 if not; -JIF_ERANGE if @period is too
 * long, or the first call more than JIF_DELAY_MAX after the wheel's clock;
 * -JIF_EINVAL if @period or @count is 0, or it has no function, an unknown
 * policy or was not initialised. After an error, nothing has changed.
 */
JIF_MUST_CHECK
int jif_periodic_start(struct jif_wheel *wheel, struct jif_periodic *p,
		       uint32_t first, uint32_t period, uint32_t count);

/**
 * jif_periodic_start_at - start with the first call at a certain time
 * @wheel:	the wheel
 * @p:		a periodic timer that has been initialised
 * @expires:	the first call: absolute, in the wheel's time; JIF_DELAY_MAX
 *		after its clock, at most; a past time is the next tick
 * @period:	from call to call, in ticks, 1 to JIF_DELAY_MAX
 * @count:	how many calls, at least 1; JIF_FOREVER: no end
 *
 * Otherwise as jif_periodic_start().
 * Context: any.
 * Return: as jif_periodic_start().
 */
JIF_MUST_CHECK
int jif_periodic_start_at(struct jif_wheel *wheel, struct jif_periodic *p,
			  uint32_t expires, uint32_t period, uint32_t count);

/**
 * jif_periodic_start_ratio - start with a period that is no whole ticks
 * @wheel:	the wheel
 * @p:		a periodic timer that has been initialised
 * @first:	delay of the first call, as for jif_periodic_start(); 0 counts
 *		as 1 if the wheel is not behind
 * @ticks:	so many ticks, up to JIF_DELAY_MAX
 * @per:	take as many calls as this: 1 to @ticks
 * @count:	how many calls, at least 1; JIF_FOREVER: no end
 *
 * Call k, from 0 on, comes @first + k * @ticks / @per ticks after
 * jif_wheel_now(), rounded up to a whole tick: exact over any time. A call each
 * millisecond at 32,768 Hz is 32,768 ticks per 1,000 calls.
 *
 * JIF_CATCHUP_RESTART begins a new grid that much after the run, rounded up.
 * Otherwise as jif_periodic_start().
 * Context: any.
 * Return: as jif_periodic_start(); -JIF_ERANGE if @ticks is longer than
 * JIF_DELAY_MAX; -JIF_EINVAL if @per is 0, or more than @ticks.
 */
JIF_MUST_CHECK
int jif_periodic_start_ratio(struct jif_wheel *wheel, struct jif_periodic *p,
			     uint32_t first, uint32_t ticks, uint32_t per,
			     uint32_t count);

/**
 * jif_periodic_stop - no more calls
 * @p:		a periodic timer that has been initialised
 * Context: any.
 * Return: true if there were calls to come; one that is under way is made.
 */
bool jif_periodic_stop(struct jif_periodic *p);

/**
 * jif_periodic_change - another period or count, from the next call on
 * @p:		a periodic timer, running or paused
 * @period:	from the next call on, in ticks, 1 to JIF_DELAY_MAX
 * @count:	how many calls, at least the next one; JIF_FOREVER: no end
 *
 * The next call comes when it would have come, and the grid goes on from there.
 * Works from the callback too, unless this is the last call. One that was
 * started with a ratio has whole periods from then on.
 * Context: any.
 * Return: 0; -JIF_ERANGE if @period is too long; -JIF_EINVAL if it is stopped,
 * or @period or @count is 0. After an error, nothing has changed.
 */
int jif_periodic_change(struct jif_periodic *p, uint32_t period,
			uint32_t count);

/**
 * jif_periodic_pause - no calls until it is resumed
 * @p:		a periodic timer that has been initialised
 *
 * Works from the callback, too. Calls are still to come: jif_periodic_left().
 * Stopping it or starting it ends the pause.
 * Context: any.
 * Return: true if it was started and not paused.
 */
bool jif_periodic_pause(struct jif_periodic *p);

/**
 * jif_periodic_resume - go on after a pause
 * @p:		a periodic timer that has been initialised
 *
 * The next call, and with it the grid, comes as many ticks later as the pause
 * has lasted, counted by jif_wheel_now(). Calls that were overdue when it was
 * paused are overdue: its policy decides how they are made up for; with
 * JIF_CATCHUP_EACH, they come one on each tick.
 * Context: any.
 * Return: 0; -JIF_EINVAL if not paused; -JIF_ERANGE if the next call would come
 * more than JIF_DELAY_MAX after a clock that is behind, and it stays paused.
 */
int jif_periodic_resume(struct jif_periodic *p);

/**
 * jif_periodic_next - when is the next call?
 * @p:		a periodic timer that has been initialised
 * @when:	set to the tick of that call: absolute, in the wheel's time
 * Context: any.
 * Return: true if it is started; false if it is stopped or paused, and then
 * @when is left alone.
 */
bool jif_periodic_next(const struct jif_periodic *p, uint32_t *when);

/**
 * jif_periodic_pending - are there calls to come?
 * @p:	a periodic timer that has been initialised
 * Context: any.
 * Return: true if it was started, was not stopped, and has calls left.
 */
bool jif_periodic_pending(const struct jif_periodic *p);

/**
 * jif_periodic_missed - how many periods were skipped before the latest call
 * @p:	a periodic timer
 * Context: its callback.
 * Return: the periods that this call stands for, beside its own, JIF_DELAY_MAX
 * at most; 0 with JIF_CATCHUP_EACH. Of a long jump, a loop counts the end only.
 */
uint32_t jif_periodic_missed(const struct jif_periodic *p);

/**
 * jif_periodic_left - how many calls are still to come
 * @p:	a periodic timer
 * Context: any.
 * Return: calls, without the one under way; JIF_FOREVER: no end; 0: stopped.
 */
uint32_t jif_periodic_left(const struct jif_periodic *p);

JIF_END_DECLS

#endif
