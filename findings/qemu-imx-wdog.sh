#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/qemu-imx-wdog.sh - in QEMU 7.2, the second write of WCR clears WDE of
# an i.MX6UL's watchdog, and stops it
#
# The reference manual says that WDE, once it is set, stays so until a reset,
# whatever is written. Firmware that starts its watchdog, and then sets another
# timeout, with WDE = 1 in both, has none here.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian qemu-system-arm=1:7.2 gcc-arm-none-eabi=15:12.2 \
	binutils-arm-none-eabi=2.40

arm cortex-a7 0x80010000 0x80100000 -M mcimx6ul-evk <<'END' |
#define WCR	 (*(volatile unsigned short *)0x020bc000)
#define WDE	 (1u << 2)
#define KEPT	 (3u << 4) /* WDA and SRS: no signal, no reset now */
#define HALVES_1 8	   /* half a second is 0 */

static void start(unsigned seconds)
{
	unsigned written = (2 * seconds - 1) << HALVES_1 | KEPT | WDE;

	WCR = (unsigned short)written;
	say("is to reset after so many seconds:", seconds);
	say("WT is as written:", WCR >> HALVES_1 == written >> HALVES_1);
	say("WDE:", (WCR & WDE) / WDE);
}

void test(void)
{
	start(5);
	start(1);
	wait_us(2000000);
	say("two seconds later, it has not, WDE:", (WCR & WDE) / WDE);
}
END
	saw "is to reset after so many seconds: 5
WT is as written: 1
WDE: 1
is to reset after so many seconds: 1
WT is as written: 1
WDE: 0
two seconds later, it has not, WDE: 0" || exit 1
