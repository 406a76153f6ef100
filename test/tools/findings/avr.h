/* SPDX-License-Identifier: MIT */
/*
 * test/tools/findings/avr.h - a program for an ATmega328P, see lib.sh: it has
 * test(), and prints by say() on its USART
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>
#include <stdlib.h>

void test(void);

static void put(const char *text)
{
	for (; *text; text++) {
		while (!(UCSR0A & 1 << UDRE0))
			;
		UDR0 = *text;
	}
}

static void say(const char *what, unsigned value)
{
	char digits[6];

	put(what);
	put(" ");
	put(utoa(value, digits, 10));
	put("\n");
}

/* simavr ends when it sleeps without interrupts. */
int main(void)
{
	UCSR0B = 1 << TXEN0;
	test();
	put("end\n");
	cli();
	for (;;)
		sleep_mode();
}
