#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/simavr-tcnt1.sh - in simavr 1.6, TCNT1 is lost when a clock is
# selected, and when it is stopped
#
# On the chip, the clock select bits only say what counts: a count that was
# written before is where the timer begins, and a timer that is stopped keeps
# its count. Firmware that stops a timer to read it gets 0 here.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian simavr=1.6 libsimavr2=1.6 gcc-avr=1:5.4.0 binutils-avr=2.26 \
	avr-libc=1:2.0.0

avr <<'END'
void test(void)
{
	unsigned running;

	TCNT1 = 50000;
	TCCR1B = 1 << CS10;
	say("began at 50,000, is above:", TCNT1 >= 50000);
	while (TCNT1 < 1000)
		;
	running = TCNT1;
	TCCR1B = 0;
	say("ran to 1,000 or more:", running >= 1000);
	say("stopped, reads", TCNT1);
	TCCR1B = 1 << CS10;
	say("goes on, is above 1,000:", TCNT1 >= 1000);
}
END
on_simavr | saw "began at 50,000, is above: 0
ran to 1,000 or more: 1
stopped, reads 0
goes on, is above 1,000: 0
end" || exit 1
