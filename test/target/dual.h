/* SPDX-License-Identifier: MIT */
/*
 * test/target/dual.h - the dual timer of an MPS2, for CONFIG_JIF_COMPARE: one
 * half is the counter, and the other one counts down to the match
 */
#pragma once

#define JIF_COMPARE_IRQ 10
#include "../../lib/port/compare/nvic.h"

#define JIF_COMPARE_BITS   32
#define JIF_COMPARE_SEEN   1
#define JIF_COMPARE_LEAD   200
#define JIF_COMPARE_VECTOR TIMER2_IRQHandler

#define DUAL_VALUE1	   UINT32_C(0x40002004)
#define DUAL_CONTROL1	   UINT32_C(0x40002008)
#define DUAL_LOAD2	   UINT32_C(0x40002020)
#define DUAL_CONTROL2	   UINT32_C(0x40002028)
#define DUAL_INTCLR2	   UINT32_C(0x4000202c)

#define DUAL_ONESHOT	   0x01u
#define DUAL_BITS_32	   0x02u
#define DUAL_INTEN	   0x20u
#define DUAL_ENABLE	   0x80u

static inline uint32_t jif_compare_read(void)
{
	return ~jif_reg_read(DUAL_VALUE1);
}

static inline void jif_compare_set(uint32_t at)
{
	jif_reg_write(DUAL_CONTROL2, 0);
	jif_reg_write(DUAL_LOAD2, at - jif_compare_read());
	jif_reg_write(DUAL_INTCLR2, 1);
	jif_nvic_clear(DUAL_CONTROL2);
	jif_reg_write(DUAL_CONTROL2,
		      DUAL_ENABLE | DUAL_INTEN | DUAL_BITS_32 | DUAL_ONESHOT);
}

static inline void jif_compare_enable(void)
{
	jif_reg_write(DUAL_CONTROL1, DUAL_ENABLE | DUAL_BITS_32);
	jif_nvic_enable();
}

static inline void jif_compare_disable(void)
{
	jif_reg_write(DUAL_CONTROL1, 0);
	jif_reg_write(DUAL_CONTROL2, 0);
	jif_nvic_disable(DUAL_CONTROL2);
}
