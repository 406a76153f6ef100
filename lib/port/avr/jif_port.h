/* SPDX-License-Identifier: MIT */
/* lib/port/avr/jif_port.h - AVR: the I bit of SREG */
#ifndef JIF_LIB_PORT_AVR_H
#define JIF_LIB_PORT_AVR_H

#include <stdbool.h>
#include <stdint.h>

typedef uint8_t jif_irq_t;

extern volatile uint8_t jif_irq_depth;

static inline jif_irq_t jif_irq_save(void)
{
	jif_irq_t flags;

	__asm__ volatile("in %0, 0x3f\n\tcli" : "=r"(flags) : : "memory");
	return flags;
}

/*
 * An interrupt is taken after the instruction that follows, and in simavr after
 * the second one: the nop, and the first one of jif_irq_save(). SREG is 0x3f.
 */
static inline void jif_irq_restore(jif_irq_t flags)
{
	__asm__ volatile("out 0x3f, %0\n\tnop" : : "r"(flags) : "memory");
}

static inline bool jif_in_irq(void)
{
	return jif_irq_depth;
}

#endif
