#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/qemu-sifive-e-mtime.sh - in QEMU 7.2, mtime of its SiFive E board
# counts at 10 MHz
#
# The FE310 of the board that it stands for, a HiFive1, counts its real-time
# clock there, which is 32.768 kHz. Firmware with that rate has a second of 3 ms
# here.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian qemu-system-misc=1:7.2 gcc-riscv64-unknown-elf=12.2.0 \
	binutils-riscv64-unknown-elf=2.40

riscv 0x20400000 0x80004000 -M sifive_e <<'END' |
#define MTIME	   REG(0x0200bff8)
#define MS_OF_LOOP 1024u

void test(void)
{
	unsigned began = MTIME;

	wait_us(1000 * 1000);
	say("counts in 1 ms:", (MTIME - began) / MS_OF_LOOP);
}
END
	saw "counts in 1 ms: 10000" || exit 1
