#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/qemu-imx-epit.sh - in QEMU 7.2, an EPIT of an i.MX6UL that reloads
# from LR misses a CMP that is written while it is above the count
#
# The reference manual has the count begin again at LR when it has come to zero
# with RLD = 1, and OCIF set when it then comes to CMP: in less than a period.
# Here it is not in 50 periods, and a driver that writes each of its deadlines
# loses those after the reload.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian qemu-system-arm=1:7.2 gcc-arm-none-eabi=15:12.2 \
	binutils-arm-none-eabi=2.40

arm cortex-a7 0x80010000 0x80100000 -M mcimx6ul-evk <<'END' |
#define CR   REG(0x020d0000)
#define SR   REG(0x020d0004)
#define LR   REG(0x020d0008)
#define CMP  REG(0x020d000c)
#define CNT  REG(0x020d0010)
#define OCIF 1u
/* peripheral clock / 66, RLD, OCIEN, ENMOD, EN */
#define RUNNING (1u << 24 | 65u << 4 | 0xfu)

static void pass_periods(unsigned periods)
{
	unsigned before = CNT;

	while (periods) {
		unsigned count = CNT;

		if (count > before)
			periods--;
		before = count;
	}
}

void test(void)
{
	CR = 0;
	LR = 9999;
	CMP = 9999;
	CR = RUNNING;

	while (CNT < 6000)
		;
	CMP = 5000;
	SR = OCIF;
	pass_periods(2);
	say("CMP was below the count, OCIF after 2 periods:", SR & OCIF);

	while (CNT > 4000)
		;
	CMP = 5000;
	SR = OCIF;
	pass_periods(2);
	say("CMP was above the count, OCIF after 2 periods:", SR & OCIF);
	pass_periods(48);
	say("after 50:", SR & OCIF);
}
END
	saw "CMP was below the count, OCIF after 2 periods: 1
CMP was above the count, OCIF after 2 periods: 0
after 50: 0" || exit 1
