/* SPDX-License-Identifier: MIT */
/* Arduino Uno, without Arduino: the LED is PB5. */
#include <avr/io.h>

static void led_init(void)
{
	DDRB |= 1 << 5;
}

static void led_set(bool on)
{
	if (on)
		PORTB |= 1 << 5;
	else
		PORTB &= (uint8_t) ~(1 << 5);
}
