/* SPDX-License-Identifier: MIT */
/*
 * lib/trace.c - tells a tool where timers wait
 */
#include "trace.h"

jif_trace_fn *jif_trace;

void jif_trace_placed(const struct jif_timer *timer, int from)
{
	size_t slot = slot_of(timer);
	unsigned level = level_of(slot);

	jif_trace(timer, from, level, position_of(slot, level),
		  timer->remaining);
}
