#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/qemu-cmsdk-dualtimer.sh - in QEMU 7.2, a write of the load register
# of a CMSDK dual timer makes one that runs periodically stop after one period
#
# Arm's manual (DDI 0479, APB dual timer) has the count begin again from the
# value that is written, and another bit for a timer that stops at zero. Here
# that bit is still 0, and a driver that changes its period gets one more tick.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian qemu-system-arm=1:7.2 gcc-arm-none-eabi=15:12.2 \
	binutils-arm-none-eabi=2.40

arm cortex-m3 0x0 0x20004000 -M mps2-an385 <<'END' |
#define LOAD	 REG(0x40002000)
#define VALUE	 REG(0x40002004)
#define CONTROL	 REG(0x40002008)
#define INTCLR	 REG(0x4000200c)
#define RIS	 REG(0x40002010)
#define STOPPED	 0x42u /* periodic, 32 bits, not one-shot */
#define RUNNING	 0xc2u
#define ONE_SHOT 1u

static unsigned ticks(void)
{
	unsigned count = 0;

	for (unsigned milliseconds = 0; milliseconds < 10; milliseconds++) {
		wait_us(1000);
		count += RIS;
		INTCLR = 1;
	}
	return count;
}

void test(void)
{
	CONTROL = STOPPED;
	LOAD = 1000; /* at 25 MHz */
	CONTROL = RUNNING;
	say("loaded, then started: milliseconds with ticks, of ten:", ticks());
	LOAD = 2000;
	say("loaded again: milliseconds with ticks, of ten:", ticks());
	say("enabled:", CONTROL == RUNNING);
	say("one-shot:", CONTROL & ONE_SHOT);
	say("value:", VALUE);
}
END
	saw "loaded, then started: milliseconds with ticks, of ten: 10
loaded again: milliseconds with ticks, of ten: 1
enabled: 1
one-shot: 0
value: 0" || exit 1
