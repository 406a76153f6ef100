/* SPDX-License-Identifier: MIT */
/*
 * lib/port/compare/nvic.h - the interrupt controller of Arm v6-M, v7-M and v8-M
 *
 * Armv7-M Architecture Reference Manual, B3.4; Armv6-M, B3.4.
 */
#ifndef JIF_LIB_PORT_COMPARE_NVIC_H
#define JIF_LIB_PORT_COMPARE_NVIC_H

#include <jif/config.h>

#include "reg.h"

#define NVIC_ISER UINT32_C(0xe000e100)
#define NVIC_ICER UINT32_C(0xe000e180)
#define NVIC_ISPR UINT32_C(0xe000e200)
#define NVIC_ICPR UINT32_C(0xe000e280)
#define NVIC_IPR  UINT32_C(0xe000e400)

static inline void jif_nvic_write(uint32_t registers, unsigned irq)
{
	jif_reg_write(registers + irq / 32 * 4, UINT32_C(1) << irq % 32);
}

/*
 * After a reset its priority is above BASEPRI, which would not keep it out. A
 * product may make it less urgent. v6-M has neither BASEPRI nor bytes here.
 */
static inline void jif_nvic_enable(unsigned irq)
{
	if (CONFIG_JIF_CORTEX_M_BASEPRI)
		jif_reg_write8(NVIC_IPR + irq, CONFIG_JIF_CORTEX_M_BASEPRI);
	jif_nvic_write(NVIC_ISER, irq);
}

/*
 * A pending interrupt stays so, though the timer took its request back. That
 * has to have got there: a read of @flag, the register it was written to, waits
 * for it. Or the interrupt would be pending again at once.
 */
static inline void jif_nvic_clear(unsigned irq, uint32_t flag)
{
	(void)jif_reg_read(flag);
	jif_nvic_write(NVIC_ICPR, irq);
}

static inline void jif_nvic_disable(unsigned irq, uint32_t flag)
{
	jif_nvic_write(NVIC_ICER, irq);
	jif_nvic_clear(irq, flag);
}

static inline void jif_nvic_pend(unsigned irq)
{
	jif_nvic_write(NVIC_ISPR, irq);
}

#endif
