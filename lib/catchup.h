/* SPDX-License-Identifier: MIT */
/*
 * lib/catchup.h - the periods that a stall has covered
 */
#ifndef JIF_LIB_CATCHUP_H
#define JIF_LIB_CATCHUP_H

#include <jif/periodic.h>

/* How many grid ticks after @expires a run up to @target covers, too. */
static inline uint32_t missed_by(uint32_t target, uint32_t expires,
				 uint32_t period, unsigned policy)
{
	uint32_t late = target - expires;

	if (policy == JIF_CATCHUP_EACH || late > JIF_DELAY_MAX || late < period)
		return 0;
	return late / period;
}

/* The next one, when so many were missed; of a new grid, if it @restarts. */
static inline uint32_t next_grid(uint32_t target, uint32_t expires,
				 uint32_t period, uint32_t missed,
				 bool restarts)
{
	if (restarts)
		return target + period;
	return expires + (missed + 1) * period;
}

#endif
