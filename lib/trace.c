/* SPDX-License-Identifier: MIT */
/* lib/trace.c - the hook that gets the records of the engine */
#include "trace_points.h"

#include "port/jif_port.h"

jif_trace_fn *jif_trace;

void jif_trace_init(const struct jif_timer *timer)
{
	jif_irq_t flags = jif_irq_save();

	trace(JIF_TRACE_INIT, NULL, timer, 0);
	jif_irq_restore(flags);
}
