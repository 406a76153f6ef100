/* SPDX-License-Identifier: MIT */
/*
 * test/target/count.h - how many instructions, or on AVR cycles, have passed
 *
 * Exact where every instruction takes the same emulated time: 1024 ns, which is
 * QEMU's -icount shift=10, on a Cortex-M, where SysTick belongs to the counter;
 * 1 ns on RISC-V.
 */
#ifndef COUNT_H
#define COUNT_H

#include <jif/config.h>
#include <stdint.h>

#if defined(__arm__)

#define COUNT_RETURN 1
#define SYST_CSR     (*(volatile uint32_t *)0xe000e010)
#define SYST_RVR     (*(volatile uint32_t *)0xe000e014)
#define SYST_CVR     (*(volatile uint32_t *)0xe000e018)

static inline void count_start(void)
{
	SYST_RVR = 0xffffff;
	SYST_CVR = 0;
	SYST_CSR = 5;
}

static inline uint32_t count_now(void)
{
	return SYST_CVR;
}

/* A second has so many ticks of SysTick, and 10^9 / 1024 instructions. */
static inline uint32_t count_between(uint32_t begin, uint32_t end)
{
	uint64_t ticks = (begin - end) & 0xffffff;

	return (uint32_t)((ticks * 1953125 * 2 / CONFIG_JIF_CLOCK_HZ + 2) / 4);
}

#elif defined(__riscv)

#define COUNT_RETURN 1

static inline void count_start(void)
{
}

static inline uint32_t count_now(void)
{
	uint32_t count;

	__asm__ volatile("csrr %0, minstret" : "=r"(count) : : "memory");
	return count;
}

static inline uint32_t count_between(uint32_t begin, uint32_t end)
{
	return end - begin;
}

#elif defined(__AVR__)

#define COUNT_RETURN 4
#define TCCR1A	     (*(volatile uint8_t *)0x80)
#define TCCR1B	     (*(volatile uint8_t *)0x81)
#define TCNT1	     (*(volatile uint16_t *)0x84)

static inline void count_start(void)
{
	TCCR1A = 0;
	TCCR1B = 1;
}

static inline uint16_t count_now(void)
{
	return TCNT1;
}

static inline uint16_t count_between(uint32_t begin, uint32_t end)
{
	return (uint16_t)(end - begin);
}

#endif

#endif
