#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/avr-sei.sh - a pending interrupt comes after one instruction behind
# SEI on an AVR, in avr8js 0.21.1 after none, and in simavr 1.6 after two
#
# So firmware that lets interrupts in by SEI, CLI runs in avr8js, and not on its
# board. And one that idles by SEI, SLEEP, CLI runs there, but in simavr it
# never takes an interrupt that was pending before.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian simavr=1.6 libsimavr2=1.6 gcc-avr=1:5.4.0 binutils-avr=2.26 \
	avr-libc=1:2.0.0
node --version
npm_package avr8js 0.21.1

avr <<'END'
#include <util/delay_basic.h>

static volatile unsigned runs;

ISR(TIMER1_COMPA_vect)
{
	runs++;
}

/* The timer's interrupt is pending before each. */
#define LET_IN(name, code)                            \
	do {                                          \
		runs = 0;                             \
		_delay_loop_2(10000);                 \
		asm volatile("sei\n" code "cli");     \
		say("SEI, " name "CLI: runs", runs);  \
	} while (0)

void test(void)
{
	OCR1A = 9999;
	TIMSK1 = 1 << OCIE1A;
	TCCR1B = 1 << WGM12 | 1 << CS10;
	sleep_enable();
	LET_IN("", "");
	LET_IN("SLEEP, ", "sleep\n");
	LET_IN("NOP, ", "nop\n");
	LET_IN("NOP, NOP, ", "nop\nnop\n");
}
END
echo "avr8js:"
on_avr8js | saw "SEI, CLI: runs 1
SEI, SLEEP, CLI: runs 1
SEI, NOP, CLI: runs 1
SEI, NOP, NOP, CLI: runs 1
end" || exit
echo "simavr:"
on_simavr | saw "SEI, CLI: runs 0
SEI, SLEEP, CLI: runs 0
SEI, NOP, CLI: runs 0
SEI, NOP, NOP, CLI: runs 1
end" || exit 1
