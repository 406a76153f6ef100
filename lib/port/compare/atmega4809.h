/* SPDX-License-Identifier: MIT */
/*
 * lib/port/compare/atmega4809.h - ATmega4809 and its like: RTC, 16 bits
 *
 * megaAVR 0-Series Manual DS40002015A, 21 "Real-Time Counter (RTC)":
 * - 21.10: the counter has a clock of its own; CMP and CTRLA may be written
 *   when STATUS does not call them busy, and take effect two clocks later;
 * - the interrupt comes with the count after the one that equals CMP (TB3213);
 * - 21.9: it goes on in Standby as RUNSTDBY is set. A 16-bit register is read
 *   and written low byte first; TEMP holds the other.
 *
 * The product chooses the clock in CLKSEL, the prescaler in CTRLA and the sleep
 * in SLPCTRL. No software can request the interrupt: jif_compare_pend() has the
 * counter do it, as soon as it can.
 */
#ifndef JIF_LIB_PORT_COMPARE_ATMEGA4809_H
#define JIF_LIB_PORT_COMPARE_ATMEGA4809_H

#include "reg.h"

#define JIF_COMPARE_BITS   16
#define JIF_COMPARE_SEEN   2
#define JIF_COMPARE_LEAD   6
#define JIF_COMPARE_VECTOR __vector_3

#define RTC_CTRLA	   0x0140
#define RTC_STATUS	   0x0141
#define RTC_INTCTRL	   0x0142
#define RTC_INTFLAGS	   0x0143
#define RTC_CNTL	   0x0148
#define RTC_CNTH	   0x0149
#define RTC_CMPL	   0x014c
#define RTC_CMPH	   0x014d

#define RTC_RTCEN	   0x01
#define RTC_RUNSTDBY	   0x80
#define RTC_CTRLABUSY	   0x01
#define RTC_CMPBUSY	   0x08

/* In INTCTRL and INTFLAGS. */
#define RTC_CMP 0x02

static inline uint32_t jif_compare_read(void)
{
	uint8_t low = jif_reg_read8(RTC_CNTL);

	return (uint32_t)jif_reg_read8(RTC_CNTH) << 8 | low;
}

static inline void jif_compare_settle(uint8_t busy)
{
	while (jif_reg_read8(RTC_STATUS) & busy)
		;
}

static inline void jif_compare_set(uint32_t at)
{
	at--;
	jif_reg_write8(RTC_CMPL, (uint8_t)at);
	jif_reg_write8(RTC_CMPH, (uint8_t)(at >> 8));
	jif_compare_settle(RTC_CMPBUSY);
	jif_reg_write8(RTC_INTFLAGS, RTC_CMP);
}

static inline void jif_compare_pend(void)
{
	uint16_t at;

	do {
		at = (uint16_t)(jif_compare_read() + JIF_COMPARE_LEAD);
		jif_compare_set(at);
	} while ((uint16_t)(at - jif_compare_read() - JIF_COMPARE_SEEN) >=
		 JIF_COMPARE_LEAD);
}

static inline void jif_compare_enable(void)
{
	uint8_t prescaler = jif_reg_read8(RTC_CTRLA);

	jif_reg_write8(RTC_INTCTRL, RTC_CMP);
	jif_reg_write8(RTC_CTRLA, prescaler | RTC_RUNSTDBY | RTC_RTCEN);
	jif_compare_settle(RTC_CTRLABUSY);
}

static inline void jif_compare_disable(void)
{
	uint8_t control;

	jif_compare_settle(RTC_CTRLABUSY | RTC_CMPBUSY);
	control = jif_reg_read8(RTC_CTRLA);
	jif_reg_write8(RTC_CTRLA, control & (uint8_t)~RTC_RTCEN);
	jif_compare_settle(RTC_CTRLABUSY);
	jif_reg_write8(RTC_INTCTRL, 0);
	jif_reg_write8(RTC_INTFLAGS, RTC_CMP);
}

#endif
