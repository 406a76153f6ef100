#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/qemu-stm32-tim2.sh - in QEMU 7.2, TIM2 of an STM32F205 counts while
# CEN is 0, goes past ARR, and sets no flag for CCR1
#
# On the chip, a timer whose CEN is 0 stands still, and one with ARR = 99 never
# reads more than 99. A firmware that polls CC1IF waits forever here.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian qemu-system-arm=1:7.2 gcc-arm-none-eabi=15:12.2 \
	binutils-arm-none-eabi=2.40

arm cortex-m3 0x08000000 0x20004000 -M netduino2 <<'END' |
#define CR1  REG(0x40000000)
#define SR   REG(0x40000010)
#define EGR  REG(0x40000014)
#define CNT  REG(0x40000024)
#define ARR  REG(0x4000002c)
#define CCR1 REG(0x40000034)
#define CEN  1u
#define UG   1u
#define CC1IF 2u

void test(void)
{
	unsigned before = CNT;

	wait_us(100);
	say("CEN is 0, and it counts:", CNT != before);

	ARR = 99;
	CCR1 = 50;
	EGR = UG;
	SR = 0;
	CR1 = CEN;
	wait_us(100);
	say("ARR is 99, and it counts further:", CNT > 99);
	say("CCR1 is 50, and CC1IF is set:", (SR & CC1IF) != 0);
}
END
	saw "CEN is 0, and it counts: 1
ARR is 99, and it counts further: 1
CCR1 is 50, and CC1IF is set: 0" || exit 1
