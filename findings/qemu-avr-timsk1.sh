#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/qemu-avr-timsk1.sh - in QEMU 7.2, an AVR's compare interrupt that is
# enabled after its timer was started does not come before the next overflow
#
# On the chip, TIMSK1 holds for each match that comes. A driver that masks its
# interrupt and lets it in again, or starts its timer and enables the interrupt
# last, loses a match here.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian qemu-system-misc=1:7.2 gcc-avr=1:5.4.0 binutils-avr=2.26 \
	avr-libc=1:2.0.0

avr <<'END'
#include <util/delay_basic.h>

static volatile unsigned runs;

ISR(TIMER1_COMPA_vect)
{
	runs++;
}

static void pass(unsigned count)
{
	while (TCNT1 < count)
		_delay_loop_2(0);
}

void test(void)
{
	sei();
	OCR1A = 30000;
	TCCR1B = 1 << CS12;
	pass(10000);
	TIMSK1 = 1 << OCIE1A;
	pass(60000);
	say("OCR1A is 30,000, enabled at 10,000, runs at 60,000:", runs);
	while (TCNT1 >= 60000)
		_delay_loop_2(0);
	pass(60000);
	say("runs at the next 60,000:", runs);
}
END
on_qemu uno | saw "OCR1A is 30,000, enabled at 10,000, runs at 60,000: 0
runs at the next 60,000: 1
end" || exit 1
