/* SPDX-License-Identifier: MIT */
/* lib/jiffies.c - the one counter that drives everything */
#include <jif/jiffies.h>
#include <jif/wheel.h>

#include "now64.h"
#include "port/jif_port.h"
#include "shared.h"

#define HZ   ((uint32_t)CONFIG_JIF_HZ)
#define MSEC UINT32_C(1000)

#undef jif_msecs_to_jiffies
#undef jif_jiffies_to_msecs

volatile unsigned long jif_jiffies = CONFIG_JIF_INITIAL_JIFFIES;

static inline void count_ticks(uint32_t ticks)
{
	jif_irq_t flags;

	if (!TEARS && !COUNTS_WRAPS) {
		count(ticks);
		return;
	}
	flags = jif_irq_save();
	count(ticks);
	jif_irq_restore(flags);
}

void jif_tick(void)
{
	count_ticks(1);
}

void jif_ticks(uint32_t count)
{
	count_ticks(count);
}

uint32_t jif_now(void)
{
	jif_irq_t flags;
	uint32_t now;

	if (!TEARS && !JIF_PORT_COUNTS)
		return (uint32_t)READ_SHARED(&jif_jiffies);
	flags = jif_irq_save();
	if (JIF_PORT_COUNTS)
		jif_port_count();
	now = (uint32_t)jif_jiffies;
	jif_irq_restore(flags);
	return now;
}

uint32_t jif_time_jiffies(const struct jif_wheel *wheel)
{
	(void)wheel;
	return jif_now();
}

/*
 * x * to / from, saturated. The whole multiples of @from and the rest are
 * converted apart, so that 32 bits hold every product.
 */
static inline uint32_t convert(uint32_t x, uint32_t to, uint32_t from,
			       uint32_t round)
{
	uint32_t rest = (x % from * to + round) / from;

	if (to == from)
		return x;
	if (x / from > (UINT32_MAX - rest) / to)
		return UINT32_MAX;
	return x / from * to + rest;
}

uint32_t jif_msecs_to_jiffies(uint32_t ms)
{
	return convert(ms, HZ, MSEC, MSEC - 1);
}

uint32_t jif_jiffies_to_msecs(uint32_t span)
{
	return convert(span, MSEC, HZ, 0);
}
