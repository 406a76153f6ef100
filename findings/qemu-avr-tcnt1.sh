#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/qemu-avr-tcnt1.sh - in QEMU 7.2, TCNT1 of an AVR goes on while the
# clock select bits are 0, and begins at 0 when they are set again
#
# On the chip, a timer without a clock keeps its count, and goes on from there.
# Firmware that stops the timer to measure reads a growing count here, and one
# that sets a count before it starts the timer loses it.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian qemu-system-misc=1:7.2 gcc-avr=1:5.4.0 binutils-avr=2.26 \
	avr-libc=1:2.0.0

avr <<'END'
#include <util/delay_basic.h>

void test(void)
{
	unsigned stopped;

	TCCR1B = 1 << CS12;
	while (TCNT1 < 10000)
		;
	TCCR1B = 0;
	stopped = TCNT1;
	say("stopped at 10,000 or more:", stopped >= 10000);
	_delay_loop_2(0);
	say("counts on:", TCNT1 != stopped);
	TCNT1 = 30000;
	TCCR1B = 1 << CS12;
	say("set to 30,000 and started, is above:", TCNT1 >= 30000);
}
END
on_qemu uno | saw "stopped at 10,000 or more: 1
counts on: 1
set to 30,000 and started, is above: 0
end" || exit 1
