#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/qemu-pl031-match.sh - in QEMU 7.2, a PL031's interrupt comes up to a
# second after its count has become the match value
#
# Arm's manual (DDI 0224, section 2.1) has the interrupt when the two are equal.
# Here it comes whole seconds after the match value was written, and the count
# changes between those: firmware that wakes up by its alarm is late.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian qemu-system-arm=1:7.2 gcc-arm-none-eabi=15:12.2 \
	binutils-arm-none-eabi=2.40

arm cortex-a15 0x80010000 0x80100000 -M vexpress-a15 -rtc clock=vm <<'END' |
#define DR  REG(0x1c170000)
#define MR  REG(0x1c170004)
#define CR  REG(0x1c17000c)
#define RIS REG(0x1c170014)

static unsigned next_second(void)
{
	unsigned second = DR;

	while (DR == second)
		;
	return second + 1;
}

void test(void)
{
	unsigned match;

	CR = 1;
	match = next_second() + 2;
	wait_us(700000);
	MR = match;
	while (DR != match)
		;
	say("the count is the match value, RIS:", RIS);
	wait_us(500000);
	say("half a second later, RIS:", RIS);
	wait_us(300000);
	say("0.8 seconds later, RIS:", RIS);
	say("the count is still the match value:", DR == match);
}
END
	saw "the count is the match value, RIS: 0
half a second later, RIS: 0
0.8 seconds later, RIS: 1
the count is still the match value: 1" || exit 1
