#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/qemu-systick-load.sh - in QEMU 7.2, a SysTick that is enabled while
# its reload value is 0 does not begin to count when it gets another one
#
# The ARMv7-M manual has a write of SYST_CVR reload it from SYST_RVR at the next
# clock, and says that SYST_RVR = 0 stops it whatever ENABLE is. Here a driver
# that enables first, or parks its tick by SYST_RVR = 0, has none until it
# writes ENABLE = 0 and 1.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian qemu-system-arm=1:7.2 gcc-arm-none-eabi=15:12.2 \
	binutils-arm-none-eabi=2.40

arm cortex-m3 0x0 0x20004000 -M mps2-an385 <<'END' |
#define CSR	  REG(0xe000e010)
#define RVR	  REG(0xe000e014)
#define CVR	  REG(0xe000e018)
#define PROCESSOR 4u
#define ENABLE	  1u
#define COUNTFLAG (1u << 16)

static void tick(const char *after)
{
	wait_us(1000);
	say(after, (CSR & COUNTFLAG) / COUNTFLAG);
}

void test(void)
{
	RVR = 0;
	CSR = PROCESSOR | ENABLE;
	RVR = 999; /* at 25 MHz */
	CVR = 0;
	tick("enabled, then a reload value, COUNTFLAG:");
	CSR = PROCESSOR;
	CSR = PROCESSOR | ENABLE;
	tick("disabled and enabled, COUNTFLAG:");

	RVR = 0;
	wait_us(1000);
	RVR = 999;
	CVR = 0;
	tick("parked by 0, then the value again, COUNTFLAG:");
	say("enabled:", CSR & ENABLE);
	say("SYST_CVR:", CVR);
}
END
	saw "enabled, then a reload value, COUNTFLAG: 0
disabled and enabled, COUNTFLAG: 1
parked by 0, then the value again, COUNTFLAG: 0
enabled: 1
SYST_CVR: 0" || exit 1
