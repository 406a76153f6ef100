/* SPDX-License-Identifier: MIT */
/* lib/port/riscv/jif_port.h - RV32, machine mode: mstatus.MIE */
#ifndef JIF_LIB_PORT_RISCV_H
#define JIF_LIB_PORT_RISCV_H

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t jif_irq_t;

extern volatile uint8_t jif_irq_depth;

static inline jif_irq_t jif_irq_save(void)
{
	jif_irq_t flags;

	__asm__ volatile("csrrci %0, mstatus, 8" : "=r"(flags) : : "memory");
	return flags & 8;
}

static inline void jif_irq_restore(jif_irq_t flags)
{
	__asm__ volatile("csrs mstatus, %0" : : "r"(flags) : "memory");
}

static inline bool jif_in_irq(void)
{
	return jif_irq_depth;
}

/* Lets these sources of interrupts through: bits of mie. */
static inline void jif_irq_enable(uint32_t sources)
{
	__asm__ volatile("csrs mie, %0" : : "r"(sources) : "memory");
}

#endif
