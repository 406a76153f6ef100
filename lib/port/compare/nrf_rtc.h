/* SPDX-License-Identifier: MIT */
/*
 * lib/port/compare/nrf_rtc.h - nRF51, nRF52, nRF91: RTC, 24 bits, 32,768 Hz
 *
 * nRF52832 Product Specification v1.1, "RTC - Real-time counter", "Compare
 * feature": while COUNTER is N, a CC of N + 2 is sure to be seen, one of N or
 * N + 1 may not be; and an older CC of N + 1 or N + 2 may be seen still.
 *
 * JIF_NRF_RTC is another one's address; RTC0 belongs to Nordic's radio stacks.
 */
#ifndef JIF_LIB_PORT_COMPARE_NRF_RTC_H
#define JIF_LIB_PORT_COMPARE_NRF_RTC_H

#include "nvic.h"

#ifndef JIF_NRF_RTC
#define JIF_NRF_RTC	   0x40011000u
#define JIF_COMPARE_VECTOR RTC1_IRQHandler
#endif

#define JIF_COMPARE_BITS 24
#define JIF_COMPARE_SEEN 2
#define JIF_COMPARE_LEAD 4

#define RTC_START	 (JIF_NRF_RTC + 0x000)
#define RTC_STOP	 (JIF_NRF_RTC + 0x004)
#define RTC_COMPARE0	 (JIF_NRF_RTC + 0x140)
#define RTC_INTENSET	 (JIF_NRF_RTC + 0x304)
#define RTC_INTENCLR	 (JIF_NRF_RTC + 0x308)
#define RTC_COUNTER	 (JIF_NRF_RTC + 0x504)
#define RTC_CC0		 (JIF_NRF_RTC + 0x540)

#define RTC_INT_COMPARE0 (UINT32_C(1) << 16)

/* A peripheral's interrupt has the number of its place. */
#define RTC_IRQ (JIF_NRF_RTC >> 12 & 0x3f)

static inline uint32_t jif_compare_read(void)
{
	return jif_reg_read(RTC_COUNTER);
}

static inline void jif_compare_set(uint32_t at)
{
	jif_reg_write(RTC_CC0, at);
	jif_reg_write(RTC_COMPARE0, 0);
	jif_nvic_clear(RTC_IRQ, RTC_COMPARE0);
}

static inline void jif_compare_pend(void)
{
	jif_nvic_pend(RTC_IRQ);
}

static inline void jif_compare_enable(void)
{
	jif_reg_write(RTC_INTENSET, RTC_INT_COMPARE0);
	jif_nvic_enable(RTC_IRQ);
	jif_reg_write(RTC_START, 1);
}

static inline void jif_compare_disable(void)
{
	jif_reg_write(RTC_STOP, 1);
	jif_reg_write(RTC_INTENCLR, RTC_INT_COMPARE0);
	jif_reg_write(RTC_COMPARE0, 0);
	jif_nvic_disable(RTC_IRQ, RTC_COMPARE0);
}

#endif
