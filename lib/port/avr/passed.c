/* SPDX-License-Identifier: MIT */
/*
 * lib/port/avr/passed.c - the ticks that have passed but are not counted yet
 */
#include "passed.h"

#include <avr/io.h>
#include <jif/types.h>

/* Of a long time, so many ticks at once: there is no division. */
#define STRIDE (JIF_AVR_COUNTS < 4096 ? 16 : 1)

JIF_STATIC_ASSERT(CONFIG_JIF_CLOCK_HZ % CONFIG_JIF_HZ == 0 &&
			  CONFIG_JIF_CLOCK_HZ / CONFIG_JIF_HZ %
					  CONFIG_JIF_AVR_PRESCALER ==
				  0,
		  "a tick must be a whole number of counts");
JIF_STATIC_ASSERT(CONFIG_JIF_CLOCK_HZ / CONFIG_JIF_HZ /
				  CONFIG_JIF_AVR_PRESCALER <
			  32768,
		  "a tick must fit the counter");

volatile bool jif_avr_asleep;
uint16_t jif_avr_last;

uint16_t jif_avr_passed(void)
{
	uint16_t counts = TCNT1 - jif_avr_last;
	uint16_t ticks = 0;

	while (counts >= STRIDE * JIF_AVR_COUNTS) {
		counts -= STRIDE * JIF_AVR_COUNTS;
		ticks += STRIDE;
	}
	while (counts >= JIF_AVR_COUNTS) {
		counts -= JIF_AVR_COUNTS;
		ticks++;
	}
	return ticks;
}
