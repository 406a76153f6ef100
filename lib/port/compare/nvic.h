/* SPDX-License-Identifier: MIT */
/*
 * lib/port/compare/nvic.h - the interrupt controller of Arm v6-M, v7-M and v8-M
 *
 * Arm v7-M and v6-M manuals, B3.4. The timer's interrupt is JIF_COMPARE_IRQ.
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

static inline void jif_nvic_write(uint32_t registers)
{
	jif_reg_write(registers + JIF_COMPARE_IRQ / 32 * 4,
		      UINT32_C(1) << JIF_COMPARE_IRQ % 32);
}

/*
 * After a reset its priority is above BASEPRI, which would not keep it out. A
 * product may make it less urgent. v6-M has neither BASEPRI nor bytes here.
 */
static inline void jif_nvic_enable(void)
{
	if (CONFIG_JIF_CORTEX_M_BASEPRI)
		jif_reg_write8(NVIC_IPR + JIF_COMPARE_IRQ,
			       CONFIG_JIF_CORTEX_M_BASEPRI);
	jif_nvic_write(NVIC_ISER);
}

/*
 * A pending interrupt stays so, though the timer took its request back. That
 * has to have got there: a read of @flag, the register it was written to, waits
 * for it. Or the interrupt would be pending again at once.
 */
static inline void jif_nvic_clear(uint32_t flag)
{
	(void)jif_reg_read(flag);
	jif_nvic_write(NVIC_ICPR);
}

static inline void jif_nvic_disable(uint32_t flag)
{
	jif_nvic_write(NVIC_ICER);
	jif_nvic_clear(flag);
}

static inline void jif_compare_pend(void)
{
	jif_nvic_write(NVIC_ISPR);
}

#endif
