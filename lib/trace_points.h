/* SPDX-License-Identifier: MIT */
/* lib/trace_points.h - the engine's side of jif/trace.h */
#ifndef JIF_LIB_TRACE_POINTS_H
#define JIF_LIB_TRACE_POINTS_H

#include <jif/trace.h>

void jif_trace_init(const struct jif_timer *timer);

/* Interrupts are off. */
static inline void trace(enum jif_trace_event event,
			 const struct jif_wheel *wheel,
			 const struct jif_timer *timer, uint32_t value)
{
	if (CONFIG_JIF_TRACE && jif_trace)
		jif_trace(JIF_TRACE_WHAT(event, 0), wheel, timer, value);
}

/* The timer is in a slot. */
static inline void trace_slot(enum jif_trace_event event,
			      const struct jif_wheel *wheel,
			      const struct jif_timer *timer, uint32_t value)
{
	if (CONFIG_JIF_TRACE && jif_trace)
		jif_trace(JIF_TRACE_WHAT(event, timer->where), wheel, timer,
			  value);
}

/* An entry without a function is a bookmark of lib/wheel_walk.c. */
static inline void trace_cancel(const struct jif_wheel *wheel,
				const struct jif_timer *timer)
{
	if (CONFIG_JIF_TRACE && timer->fn)
		trace(JIF_TRACE_CANCEL, wheel, timer, 0);
}

/* Of a wheel that has slept, and so has a time source. */
static inline void trace_wake(const struct jif_wheel *wheel)
{
	if (CONFIG_JIF_TRACE)
		trace(JIF_TRACE_WAKE, wheel, NULL, wheel->time(wheel));
}

#endif
