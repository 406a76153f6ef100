#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/qemu-opentitan-timer.sh - in QEMU 7.2, the timer of an OpenTitan chip
# does not interrupt if it is started after its compare value was written
#
# OpenTitan's specification has CTRL let the timer run, and an interrupt when
# the count is at its compare value, or past it. Here it counts also while it is
# not active, and looks at the compare value only when that is written: a driver
# that starts it last waits forever.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian qemu-system-misc=1:7.2 gcc-riscv64-unknown-elf=12.2.0 \
	binutils-riscv64-unknown-elf=2.40

riscv 0x20000400 0x10010000 -M opentitan <<'END' |
#define CTRL	      REG(0x40100004)
#define ACTIVE	      1u
#define LOWER	      REG(0x40100104)
#define COMPARE_LOWER REG(0x4010010c)
#define COMPARE_UPPER REG(0x40100110)
#define INTR_ENABLE   REG(0x40100114)
#define INTR_STATE    REG(0x40100118)
#define COUNTS	      100u

static void compare(void)
{
	COMPARE_UPPER = 0;
	COMPARE_LOWER = LOWER + COUNTS;
}

static void pass(const char *when)
{
	unsigned began = LOWER;

	while (LOWER - began <= 2 * COUNTS)
		;
	say(when, INTR_STATE);
}

void test(void)
{
	INTR_ENABLE = 1;
	pass("not active, it counts, INTR_STATE:");
	compare();
	CTRL = ACTIVE;
	pass("compared, then active, and it is past that, INTR_STATE:");
	compare();
	pass("compared again, and it is past that, INTR_STATE:");
}
END
	saw "not active, it counts, INTR_STATE: 0
compared, then active, and it is past that, INTR_STATE: 0
compared again, and it is past that, INTR_STATE: 1" || exit 1
