#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/simavr-tcnt1-top.sh - in simavr 1.6, TCNT1 is set to another value at
# the end of its range: 65,534 becomes 65,535, and 65,535 becomes 0
#
# On the chip, and in avr8js, it is what was written, and overflows from there:
# firmware that makes an overflow come with the next count waits for 65,536
# here.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian simavr=1.6 libsimavr2=1.6 gcc-avr=1:5.4.0 binutils-avr=2.26 \
	avr-libc=1:2.0.0
node --version
npm_package avr8js 0.21.1

avr <<'END'
#include <util/delay_basic.h>

static void set(unsigned count)
{
	unsigned reads;
	unsigned overflow;

	TIFR1 = 1 << TOV1;
	TCNT1 = count;
	reads = TCNT1;
	_delay_loop_2(1000);
	overflow = TIFR1 >> TOV1 & 1;
	say("set to", count);
	say("reads", reads);
	say("three counts later, TOV1:", overflow);
}

void test(void)
{
	TCCR1B = 1 << CS12 | 1 << CS10; /* 1,024 cycles */
	set(65534);
	set(65535);
}
END
echo "avr8js:"
on_avr8js | saw "set to 65534
reads 65534
three counts later, TOV1: 1
set to 65535
reads 65535
three counts later, TOV1: 1
end" || exit
echo "simavr:"
on_simavr | saw "set to 65534
reads 65535
three counts later, TOV1: 1
set to 65535
reads 0
three counts later, TOV1: 0
end" || exit 1
