/* SPDX-License-Identifier: MIT */
/*
 * lib/port/compare/nrf_rtc.h - nRF51, nRF52, nRF91: RTC, 24 bits, 32,768 Hz
 *
 * nRF52832 Product Specification v1.1, "RTC - Real-time counter", "Compare
 * feature": while COUNTER is N, a CC of N + 2 is sure to be seen. One of N or
 * N + 1 may not be, and an older CC of N + 1 or N + 2 may be seen still.
 *
 * JIF_NRF_RTC is another one's address; RTC0 belongs to Nordic's radio stacks.
 */
#ifndef JIF_LIB_PORT_COMPARE_NRF_RTC_H
#define JIF_LIB_PORT_COMPARE_NRF_RTC_H

#ifndef JIF_NRF_RTC
#define JIF_NRF_RTC	   0x40011000u
#define JIF_COMPARE_VECTOR RTC1_IRQHandler
#endif

#define JIF_COMPARE_BITS 24
#define JIF_COMPARE_SEEN 2
#define JIF_COMPARE_LEAD 4

#define NRF_BASE	 JIF_NRF_RTC
#include "nrf_common.h"

#define RTC_COUNTER (JIF_NRF_RTC + 0x504)

static inline uint32_t jif_compare_read(void)
{
	return jif_reg_read(RTC_COUNTER);
}

static inline void jif_compare_enable(void)
{
	jif_nrf_start();
}

#endif
