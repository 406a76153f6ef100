/* SPDX-License-Identifier: MIT */
/* lib/port/none/jif_port.h - no interrupts: one thread, no handlers */
#ifndef JIF_LIB_PORT_NONE_H
#define JIF_LIB_PORT_NONE_H

#include <stdbool.h>
#include <stdint.h>

/* Nothing comes between two accesses. */
#define JIF_HAS_IRQ 0

typedef unsigned char jif_irq_t;

static inline jif_irq_t jif_irq_save(void)
{
	return 0;
}

static inline void jif_irq_restore(jif_irq_t flags)
{
	(void)flags;
}

static inline bool jif_in_irq(void)
{
	return false;
}

#endif
