/* SPDX-License-Identifier: MIT */
/*
 * lib/port/avr/passed.h - the ticks that have passed but are not counted yet
 */
#ifndef JIF_LIB_PORT_AVR_PASSED_H
#define JIF_LIB_PORT_AVR_PASSED_H

#include <jif/config.h>
#include <stdbool.h>
#include <stdint.h>

/* Counts of TIMER1 per tick. */
#define JIF_AVR_COUNTS                                                         \
	((uint16_t)(CONFIG_JIF_CLOCK_HZ / CONFIG_JIF_AVR_PRESCALER /           \
		    CONFIG_JIF_HZ))

/* Handlers run before the sleep is counted. */
extern volatile bool jif_avr_asleep;

/* What TIMER1 showed at the last tick that has been counted. */
extern uint16_t jif_avr_last;

/* With interrupts off: the ticks since then. */
uint16_t jif_avr_passed(void);

#endif
