#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/avr8js-tccr1b.sh - in avr8js 0.21.1, each write of TCCR1B begins a
# new count of an AVR's prescaler
#
# The data sheet of the ATmega328P (Timer/Counter0 and 1 prescalers) has it run
# free, whatever the clock select bits are. A driver that writes TCCR1B more
# often than the prescaler ticks, say for the edge of an input capture, has a
# timer that stands still here, and not in simavr.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian simavr=1.6 libsimavr2=1.6 gcc-avr=1:5.4.0 binutils-avr=2.26 \
	avr-libc=1:2.0.0
node --version
npm_package avr8js 0.21.1

avr <<'END'
#include <util/delay_basic.h>

void test(void)
{
	TCCR1B = 1 << CS12 | 1 << CS10; /* 1,024 cycles */
	for (unsigned writes = 0; writes < 100; writes++) {
		_delay_loop_2(250);
		TCCR1B ^= 1 << ICES1;
	}
	say("100 writes, 1,000 cycles between them, TCNT1:", TCNT1);
}
END
echo "avr8js:"
on_avr8js | saw "100 writes, 1,000 cycles between them, TCNT1: 0
end" || exit
echo "simavr:"
on_simavr | saw "100 writes, 1,000 cycles between them, TCNT1: 98
end" || exit 1
