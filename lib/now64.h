/* SPDX-License-Identifier: MIT */
/* lib/now64.h - jiffies and their wraps, for lib/jiffies.c */
#ifndef JIF_LIB_NOW64_H
#define JIF_LIB_NOW64_H

#include <jif/jiffies.h>

#include "port/jif_port.h"
#include "shared.h"

/* Where a long has 64 bits, so have jiffies; else their wraps are counted. */
#define IS_LONG	     (sizeof(jif_jiffies) > sizeof(uint32_t))
#define COUNTS_WRAPS (CONFIG_JIF_NOW64 && !IS_LONG)

static uint32_t wraps;

/* Interrupts are off, or there is one store. */
static inline void count(uint32_t ticks)
{
	unsigned long now = jif_jiffies + ticks;

	WRITE_SHARED(&jif_jiffies, now);
	if (COUNTS_WRAPS && now < ticks)
		wraps++;
}

#if JIF_PORT_COUNTS
void jif_count(uint32_t ticks)
{
	count(ticks);
}
#endif

#if JIF_HAS_NOW64
uint64_t jif_now64(void)
{
	jif_irq_t flags;
	uint64_t now;

	if (IS_LONG && !JIF_PORT_COUNTS)
		return READ_SHARED(&jif_jiffies);
	flags = jif_irq_save();
	if (JIF_PORT_COUNTS)
		jif_port_count();
	now = jif_jiffies;
	if (COUNTS_WRAPS)
		now |= (uint64_t)wraps << 32;
	jif_irq_restore(flags);
	return now;
}
#endif

#endif
