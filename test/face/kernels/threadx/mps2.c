/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/threadx/mps2.c - what ThreadX wants of a board with a
 * Cortex-M3
 *
 * The tick has a lower priority than the other interrupt: that one comes within
 * ThreadX's own handler, too.
 */
#include "../../../target/target.h"

#include <tx_api.h>
#include <tx_initialize.h>
#include <tx_thread.h>
#include <tx_timer.h>

#include "threadx.h"

#define SYST_CSR  (*(volatile uint32_t *)0xe000e010)
#define SYST_RVR  (*(volatile uint32_t *)0xe000e014)
#define SYST_CVR  (*(volatile uint32_t *)0xe000e018)
#define SCB_SHPR2 (*(volatile uint32_t *)0xe000ed1c)
#define SCB_SHPR3 (*(volatile uint32_t *)0xe000ed20)

/* ThreadX's, for the handler of the tick. */
void _tx_timer_interrupt(void);

volatile uint32_t board_ticks = FIRST_TICK;
volatile uint32_t board_tick_at;
void (*volatile board_tick)(void);

void SysTick_Handler(void)
{
	board_ticks++;
	board_tick_at = target_clock();
	_tx_timer_interrupt();
	if (board_tick)
		board_tick();
}

void _tx_initialize_low_level(void)
{
	static uint32_t memory[1];

	__asm__ volatile("cpsid i" : : : "memory");
	_tx_initialize_unused_memory = memory;
	SCB_SHPR2 = 0xff000000;
	SCB_SHPR3 = 0xe0ff0000;
	SYST_RVR = target_clock_hz / TX_TIMER_TICKS_PER_SECOND - 1;
	SYST_CVR = 0;
	SYST_CSR = 7;
}

uint32_t churn_mask(void)
{
	uint32_t flags;

	__asm__ volatile("mrs %0, primask\n\tcpsid i"
			 : "=r"(flags)
			 :
			 : "memory");
	return flags;
}

void churn_unmask(uint32_t flags)
{
	__asm__ volatile("msr primask, %0" : : "r"(flags) : "memory");
}

uint32_t churn_ticks(void)
{
	return board_ticks;
}
