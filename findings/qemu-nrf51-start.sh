#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/qemu-nrf51-start.sh - in QEMU 7.2, a START of an nRF51 TIMER that
# runs doubles its count, and STOP drops the count since the last CAPTURE
#
# On the chip, START of a running timer changes nothing. STOP keeps the count,
# and START goes on from there: a driver pauses a timer like this. Here, a
# CAPTURE before STOP saves the count, but the next START still adds it twice.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian qemu-system-arm=1:7.2 gcc-arm-none-eabi=15:12.2 \
	binutils-arm-none-eabi=2.40

arm cortex-m0 0x0 0x20004000 -M microbit <<'END' |
#define START	  REG(0x40008000)
#define STOP	  REG(0x40008004)
#define CLEAR	  REG(0x4000800c)
#define CAPTURE0  REG(0x40008040)
#define BITMODE	  REG(0x40008508)
#define PRESCALER REG(0x40008510)
#define CC0	  REG(0x40008540)

static unsigned captured(void)
{
	CAPTURE0 = 1;
	return CC0;
}

void test(void)
{
	unsigned count;

	BITMODE = 3;   /* 32 bits */
	PRESCALER = 4; /* 1 MHz */
	START = 1;
	wait_us(1000);
	count = captured();
	say("counts for 1 ms, in ms:", count / 1000);
	START = 1;
	say("started again, in per cent of that:", captured() * 100 / count);
	START = 1;
	say("and once more:", captured() * 100 / count);

	STOP = 1;
	CLEAR = 1;
	START = 1;
	wait_us(1000);
	STOP = 1;
	say("counts for 1 ms, stops:", captured());
}
END
	saw "counts for 1 ms, in ms: 1
started again, in per cent of that: 200
and once more: 400
counts for 1 ms, stops: 0" || exit 1
