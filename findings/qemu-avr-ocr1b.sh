#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/qemu-avr-ocr1b.sh - in QEMU 7.2, an AVR's compare unit B does not
# match where A does, and unit C matches where B would
#
# On the chip, each unit compares for itself. Two timers in software that share
# an AVR's, one for each unit, lose one of them here when they fall on the same
# count. And on an ATmega2560, OCR1C has no effect.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian qemu-system-misc=1:7.2 gcc-avr=1:5.4.0 binutils-avr=2.26 \
	avr-libc=1:2.0.0

avr atmega2560 <<'END'
#include <util/delay_basic.h>

static volatile unsigned a_runs;
static volatile unsigned b_runs;
static volatile unsigned c_runs;

ISR(TIMER1_COMPA_vect)
{
	a_runs++;
}

ISR(TIMER1_COMPB_vect)
{
	b_runs++;
}

ISR(TIMER1_COMPC_vect)
{
	c_runs++;
}

static void pass(unsigned count)
{
	while (TCNT1 < count)
		_delay_loop_2(0);
}

void test(void)
{
	sei();
	TIMSK1 = 1 << OCIE1A | 1 << OCIE1B;
	OCR1A = 10000;
	OCR1B = 10000;
	TCCR1B = 1 << CS12;
	pass(40000);
	say("OCR1A and OCR1B are 10,000, runs of A at 40,000:", a_runs);
	say("runs of B:", b_runs);

	TCCR1B = 0;
	TIMSK1 = 1 << OCIE1C;
	OCR1C = 10000;
	OCR1B = 50000;
	TCCR1B = 1 << CS12;
	pass(40000);
	say("OCR1C is 10,000, OCR1B 50,000, runs of C at 40,000:", c_runs);
	while (!c_runs)
		_delay_loop_2(0);
	say("when it runs, TCNT1 is over 50,000:", TCNT1 >= 50000);
}
END
on_qemu mega2560 | saw "OCR1A and OCR1B are 10,000, runs of A at 40,000: 1
runs of B: 0
OCR1C is 10,000, OCR1B 50,000, runs of C at 40,000: 0
when it runs, TCNT1 is over 50,000: 1
end" || exit 1
