/* SPDX-License-Identifier: MIT */
/* docs/examples/kernels/nuttx/jif_port.h - NuttX: its critical section nests */
#ifndef JIF_LIB_PORT_NUTTX_H
#define JIF_LIB_PORT_NUTTX_H

#include <nuttx/arch.h>
#include <nuttx/irq.h>
#include <stdbool.h>

#define JIF_PORT_COUNTS 1
#define JIF_PORT_KERNEL 1

typedef irqstate_t jif_irq_t;

static inline jif_irq_t jif_irq_save(void)
{
	return enter_critical_section();
}

static inline void jif_irq_restore(jif_irq_t flags)
{
	leave_critical_section(flags);
}

static inline bool jif_in_irq(void)
{
	return up_interrupt_context();
}

#endif
