/* SPDX-License-Identifier: MIT */
/*
 * test/target/mps2.c - Arm MPS2 with the image AN385 (Cortex-M3) or AN386
 * (Cortex-M4): UART 0, timer 0 for the other interrupt, timer 1 as the clock
 */
#include "cortex-m.h"
#include "target.h"

struct timer {
	uint32_t ctrl;
	uint32_t value;
	uint32_t reload;
	uint32_t intclear;
};

#define TIMER0	  ((volatile struct timer *)0x40000000)
#define TIMER1	  ((volatile struct timer *)0x40001000)
#define TIMER_ON  1u
#define TIMER_INT 8u

/* The dual timer, for one shot without an interrupt. */
#define GUARD_LOAD (*(volatile uint32_t *)0x40002000)
#define GUARD_CTRL (*(volatile uint32_t *)0x40002008)
#define GUARD_ON   0xc3u

/* The watchdog, which is heard with interrupts off, and in any sleep. */
#define WATCHDOG_LOAD	  (*(volatile uint32_t *)0x40008000)
#define WATCHDOG_CTRL	  (*(volatile uint32_t *)0x40008008)
#define WATCHDOG_INTCLEAR (*(volatile uint32_t *)0x4000800c)
#define WATCHDOG_ON	  1u

#define UART_DATA	  (*(volatile uint32_t *)0x40004000)
#define UART_STATE	  (*(volatile uint32_t *)0x40004004)
#define UART_CTRL	  (*(volatile uint32_t *)0x40004008)
#define UART_BAUD	  (*(volatile uint32_t *)0x40004010)
#define UART_FULL	  1u
#define UART_TX		  1u

#define HZ		  25000000u
#define NS		  (1000000000u / HZ)

const uint32_t target_clock_hz = HZ;

void target_init(void)
{
	UART_BAUD = 16;
	UART_CTRL = UART_TX;
	TIMER1->reload = UINT32_MAX;
	TIMER1->value = UINT32_MAX;
	TIMER1->ctrl = TIMER_ON;
}

void target_limit(uint32_t seconds)
{
	WATCHDOG_INTCLEAR = 1;
	WATCHDOG_LOAD = seconds * HZ;
	WATCHDOG_CTRL = WATCHDOG_ON;
}

void target_putc(char c)
{
	while (UART_STATE & UART_FULL)
		;
	UART_DATA = (unsigned char)c;
}

uint32_t target_clock(void)
{
	return ~TIMER1->value;
}

void other_irq_ack(void)
{
	TIMER0->ctrl = 0;
	TIMER0->intclear = 1;
}

void target_pend_after(uint32_t ns)
{
	other_irq_ack();
	TIMER0->value = ns / NS;
	TIMER0->ctrl = TIMER_ON | TIMER_INT;
}

void guard(uint32_t counts)
{
	GUARD_CTRL = 0;
	GUARD_LOAD = counts;
	GUARD_CTRL = GUARD_ON;
}
