#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/qemu-avr-tifr1.sh - in QEMU 7.2, TIFR1 of an AVR has no flag of an
# event whose interrupt is off, and keeps what is written to it
#
# On the chip, and in simavr, events set flags whether they interrupt or not,
# and a one that is written clears its flag. In QEMU, firmware that polls OCF1A
# waits forever, and firmware that clears it finds it set.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian qemu-system-misc=1:7.2 simavr=1.6 libsimavr2=1.6 \
	gcc-avr=1:5.4.0 binutils-avr=2.26 avr-libc=1:2.0.0

avr <<'END'
void test(void)
{
	OCR1A = 1000;
	TCCR1B = 1 << CS10;
	while (TCNT1 <= 1000)
		;
	TCCR1B = 0;
	say("past OCR1A, OCF1A:", TIFR1 >> OCF1A & 1);
	TIFR1 = 1 << OCF1A;
	say("a one is written, OCF1A:", TIFR1 >> OCF1A & 1);
}
END
echo "QEMU:"
on_qemu uno | saw "past OCR1A, OCF1A: 0
a one is written, OCF1A: 1
end" || exit
echo "simavr:"
on_simavr | saw "past OCR1A, OCF1A: 1
a one is written, OCF1A: 0
end" || exit 1
