/* SPDX-License-Identifier: MIT */
/*
 * lib/trace.h - the engine's side of jif/trace.h
 */
#ifndef JIF_LIB_TRACE_H
#define JIF_LIB_TRACE_H

#include <jif/trace.h>
#include <jif/wheel.h>

void jif_trace_placed(const struct jif_wheel *wheel,
		      const struct jif_timer *timer, int from);

static inline void trace_placed(const struct jif_wheel *wheel,
				const struct jif_timer *timer, int from)
{
	if (CONFIG_JIF_TRACE && jif_trace)
		jif_trace_placed(wheel, timer, from);
}

#endif
