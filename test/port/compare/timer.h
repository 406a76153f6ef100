/* SPDX-License-Identifier: MIT */
/*
 * test/port/compare/timer.h - the timer under test, with each read of its
 * counter compared with what the counter was
 */
#include "world.h"

#define jif_compare_read timer_read
#define jif_compare_set	 timer_set
#include TIMER
#undef jif_compare_read
#undef jif_compare_set

static inline uint32_t jif_compare_read(void)
{
	uint64_t before = world.counts;
	uint32_t count = timer_read();

	world_check_read(before, count);
	return count;
}

static inline void jif_compare_set(uint32_t at)
{
	timer_set(at);
	world.armed = true;
}
