/* SPDX-License-Identifier: MIT */
/*
 * test/target/chips/avr.c - ATmega328P, 1284P and 2560: INT0, and GPIOR0, from
 * which the emulator takes six bytes for what is said
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <jif/port.h>

#include "chips.h"

/* At each edge. */
void chip_begin(void)
{
	EICRA = _BV(ISC00);
	EIMSK = _BV(INT0);
	sei();
}

void chip_say(enum what what, unsigned timer, uint32_t value)
{
	GPIOR0 = (uint8_t)what;
	GPIOR0 = (uint8_t)timer;
	for (uint8_t i = 0; i < 4; i++) {
		GPIOR0 = (uint8_t)value;
		value >>= 8;
	}
}

ISR(INT0_vect)
{
	jif_irq_enter();
	disturb();
	jif_irq_exit();
}
