/* SPDX-License-Identifier: MIT */
/*
 * lib/port/compare/rp2040.h - RP2040: the timer's ALARM0, 1 MHz
 *
 * RP2040 Datasheet, 4.6 "Timer". An alarm compares the lower 32 of the
 * counter's 64 bits, once: writing ALARM0 arms it. TIMERAWL shows these bits,
 * and unlike TIMELR keeps nothing for the other core. Both cores and the other
 * alarms share INTE: it is changed through the aliases of 2.1.2, bit by bit.
 *
 * JIF_COMPARE_VECTOR is another name for the handler. The Pico SDK's crt0.S has
 * isr_irq0; with cmsis_core, rename_exceptions.h makes it TIMER_IRQ_0_Handler.
 */
#ifndef JIF_LIB_PORT_COMPARE_RP2040_H
#define JIF_LIB_PORT_COMPARE_RP2040_H

#define JIF_COMPARE_IRQ 0
#include "nvic.h"

#define JIF_COMPARE_BITS 32
#define JIF_COMPARE_SEEN 1
#define JIF_COMPARE_LEAD 10

#if !defined(JIF_COMPARE_VECTOR)
#if defined(LIB_CMSIS_CORE)
#define JIF_COMPARE_VECTOR TIMER_IRQ_0_Handler
#else
#define JIF_COMPARE_VECTOR isr_irq0
#endif
#endif

#define TIMER_BASE     UINT32_C(0x40054000)
#define TIMER_ALARM0   (TIMER_BASE + 0x10)
#define TIMER_ARMED    (TIMER_BASE + 0x20)
#define TIMER_TIMERAWL (TIMER_BASE + 0x28)
#define TIMER_INTR     (TIMER_BASE + 0x34)
#define TIMER_INTE     (TIMER_BASE + 0x38)

/* Aliases of each register: a write sets or clears the bits that are 1. */
#define ALIAS_SET   UINT32_C(0x2000)
#define ALIAS_CLEAR UINT32_C(0x3000)

#define ALARM0_BIT  UINT32_C(1)

static inline uint32_t jif_compare_read(void)
{
	return jif_reg_read(TIMER_TIMERAWL);
}

static inline void jif_compare_set(uint32_t at)
{
	jif_reg_write(TIMER_ALARM0, at);
	jif_reg_write(TIMER_INTR, ALARM0_BIT);
	jif_nvic_clear(TIMER_INTR);
}

/* The counter runs as soon as the watchdog makes its tick: 4.7.2. */
static inline void jif_compare_enable(void)
{
	jif_reg_write(TIMER_INTE + ALIAS_SET, ALARM0_BIT);
	jif_nvic_enable();
}

static inline void jif_compare_disable(void)
{
	jif_reg_write(TIMER_INTE + ALIAS_CLEAR, ALARM0_BIT);
	jif_reg_write(TIMER_ARMED, ALARM0_BIT);
	jif_reg_write(TIMER_INTR, ALARM0_BIT);
	jif_nvic_disable(TIMER_INTR);
}

#endif
