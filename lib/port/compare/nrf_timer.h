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
 * nRF51, 16 but for TIMER0.
 */
#ifndef JIF_LIB_PORT_COMPARE_NRF_TIMER_H
#define JIF_LIB_PORT_COMPARE_NRF_TIMER_H

#include <jif/config.h>
#include <jif/types.h>

#include "nvic.h"

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

#define TIMER_START	 (JIF_NRF_TIMER + 0x000)
#define TIMER_STOP	 (JIF_NRF_TIMER + 0x004)
#define TIMER_CAPTURE1	 (JIF_NRF_TIMER + 0x044)
#define TIMER_COMPARE0	 (JIF_NRF_TIMER + 0x140)
#define TIMER_INTENSET	 (JIF_NRF_TIMER + 0x304)
#define TIMER_INTENCLR	 (JIF_NRF_TIMER + 0x308)
#define TIMER_BITMODE	 (JIF_NRF_TIMER + 0x508)
#define TIMER_PRESCALER	 (JIF_NRF_TIMER + 0x510)
#define TIMER_CC0	 (JIF_NRF_TIMER + 0x540)
#define TIMER_CC1	 (JIF_NRF_TIMER + 0x544)

#define TIMER_INT0	 (UINT32_C(1) << 16)
#define TIMER_IRQ	 (JIF_NRF_TIMER >> 12 & 0x3f)

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

static inline void jif_compare_set(uint32_t at)
{
	jif_reg_write(TIMER_CC0, at);
	jif_reg_write(TIMER_COMPARE0, 0);
	jif_nvic_clear(TIMER_IRQ, TIMER_COMPARE0);
}

static inline void jif_compare_pend(void)
{
	jif_nvic_pend(TIMER_IRQ);
}

static inline void jif_compare_enable(void)
{
	jif_reg_write(TIMER_BITMODE, JIF_COMPARE_BITS == 16 ? 0 :
				     JIF_COMPARE_BITS == 24 ? 2 :
							      3);
	jif_reg_write(TIMER_PRESCALER, PRESCALER);
	jif_reg_write(TIMER_INTENSET, TIMER_INT0);
	jif_nvic_enable(TIMER_IRQ);
	jif_reg_write(TIMER_START, 1);
}

static inline void jif_compare_disable(void)
{
	jif_reg_write(TIMER_STOP, 1);
	jif_reg_write(TIMER_INTENCLR, TIMER_INT0);
	jif_reg_write(TIMER_COMPARE0, 0);
	jif_nvic_disable(TIMER_IRQ, TIMER_COMPARE0);
}

#endif
