#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/avr-ctc.sh - in avr8js 0.21.1 and simavr 1.6, an AVR's timer in CTC
# mode turns back also if OCR1A is set below its count
#
# The data sheet of the ATmega328P (16-bit Timer/Counter1, CTC mode) warns that
# the count misses such a match, and goes on to 0xFFFF. A driver that shortens
# its period without a look at TCNT1 works here, and stalls on the chip for up
# to 65,536 counts.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian simavr=1.6 libsimavr2=1.6 gcc-avr=1:5.4.0 binutils-avr=2.26 \
	avr-libc=1:2.0.0
node --version
npm_package avr8js 0.21.1

avr <<'END'
void test(void)
{
	unsigned highest = 0;

	OCR1A = 9999;
	TCCR1B = 1 << WGM12 | 1 << CS10;
	while (TCNT1 < 5000)
		;
	OCR1A = 3000;
	for (unsigned reads = 0; reads < 20000; reads++) {
		unsigned count = TCNT1;

		if (count > highest)
			highest = count;
	}
	say("3,000 is set above 5,000, highest count:", highest);
}
END
echo "avr8js:"
on_avr8js | saw "3,000 is set above 5,000, highest count: 3000
end" || exit
echo "simavr:"
on_simavr | saw "3,000 is set above 5,000, highest count: 3000
end" || exit 1
