/* SPDX-License-Identifier: MIT */
/*
 * test/target/timer1.h - TIMER1 of an ATmega328P, for CONFIG_JIF_COMPARE: as
 * lib/port/avr has it, but for the interrupt, which no software can request
 */
#pragma once

#include <avr/interrupt.h>
#include <avr/io.h>
#include <jif/config.h>

#define JIF_COMPARE_BITS   16
#define JIF_COMPARE_SEEN   1
#define JIF_COMPARE_LEAD   20
#define JIF_COMPARE_VECTOR TIMER1_COMPA_vect

#define CLOCK_BY_64	   3

static inline uint32_t jif_compare_read(void)
{
	return TCNT1;
}

static inline void jif_compare_set(uint32_t at)
{
	OCR1A = (uint16_t)at;
	TIFR1 = _BV(OCF1A);
}

static inline void jif_compare_pend(void)
{
	jif_compare_set(TCNT1 + JIF_COMPARE_LEAD);
}

/* SE is the product's part, for the sleep. */
static inline void jif_compare_enable(void)
{
	SMCR = _BV(SE);
	TCCR1A = 0;
	TCCR1B = CLOCK_BY_64;
	TIMSK1 = _BV(OCIE1A);
}

static inline void jif_compare_disable(void)
{
	TCCR1B = 0;
	TIMSK1 = 0;
}
