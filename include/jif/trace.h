/* SPDX-License-Identifier: MIT */
/*
 * jif/trace.h - see what the timers of a wheel do
 *
 * With CONFIG_JIF_TRACE, the engine calls a function of the product's for each
 * thing that happens to a timer. Without it, there is neither code nor data.
 */
#ifndef JIF_TRACE_H
#define JIF_TRACE_H

#include <jif/timer.h>
#include <jif/wheel.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * enum jif_trace_event - what has happened; and the value that comes with it
 * @JIF_TRACE_TIME:	of recordings: the wheel's clock. It is not called.
 * @JIF_TRACE_START:	armed; for when, as it was asked for
 * @JIF_TRACE_POSTPONE:	put off in place, by jif_timer_postpone(); until when
 * @JIF_TRACE_CASCADE:	moved to another slot; the level it was moved from, or 4
 *			for what was a week or more away
 * @JIF_TRACE_CANCEL:	taken off, and does not expire; 0. Arming a pending
 *			timer is this, and a start. A drain does it twice: when
 *			it gathers a timer, and when it hands it over.
 * @JIF_TRACE_ENTRY:	has expired, and its function is called next; by how
 *			many ticks the run is late
 * @JIF_TRACE_EXIT:	that function has returned; 0. The timer may be gone.
 * @JIF_TRACE_INIT:	initialised by jif_timer_init(); 0. There is no wheel.
 * @JIF_TRACE_SLEEP:	the main loop goes to sleep; for how many ticks at most.
 *			There is no timer.
 * @JIF_TRACE_WAKE:	it wakes up; jif_now(). There is no timer.
 */
enum jif_trace_event {
	JIF_TRACE_TIME,
	JIF_TRACE_START,
	JIF_TRACE_POSTPONE,
	JIF_TRACE_CASCADE,
	JIF_TRACE_CANCEL,
	JIF_TRACE_ENTRY,
	JIF_TRACE_EXIT,
	JIF_TRACE_INIT,
	JIF_TRACE_SLEEP,
	JIF_TRACE_WAKE,
};

/**
 * typedef jif_trace_fn - something has happened
 * @event:	what
 * @wheel:	on which wheel, or NULL
 * @timer:	to which timer, or NULL
 * @value:	see enum jif_trace_event
 *
 * It may look at the timer and the wheel, but not change them.
 *
 * Context: interrupts are off.
 */
typedef void jif_trace_fn(enum jif_trace_event event,
			  const struct jif_wheel *wheel,
			  const struct jif_timer *timer, uint32_t value);

/** jif_trace - called for each event, unless it is NULL */
extern jif_trace_fn *jif_trace;

/**
 * struct jif_trace_place - where a pending timer waits
 * @level:	0 seconds, 1 minutes, 2 hours, 3 days
 * @slot:	within the level
 * @remaining:	ticks left when the wheel reaches that slot
 */
struct jif_trace_place {
	unsigned level;
	unsigned slot;
	uint32_t remaining;
};

/**
 * jif_trace_find - where does a timer wait?
 * @wheel:	the wheel it is on
 * @timer:	a pending timer
 *
 * Context: jif_trace, after a start, a postponement or a cascade.
 * Return: its place, as in jif_wheel_walk().
 */
struct jif_trace_place jif_trace_find(const struct jif_wheel *wheel,
				      const struct jif_timer *timer);

#ifdef __cplusplus
}
#endif

#endif
