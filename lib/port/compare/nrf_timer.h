/* SPDX-License-Identifier: MIT */
/*
 * lib/port/compare/nrf_timer.h - nRF51, nRF52: TIMER, 16 MHz to 31,250 Hz
 *
 * nRF51 Series Reference Manual v3.0, 18 "Timer/counter (TIMER)". COMPARE[0] is
 * set when the counter, as it counts, becomes equal to CC[0]. The counter is
 * read by having it copied to CC[1]. It stops when the high-frequency clock
 * does: for a deeper sleep, take nrf_rtc.h.
 *
 * JIF_NRF_TIMER is another one's address, JIF_NRF_TIMER_BITS its width: on an
 * nRF51, 16 for all except TIMER0.
 */
#ifndef JIF_LIB_PORT_COMPARE_NRF_TIMER_H
#define JIF_LIB_PORT_COMPARE_NRF_TIMER_H

#include <jif/types.h>

#ifndef JIF_NRF_TIMER
#define JIF_NRF_TIMER	   0x4000a000u
#define JIF_COMPARE_VECTOR TIMER2_IRQHandler
#endif
#ifndef JIF_NRF_TIMER_BITS
#define JIF_NRF_TIMER_BITS 16
#endif

#define JIF_COMPARE_BITS JIF_NRF_TIMER_BITS
#define JIF_COMPARE_SEEN 1
/* Two, and what the calls take: 8 microseconds. */
#define JIF_COMPARE_LEAD (CONFIG_JIF_CLOCK_HZ / 125000 + 2)

#define NRF_BASE	 JIF_NRF_TIMER
#include "nrf_common.h"

#define TIMER_CAPTURE1	(JIF_NRF_TIMER + 0x044)
#define TIMER_BITMODE	(JIF_NRF_TIMER + 0x508)
#define TIMER_PRESCALER (JIF_NRF_TIMER + 0x510)
#define TIMER_CC1	(JIF_NRF_TIMER + 0x544)

/* 16 MHz are divided by a power of 2, up to 512. */
#define DIVISOR (16000000 / CONFIG_JIF_CLOCK_HZ)
#define PRESCALER                                                              \
	((DIVISOR >= 2) + (DIVISOR >= 4) + (DIVISOR >= 8) + (DIVISOR >= 16) +  \
	 (DIVISOR >= 32) + (DIVISOR >= 64) + (DIVISOR >= 128) +                \
	 (DIVISOR >= 256) + (DIVISOR >= 512))

JIF_STATIC_ASSERT(16000000 >> PRESCALER == CONFIG_JIF_CLOCK_HZ,
		  "TIMER divides 16 MHz by a power of 2, up to 512");

static inline uint32_t jif_compare_read(void)
{
	jif_reg_write(TIMER_CAPTURE1, 1);
	return jif_reg_read(TIMER_CC1);
}

static inline void jif_compare_enable(void)
{
	jif_reg_write(TIMER_BITMODE, JIF_COMPARE_BITS == 16 ? 0 :
				     JIF_COMPARE_BITS == 24 ? 2 :
							      3);
	jif_reg_write(TIMER_PRESCALER, PRESCALER);
	jif_nrf_start();
}

#endif
