/* SPDX-License-Identifier: MIT */
/* docs/examples/kernels/riot/jif_port.h - RIOT: irq_disable, which nests */
#ifndef JIF_LIB_PORT_RIOT_H
#define JIF_LIB_PORT_RIOT_H

#include <irq.h>
#include <stdbool.h>

#define JIF_PORT_COUNTS 1
#define JIF_PORT_KERNEL 1

typedef unsigned jif_irq_t;

static inline jif_irq_t jif_irq_save(void)
{
	return irq_disable();
}

static inline void jif_irq_restore(jif_irq_t flags)
{
	irq_restore(flags);
}

static inline bool jif_in_irq(void)
{
	return irq_is_in();
}

#endif
