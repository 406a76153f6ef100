/* SPDX-License-Identifier: MIT */
/*
 * test/target/chips/rp2040.c - RP2040: line 26 of the NVIC, which no peripheral
 * has, and registers at 0x40068000, which ./rp2040.js adds. Start-up, vectors.
 */
#include <jif/port.h>
#include <jif/port/smp.h>

#include "chips.h"

#define REG(at)	   (*(volatile uint32_t *)(at))

#define SIO_CPUID  REG(0xd0000000)
#define NVIC_ISER  REG(0xe000e100)
#define VTOR	   REG(0xe000ed08)

#define SAY_WHAT   REG(0x40068000)
#define SAY_VALUE  REG(0x40068004)
#define LAUNCH	   REG(0x40068008)
#define REST	   REG(0x4006800c)
#define WAKE	   REG(0x40068010)

#define OTHER_LINE 26

extern uint32_t stack_top[], data_load[], data_begin[], data_end[];
extern uint32_t bss_begin[], bss_end[];

void chip_begin(void)
{
	NVIC_ISER = UINT32_C(1) << OTHER_LINE;
}

void chip_say(enum what what, unsigned timer, uint32_t value)
{
	SAY_WHAT = (uint32_t)what | timer << 8;
	SAY_VALUE = value;
}

void chip_launch(void (*other)(void))
{
	LAUNCH = (uint32_t)other;
}

void chip_rest(uint32_t us)
{
	REST = us;
}

void chip_wake(void)
{
	WAKE = 1;
}

unsigned jif_smp_core(void)
{
	return SIO_CPUID;
}

int main(void);
void isr_irq0(void);
void target_reset(void);

void target_reset(void)
{
	const uint32_t *from = data_load;
	uint32_t *to;

	for (to = data_begin; to != data_end;)
		*to++ = *from++;
	for (to = bss_begin; to != bss_end;)
		*to++ = 0;
	main();
}

__attribute__((section(".vectors"),
	       used)) static void (*const vectors[])(void) = {
	(void (*)(void))stack_top,
	target_reset,
	[16] = isr_irq0,
	[16 + OTHER_LINE] = disturb,
};
