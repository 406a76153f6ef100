/* SPDX-License-Identifier: MIT */
/* docs/examples/kernels/mynewt/jif_port.h - Mynewt: its critical section */
#ifndef JIF_LIB_PORT_MYNEWT_H
#define JIF_LIB_PORT_MYNEWT_H

#include <os/mynewt.h>
#include <stdbool.h>

#define JIF_PORT_COUNTS 1
#define JIF_PORT_KERNEL 1

typedef os_sr_t jif_irq_t;

static inline jif_irq_t jif_irq_save(void)
{
	return os_arch_save_sr();
}

static inline void jif_irq_restore(jif_irq_t flags)
{
	os_arch_restore_sr(flags);
}

/* Never, on the native board: only checks of CONFIG_JIF_DEBUG miss that. */
static inline bool jif_in_irq(void)
{
	return os_arch_in_isr();
}

#endif
