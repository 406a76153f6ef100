/* SPDX-License-Identifier: MIT */
/*
 * lib/port/template/jif_port.h - an empty port: copy this folder and fill it in
 *
 * Each #error is a place to fill in. The next steps are in docs/porting.md.
 */
#ifndef JIF_LIB_PORT_TEMPLATE_H
#define JIF_LIB_PORT_TEMPLATE_H

#include <stdbool.h>
#include <stdint.h>

/* What tells whether interrupts were on: most often a status register. */
typedef uint32_t jif_irq_t;

/*
 * Reads the status and turns interrupts off, in this order. The memory clobber
 * keeps the compiler from moving accesses out of the part that is protected.
 */
static inline jif_irq_t jif_irq_save(void)
{
	jif_irq_t flags = 0;

#error "jif_irq_save(): read the status, turn interrupts off"
	__asm__ volatile("" : : : "memory");
	return flags;
}

/*
 * Puts the status back; never just turns interrupts on: calls nest. If a
 * handler that waits may miss its chance when jif_irq_save() follows at once,
 * as on Cortex-M, define jif_irq_window() too.
 */
static inline void jif_irq_restore(jif_irq_t flags)
{
#error "jif_irq_restore(): put the status back"
	__asm__ volatile("" : : : "memory");
}

/* Asks the machine or, where it does not tell, what jif_irq_enter() counts. */
static inline bool jif_in_irq(void)
{
#error "jif_in_irq(): return whether a handler runs"
}

#endif
