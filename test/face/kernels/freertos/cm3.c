/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/freertos/cm3.c - Arm MPS2 with the image AN385 as a board
 *
 * The machine is that of test/target. Its other interrupt comes at random
 * times, at a priority from which FreeRTOS may be called; the dual timer's at
 * one that is too urgent for that.
 */
#include <FreeRTOS.h>
#include <jif/port.h>
#include <task.h>

#include "../../../target/cortex-m.h"
#include "../../../target/target.h"
#include "board.h"

#define DUAL_LOAD  (*(volatile uint32_t *)0x40002000)
#define DUAL_CTRL  (*(volatile uint32_t *)0x40002008)
#define DUAL_CLEAR (*(volatile uint32_t *)0x4000200c)
#define DUAL_ON	   0xa3u /* one shot of 32 bits, with an interrupt */
#define GUARD_LOAD (*(volatile uint32_t *)0x40002020)
#define GUARD_CTRL (*(volatile uint32_t *)0x40002028)
#define GUARD_ON   0x83u

#define NVIC_ISER  (*(volatile uint32_t *)0xe000e100)
#define NVIC_IPR2  (*(volatile uint32_t *)0xe000e408)
#define SCB_ICSR   (*(volatile uint32_t *)0xe000ed04)
#define SYST_PEND  (1u << 26)
#define SYST_CSR   (*(volatile uint32_t *)0xe000e010)
#define SYST_VAL   (*(volatile uint32_t *)0xe000e018)

static uint32_t seed;
static volatile uint32_t urgent;

void board_log(const char *text)
{
	uint32_t now = xTaskGetTickCount() - configINITIAL_TICK_COUNT;

	taskENTER_CRITICAL();
	for (uint32_t i = 10000; i > 1 && i > now; i /= 10)
		target_puts(" ");
	target_put_number(now);
	target_puts(": ");
	target_put_text(text);
	target_puts("\n");
	taskEXIT_CRITICAL();
}

void board_say(const char *text, uint32_t number)
{
	taskENTER_CRITICAL();
	target_put_text(text);
	target_puts(": ");
	target_put_number(number);
	target_puts("\n");
	taskEXIT_CRITICAL();
}

void board_exit(int status)
{
	target_exit(status);
}

void board_assert(const char *file, int line)
{
	target_put_text(file);
	target_puts(": assertion: ");
	target_put_number((uint32_t)line);
	target_puts("\n");
	target_exit(1);
}

void jif_panic(const char *why)
{
	board_assert(why, 0);
	board_exit(1);
}

/* See __wrap_jif_port_sleep() in test/target/cortex-m.c. */
void board_sleep(void)
{
	GUARD_CTRL = 0;
	GUARD_LOAD = SYST_VAL + 2;
	GUARD_CTRL = GUARD_ON;
}

uint32_t board_clock(void)
{
	return target_clock();
}

static uint32_t draw(uint32_t limit)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 16) * limit >> 16;
}

static void on_timer(void)
{
	board_interrupt();
	target_pend_after((500 + draw(4000) * (TICKLESS ? 100 : 1)) *
			  (1000000000 / target_clock_hz));
}

/* It must not call FreeRTOS, nor jif; it only comes in between. */
void TIMER2_IRQHandler(void)
{
	DUAL_CLEAR = 1;
	urgent++;
	DUAL_LOAD = 1000 + draw(9000) * (TICKLESS ? 100 : 1);
	DUAL_CTRL = DUAL_ON;
}

void board_start(uint32_t start)
{
	seed = start;
	NVIC_IPR2 = (SYSCALL_PRIORITY + 0x20) | 0u << 16;
	NVIC_ISER = 1u << COMPARE_IRQ;
	DUAL_LOAD = 1000;
	DUAL_CTRL = DUAL_ON;
	target_irq = on_timer;
	target_pend_after(40000);
}

void board_hold_ticks(void)
{
	SYST_CSR = 0;
}

void board_tick(void)
{
	SCB_ICSR = SYST_PEND;
	__asm__ volatile("dsb\n\tisb" : : : "memory");
}

void board_pend(void)
{
	target_pend_other();
}
