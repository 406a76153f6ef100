#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/avr-tifr1.sh - in avr8js 0.21.1 and simavr 1.6, a write of TIFR1
# clears all of an AVR's flags, also those that are written as 0
#
# The data sheet of the ATmega328P has a flag cleared by a one in its bit, so
# that firmware can clear one of them. Here a driver that polls loses the
# overflow when it clears a match.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian simavr=1.6 libsimavr2=1.6 gcc-avr=1:5.4.0 binutils-avr=2.26 \
	avr-libc=1:2.0.0
node --version
npm_package avr8js 0.21.1

avr <<'END'
static void flags(const char *when)
{
	say(when, TIFR1 >> OCF1A & 1);
	say("TOV1:", TIFR1 >> TOV1 & 1);
}

void test(void)
{
	OCR1A = 1000;
	TCCR1B = 1 << CS10;
	while (!(TIFR1 & 1 << TOV1))
		;
	TCCR1B = 0;
	flags("after an overflow, OCF1A:");
	TIFR1 = 1 << OCF1A;
	flags("OCF1A is written, OCF1A:");
}
END
echo "avr8js:"
on_avr8js | saw "after an overflow, OCF1A: 1
TOV1: 1
OCF1A is written, OCF1A: 0
TOV1: 0
end" || exit
echo "simavr:"
on_simavr | saw "after an overflow, OCF1A: 1
TOV1: 1
OCF1A is written, OCF1A: 0
TOV1: 0
end" || exit 1
