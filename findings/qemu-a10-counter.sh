#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/qemu-a10-counter.sh - in QEMU 7.2, the 64-bit counter of an Allwinner
# A10 counts nanoseconds, and goes on from there after it is cleared
#
# On the chip, it counts a 24 MHz oscillator, as timer 0 can, and CLR_EN sets it
# to zero. A driver that takes 24 counts for a microsecond runs 42 times too
# fast here, and one that clears the counter to measure from there reads the
# time since the machine began.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian qemu-system-arm=1:7.2 gcc-arm-none-eabi=15:12.2 \
	binutils-arm-none-eabi=2.40

arm cortex-a8 0x40010000 0x40100000 -M cubieboard <<'END' |
#define TMR0_CONTROL  REG(0x01c20c10)
#define TMR0_INTERVAL REG(0x01c20c14)
#define TMR0_COUNT    REG(0x01c20c18)
#define OSC24M	      4u
#define RELOAD	      2u
#define ENABLED	      1u
#define CNT64_CONTROL REG(0x01c20ca0)
#define CNT64_LOW     REG(0x01c20ca4)
#define RL_EN	      2u
#define CLR_EN	      1u

static unsigned latched(void)
{
	CNT64_CONTROL = RL_EN;
	while (CNT64_CONTROL & RL_EN)
		;
	return CNT64_LOW;
}

void test(void)
{
	unsigned tmr0;
	unsigned cnt64;

	TMR0_INTERVAL = ~0u;
	TMR0_CONTROL = OSC24M | RELOAD | ENABLED;
	tmr0 = TMR0_COUNT;
	cnt64 = latched();
	wait_us(10000);
	cnt64 = latched() - cnt64;
	tmr0 -= TMR0_COUNT;
	say("times the counts of timer 0:", (cnt64 + tmr0 / 2) / tmr0);

	cnt64 = latched();
	CNT64_CONTROL = CLR_EN;
	say("cleared, reads", CNT64_LOW);
	say("latched again, is further than before:", latched() > cnt64);
}
END
	saw "times the counts of timer 0: 42
cleared, reads 0
latched again, is further than before: 1" || exit 1
