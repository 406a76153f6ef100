/* SPDX-License-Identifier: MIT */
/*
 * lib/trace.c - tells a tool where timers wait
 */
#include "trace.h"

#include "wheel_view.h"

jif_trace_fn *jif_trace;

void jif_trace_placed(const struct jif_wheel *wheel,
		      const struct jif_timer *timer, int from)
{
	struct view view = view_of(wheel, timer);

	if (from == WEEK)
		from = DAY;
	jif_trace(timer, from, view.level, view.slot, view.remaining);
}
