#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/qemu-riscv-minstret.sh - in QEMU 7.2 with -icount, a RISC-V core's
# minstret counts nanoseconds
#
# The privileged architecture has it count the instructions that have retired,
# and with -icount each takes 2^shift nanoseconds. So code is said to have 1,024
# times as many instructions with shift=10 as with shift=0, where it is right.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian qemu-system-misc=1:7.2 gcc-riscv64-unknown-elf=12.2.0 \
	binutils-riscv64-unknown-elf=2.40

# with_shift SHIFT: what minstret counts from one read to the next.
with_shift() {
	riscv 0x20400000 0x80004000 -M sifive_e -icount shift="$1" <<'END'
static unsigned minstret(void)
{
	unsigned count;

	asm volatile("csrr %0, minstret" : "=r"(count));
	return count;
}

void test(void)
{
	unsigned began = minstret();

	asm volatile(".rept 99\n"
		     "nop\n"
		     ".endr");
	say("for 99 nops and a read:", minstret() - began);
}
END
}

for shift in 0 3 10; do
	echo "shift=$shift"
	with_shift $shift
done | saw "shift=0
for 99 nops and a read: 100
shift=3
for 99 nops and a read: 800
shift=10
for 99 nops and a read: 102400" || exit 1
