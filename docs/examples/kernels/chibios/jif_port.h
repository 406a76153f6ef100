/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/kernels/chibios/jif_port.h - ChibiOS/RT: its system lock
 *
 * chSysLock() does not nest, and has another form in handlers. These calls take
 * it once, and let a thread run that was woken meanwhile.
 */
#ifndef JIF_LIB_PORT_CHIBIOS_H
#define JIF_LIB_PORT_CHIBIOS_H

#include <ch.h>
#include <stdbool.h>

#define JIF_PORT_COUNTS 1
#define JIF_PORT_KERNEL 1

typedef syssts_t jif_irq_t;

static inline bool jif_in_irq(void)
{
	return port_is_isr_context();
}

static inline jif_irq_t jif_irq_save(void)
{
	jif_irq_t was = port_get_irq_status();

	if (!port_irq_enabled(was))
		return was;
	if (jif_in_irq())
		chSysLockFromISR();
	else
		chSysLock();
	return was;
}

static inline void jif_irq_restore(jif_irq_t was)
{
	if (!port_irq_enabled(was))
		return;
	if (jif_in_irq()) {
		chSysUnlockFromISR();
	} else {
		chSchRescheduleS();
		chSysUnlock();
	}
}

#endif
