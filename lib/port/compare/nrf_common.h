/* SPDX-License-Identifier: MIT */
/*
 * lib/port/compare/nrf_common.h - what RTC and TIMER of an nRF have in common
 *
 * NRF_BASE is the address.
 */
#ifndef JIF_LIB_PORT_COMPARE_NRF_COMMON_H
#define JIF_LIB_PORT_COMPARE_NRF_COMMON_H

/* A peripheral's interrupt has the number of its place. */
#define JIF_COMPARE_IRQ (NRF_BASE >> 12 & 0x3f)
#include "nvic.h"

#define NRF_START	 (NRF_BASE + 0x000)
#define NRF_STOP	 (NRF_BASE + 0x004)
#define NRF_COMPARE0	 (NRF_BASE + 0x140)
#define NRF_INTENSET	 (NRF_BASE + 0x304)
#define NRF_INTENCLR	 (NRF_BASE + 0x308)
#define NRF_CC0		 (NRF_BASE + 0x540)

#define NRF_INT_COMPARE0 (UINT32_C(1) << 16)

static inline void jif_compare_set(uint32_t at)
{
	jif_reg_write(NRF_CC0, at);
	jif_reg_write(NRF_COMPARE0, 0);
	jif_nvic_clear(NRF_COMPARE0);
}

static inline void jif_nrf_start(void)
{
	jif_reg_write(NRF_INTENSET, NRF_INT_COMPARE0);
	jif_nvic_enable();
	jif_reg_write(NRF_START, 1);
}

static inline void jif_compare_disable(void)
{
	jif_reg_write(NRF_STOP, 1);
	jif_reg_write(NRF_INTENCLR, NRF_INT_COMPARE0);
	jif_reg_write(NRF_COMPARE0, 0);
	jif_nvic_disable(NRF_COMPARE0);
}

#endif
