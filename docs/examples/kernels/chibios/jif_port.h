/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/kernels/chibios/jif_port.h - ChibiOS/RT: its system lock
 *
 * chSysLock() does not nest. These calls do, and look for a more urgent thread
 * when the last one restores.
 */
#ifndef JIF_LIB_PORT_CHIBIOS_H
#define JIF_LIB_PORT_CHIBIOS_H

#include <ch.h>
#include <stdbool.h>

#define JIF_PORT_COUNTS 1
#define JIF_PORT_KERNEL 1

typedef syssts_t jif_irq_t;

static inline jif_irq_t jif_irq_save(void)
{
	return chSysGetStatusAndLockX();
}

static inline void jif_irq_restore(jif_irq_t flags)
{
	chSysRestoreStatusX(flags);
}

static inline bool jif_in_irq(void)
{
	return port_is_isr_context();
}

#endif
