#!/bin/sh
# SPDX-License-Identifier: MIT
#
# findings/qemu-leon3-gptimer.sh - in QEMU 7.2, a LEON3's GPTIMER that is
# disabled counts on to its next interrupt
#
# Gaisler's manuals have EN enable the timer, and LD reload it. Here EN = 0 only
# holds from the next reload on, so one more interrupt comes after a driver has
# stopped its tick. And a write with EN = 1, say one that masks the interrupt,
# begins a new period as LD does.
. "$(dirname "$0")/../test/tools/findings/lib.sh"

debian qemu-system-sparc=1:7.2 gcc-12-sparc64-linux-gnu=12.2.0 \
	binutils-sparc64-linux-gnu=2.40

cat >"$folder/gptimer.c" <<'END'
#define REG(address) (*(volatile unsigned *)(address))
#define UART	     REG(0x80000100)
#define COUNTER	     REG(0x80000320)
#define RELOAD	     REG(0x80000324)
#define CONTROL	     REG(0x80000328)
#define EN	     1u
#define RS	     2u
#define LD	     4u
#define IE	     8u
#define IP	     16u

static void say(const char *text)
{
	while (*text)
		UART = (unsigned char)*text++;
}

static void answer(const char *question, int is)
{
	say(question);
	say(is ? ": 1\n" : ": 0\n");
}

static inline void wait_us(unsigned us)
{
	for (us = us / 3 + 1; us; us--)
		asm volatile("nop");
}

void _start(void)
{
	RELOAD = 9999; /* at 1 MHz */
	CONTROL = LD | RS | EN;
	wait_us(6000);
	answer("more than half of the period is over", COUNTER < 5000);
	CONTROL = RS | EN;
	answer("EN is written again, and it still is", COUNTER < 5000);

	CONTROL = LD | RS | EN | IE;
	wait_us(6000);
	CONTROL = RS | IE;
	answer("EN is 0, is there an interrupt", (CONTROL & IP) != 0);
	wait_us(6000);
	answer("and after what was left of the period", (CONTROL & IP) != 0);
	asm volatile("ta 0"); /* which ends QEMU */
}
END
sparc64-linux-gnu-gcc-12 -m32 -mcpu=leon3 -mflat -O1 -Wall -Werror \
	-ffreestanding -nostdlib -static -fno-pie -no-pie \
	-Wl,-Ttext=0x40000000 "$folder/gptimer.c" \
	-o "$folder/gptimer.elf" || exit 2
timeout 60 qemu-system-sparc -M leon3_generic -display none -monitor none \
	-icount shift=10 -serial file:"$folder/said" \
	-kernel "$folder/gptimer.elf"
saw "more than half of the period is over: 1
EN is written again, and it still is: 0
EN is 0, is there an interrupt: 0
and after what was left of the period: 1" <"$folder/said" || exit 1
