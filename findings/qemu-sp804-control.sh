#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/qemu-sp804-control.sh - in QEMU 7.2, each write of an SP804's control
# register begins a new period, also one that only masks the interrupt
#
# On the chip, a write of the load register does that, and none of control. A
# driver that masks its interrupt more often than the period gets no tick here.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian qemu-system-arm=1:7.2 gcc-arm-none-eabi=15:12.2 \
	binutils-arm-none-eabi=2.40

arm cortex-a15 0x80010000 0x80100000 -M vexpress-a15 <<'END' |
#define LOAD	REG(0x1c110000)
#define VALUE	REG(0x1c110004)
#define CONTROL REG(0x1c110008)
#define RAW	REG(0x1c110010)
#define MASKED	0xc2u /* enabled, periodic, 32 bits */
#define OPEN	0xe2u /* and its interrupt */

void test(void)
{
	LOAD = 1000; /* at 1 MHz */
	CONTROL = OPEN;
	wait_us(600);
	say("more than half of the period is over:", VALUE < 500);
	CONTROL = MASKED;
	say("masked, and it is still over:", VALUE < 500);

	for (unsigned writes = 0; writes < 50; writes++) {
		CONTROL = OPEN;
		wait_us(300);
		CONTROL = MASKED;
		wait_us(300);
	}
	say("raw interrupt after 30 periods with writes:", RAW);
	wait_us(1000);
	say("raw interrupt after one period without:", RAW);
}
END
	saw "more than half of the period is over: 1
masked, and it is still over: 0
raw interrupt after 30 periods with writes: 0
raw interrupt after one period without: 1" || exit 1
