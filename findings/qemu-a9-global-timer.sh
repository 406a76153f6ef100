#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/qemu-a9-global-timer.sh - in QEMU 7.2, a Cortex-A9's global timer
# counts while it is disabled, and goes back when it is enabled
#
# Arm's manual (DDI 0407, global timer registers) says that it does not count
# then, and has one disable it to write the count. Here that count is not the
# one that is read, and a driver that takes the time from it goes back whenever
# it is enabled.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian qemu-system-arm=1:7.2 gcc-arm-none-eabi=15:12.2 \
	binutils-arm-none-eabi=2.40

arm cortex-a9 0x60010000 0x60100000 -M vexpress-a9 <<'END' |
#define LOW	REG(0x1e000200)
#define HIGH	REG(0x1e000204)
#define CONTROL REG(0x1e000208)
#define ENABLED 1u
#define US	100u

void test(void)
{
	unsigned count;

	CONTROL = 0;
	wait_us(1000);
	LOW = 5000;
	HIGH = 0;
	say("disabled, 5,000 is written, and read:", LOW == 5000);

	CONTROL = ENABLED;
	say("enabled, less than 100 us after 5,000:", LOW - 5000 < 100 * US);
	CONTROL = 0;
	count = LOW;
	wait_us(1000);
	say("disabled for 1 ms, it counts on, in ms:",
	    (LOW - count) / (1000 * US));
	count = LOW;
	CONTROL = ENABLED;
	say("enabled, it goes back, in ms:", (count - LOW) / (1000 * US));
}
END
	saw "disabled, 5,000 is written, and read: 0
enabled, less than 100 us after 5,000: 1
disabled for 1 ms, it counts on, in ms: 1
enabled, it goes back, in ms: 1" || exit 1
