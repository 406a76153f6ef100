#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/qemu-imx-gpt.sh - in QEMU 7.2, a GPT of an i.MX6UL sets OF1 only if
# its interrupt is enabled
#
# On the chip, SR shows each compare event, and IR only says which of them
# interrupt. A boot loader that polls SR with IR = 0 waits forever here.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian qemu-system-arm=1:7.2 gcc-arm-none-eabi=15:12.2 \
	binutils-arm-none-eabi=2.40

arm cortex-a7 0x80010000 0x80100000 -M mcimx6ul-evk <<'END' |
#define CR	REG(0x02098000)
#define PR	REG(0x02098004)
#define SR	REG(0x02098008)
#define IR	REG(0x0209800c)
#define OCR1	REG(0x02098010)
#define CNT	REG(0x02098024)
#define RUNNING 0x243u /* EN, ENMOD, peripheral clock, free-running */
#define OF1	1u

static void compare(void)
{
	CR = 0;
	SR = OF1;
	CR = RUNNING;
	OCR1 = 1000;
	wait_us(4000);
	say("the count has passed OCR1:", CNT > OCR1);
	say("OF1:", SR & OF1);
}

void test(void)
{
	PR = 65;
	IR = 0;
	compare();
	IR = OF1;
	compare();
}
END
	saw "the count has passed OCR1: 1
OF1: 0
the count has passed OCR1: 1
OF1: 1" || exit 1
