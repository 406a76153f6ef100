#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/qemu-cmsdk-watchdog.sh - in QEMU 7.2, a CMSDK watchdog counts while
# INTEN is 0, and does not begin again when INTEN is set
#
# Arm's manual (DDI 0479, APB watchdog) says that INTEN = 0 stops the count, and
# that INTEN = 1 after that reloads it from WDOGLOAD. Firmware that pauses its
# watchdog finds it expired here, and has less than a period when it resumes.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian qemu-system-arm=1:7.2 gcc-arm-none-eabi=15:12.2 \
	binutils-arm-none-eabi=2.40

arm cortex-m3 0x0 0x20004000 -M mps2-an385 <<'END' |
#define LOAD	REG(0x40008000)
#define VALUE	REG(0x40008004)
#define CONTROL REG(0x40008008)
#define INTCLR	REG(0x4000800c)
#define RIS	REG(0x40008010)
#define INTEN	1u
#define PERIOD	25000u /* 1 ms */

void test(void)
{
	CONTROL = 0;
	LOAD = PERIOD;
	wait_us(1200);
	say("INTEN is 0 for more than a period, RIS:", RIS);

	INTCLR = 1;
	wait_us(600);
	say("and then for more than half of one, it is over:",
	    VALUE < PERIOD / 2);
	CONTROL = INTEN;
	say("INTEN is set, and it is still over:", VALUE < PERIOD / 2);
	CONTROL = 0;
}
END
	saw "INTEN is 0 for more than a period, RIS: 1
and then for more than half of one, it is over: 1
INTEN is set, and it is still over: 1" || exit 1
