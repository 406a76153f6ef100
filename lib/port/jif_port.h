/* SPDX-License-Identifier: MIT */
/*
 * lib/port/jif_port.h - the port for this target, which jif/port.h describes
 *
 * JIF_PORT names the header of another one. Only programs on an operating
 * system get, unasked, the port without interrupts: on a bare machine, what is
 * to keep handlers out would do nothing, and nobody would notice.
 */
#ifndef JIF_LIB_PORT_H
#define JIF_LIB_PORT_H

#include <jif/compiler.h>
#include <jif/config.h>
#include <jif/port.h>

#if defined(JIF_PORT)
#include JIF_PORT
#elif CONFIG_JIF_PORT_SIM
#include "sim/jif_port.h"
#elif JIF_ON_SYSTEM &&                                                         \
	((defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M') ||         \
	 (defined(__riscv) && __riscv_xlen == 32))
#error "firmware needs -ffreestanding, a program JIF_PORT: see docs/porting.md"
#elif JIF_ON_SYSTEM
#include "none/jif_port.h"
#elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#include "cortex-m/jif_port.h"
#elif defined(__riscv) && __riscv_xlen == 32
#include "riscv/jif_port.h"
#elif defined(__AVR__)
#include "avr/jif_port.h"
#else
#error "no port for this machine: see docs/porting.md, and name one by JIF_PORT"
#endif

#ifndef JIF_HAS_IRQ
#define JIF_HAS_IRQ 1
#endif

/* 1: jif_now() has to call jif_port_count(). */
#ifndef JIF_PORT_COUNTS
#define JIF_PORT_COUNTS CONFIG_JIF_COMPARE
#endif

/* Does what jif_ticks() does, with interrupts off; for jif_port_count(). */
void jif_count(uint32_t ticks);

#ifndef jif_irq_window
static inline jif_irq_t jif_irq_window(jif_irq_t flags)
{
	jif_irq_restore(flags);
	return jif_irq_save();
}
#endif

#if CONFIG_JIF_SMP
#include "smp/jif_smp.h"
#endif

#endif
