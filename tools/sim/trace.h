/* SPDX-License-Identifier: MIT */
/*
 * trace.h - a recording of what timers were asked to do
 */
#ifndef JIFSIM_TRACE_H
#define JIFSIM_TRACE_H

#include "scenario.h"

/*
 * Reads a trace whose jiffy lasts @jiffy_us, for a scenario whose tick lasts
 * @tick_us; both are 1000 where it is no matter. Its timers get names in
 * @scenario. Errors have been reported when it returns something else than
 * STATUS_OK.
 */
enum status trace_read(struct trace **trace, struct scenario *scenario,
		       const char *path, int64_t jiffy_us, int64_t tick_us);

void histogram_add(struct histogram *histogram, int64_t lateness);

#endif
