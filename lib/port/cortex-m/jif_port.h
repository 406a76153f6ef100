/* SPDX-License-Identifier: MIT */
/*
 * lib/port/cortex-m/jif_port.h - Arm v6-M, v7-M and v8-M: PRIMASK
 */
#ifndef JIF_LIB_PORT_CORTEX_M_H
#define JIF_LIB_PORT_CORTEX_M_H

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t jif_irq_t;

static inline jif_irq_t jif_irq_save(void)
{
	jif_irq_t flags;

	__asm__ volatile("mrs %0, primask\n\tcpsid i"
			 : "=r"(flags)
			 :
			 : "memory");
	return flags;
}

static inline void jif_irq_restore(jif_irq_t flags)
{
	__asm__ volatile("msr primask, %0" : : "r"(flags) : "memory");
}

/*
 * A pending interrupt is sure to be taken only at the ISB. PRIMASK afterwards
 * is what it was, so there is nothing to read back.
 */
static inline jif_irq_t jif_irq_window(jif_irq_t flags)
{
	__asm__ volatile("msr primask, %0\n\tisb\n\tcpsid i"
			 :
			 : "r"(flags)
			 : "memory");
	return flags;
}
#define jif_irq_window jif_irq_window

static inline bool jif_in_irq(void)
{
	uint32_t exception;

	__asm__ volatile("mrs %0, ipsr" : "=r"(exception));
	return exception;
}

#endif
