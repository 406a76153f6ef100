/* SPDX-License-Identifier: MIT */
/*
 * test/target/masked/masked.h - a port that counts how long interrupts are off
 *
 * No interrupt comes; what is counted is what runs between the outermost
 * jif_irq_save() and jif_irq_restore(), their own cost taken off.
 */
#ifndef MASKED_H
#define MASKED_H

#include <stdbool.h>

#include "../count.h"

typedef uint8_t jif_irq_t;

/**
 * struct masked - what is counted
 * @depth:	how many jif_irq_save() are open
 * @since:	when the outermost one was
 * @longest:	the longest stretch
 */
struct masked {
	uint8_t depth;
	uint32_t since;
	uint32_t longest;
};

extern struct masked masked;

static inline jif_irq_t jif_irq_save(void)
{
	if (!masked.depth++)
		masked.since = count_now();
	return 0;
}

static inline void jif_irq_restore(jif_irq_t flags)
{
	uint32_t now;
	uint32_t span;

	(void)flags;
	now = count_now();
	if (--masked.depth)
		return;
	span = count_between(masked.since, now);
	if (masked.longest < span)
		masked.longest = span;
}

static inline bool jif_in_irq(void)
{
	return false;
}

#endif
