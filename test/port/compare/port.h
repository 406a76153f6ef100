/* SPDX-License-Identifier: MIT */
/*
 * test/port/compare/port.h - interrupts off and on in the simulation, as
 * JIF_PORT
 */
#pragma once

#include "world.h"

typedef unsigned jif_irq_t;

static inline jif_irq_t jif_irq_save(void)
{
	return world.off++;
}

static inline void jif_irq_restore(jif_irq_t flags)
{
	world.off = flags;
	world_deliver();
}

static inline bool jif_in_irq(void)
{
	return world.in_irq;
}
