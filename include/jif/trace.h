/* SPDX-License-Identifier: MIT */
/*
 * jif/trace.h - watch where timers wait
 *
 * For tools: a build with CONFIG_JIF_TRACE calls a function each time a timer
 * is put into a slot. Without the option there is neither code nor data.
 */
#ifndef JIF_TRACE_H
#define JIF_TRACE_H

#include <jif/timer.h>

#ifdef __cplusplus
extern "C" {
#endif

#define JIF_TRACE_ARMED (-1)

/**
 * typedef jif_trace_fn - a timer has been put into a slot
 * @timer:	the timer
 * @from:	the level from which it was moved, or JIF_TRACE_ARMED
 * @level:	0 seconds, 1 minutes, 2 hours, 3 days
 * @slot:	within the level
 * @remaining:	ticks left when the wheel reaches that slot
 *
 * Context: interrupts are off.
 */
typedef void jif_trace_fn(const struct jif_timer *timer, int from,
			  unsigned level, unsigned slot, uint32_t remaining);

/** jif_trace - called for each timer put into a slot, unless it is NULL */
extern jif_trace_fn *jif_trace;

#ifdef __cplusplus
}
#endif

#endif
