/* SPDX-License-Identifier: MIT */
/*
 * lib/trace.c - tells the product what timers do
 */
#include "trace.h"

#include "port/jif_port.h"
#include "wheel_view.h"

jif_trace_fn *jif_trace;

void jif_trace_init(const struct jif_timer *timer)
{
	jif_irq_t flags = jif_irq_save();

	trace(JIF_TRACE_INIT, NULL, timer, 0);
	jif_irq_restore(flags);
}

struct jif_trace_place jif_trace_find(const struct jif_wheel *wheel,
				      const struct jif_timer *timer)
{
	struct view view = view_of(wheel, timer);

	return (struct jif_trace_place){ view.level, view.slot,
					 view.remaining };
}
