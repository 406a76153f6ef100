/* SPDX-License-Identifier: MIT */
/*
 * test/kernels/freertos/cm3.c - Arm MPS2 with the image AN385 as a board
 *
 * Timer 0 interrupts at random times, at a priority from which FreeRTOS may be
 * called; the dual timer at one that is too urgent for that. Timer 1 is the
 * clock.
 */
#include <FreeRTOS.h>
#include <jif/port.h>
#include <task.h>

#include "board.h"

struct timer {
	uint32_t ctrl;
	uint32_t value;
	uint32_t reload;
	uint32_t intclear;
};

#define TIMER0		  ((volatile struct timer *)0x40000000)
#define TIMER1		  ((volatile struct timer *)0x40001000)
#define TIMER_ON	  1u
#define TIMER_INT	  8u

#define DUAL_LOAD	  (*(volatile uint32_t *)0x40002000)
#define DUAL_CTRL	  (*(volatile uint32_t *)0x40002008)
#define DUAL_CLEAR	  (*(volatile uint32_t *)0x4000200c)
#define DUAL_ON		  0xa3u /* one shot of 32 bits, with an interrupt */
#define GUARD_LOAD	  (*(volatile uint32_t *)0x40002020)
#define GUARD_CTRL	  (*(volatile uint32_t *)0x40002028)
#define GUARD_ON	  0x83u

#define UART_DATA	  (*(volatile uint32_t *)0x40004000)
#define UART_STATE	  (*(volatile uint32_t *)0x40004004)
#define UART_CTRL	  (*(volatile uint32_t *)0x40004008)
#define UART_BAUD	  (*(volatile uint32_t *)0x40004010)

#define NVIC_ISER	  (*(volatile uint32_t *)0xe000e100)
#define NVIC_ISPR	  (*(volatile uint32_t *)0xe000e200)
#define NVIC_IPR2	  (*(volatile uint32_t *)0xe000e408)
#define SYST_VAL	  (*(volatile uint32_t *)0xe000e018)
#define TIMER0_IRQ	  8
#define DUAL_IRQ	  10
#define SYS_EXIT_EXTENDED 0x20

extern uint32_t stack_top[], data_load[], data_begin[], data_end[];
extern uint32_t bss_begin[], bss_end[];

static uint32_t seed;
static volatile uint32_t urgent;

static void put(const char *text)
{
	while (*text)
		UART_DATA = (unsigned char)*text++;
}

static void put_number(uint32_t number, unsigned width)
{
	char digits[11];
	unsigned i = 10;

	digits[i] = 0;
	do
		digits[--i] = (char)('0' + number % 10);
	while (number /= 10);
	while (10 - i < width)
		digits[--i] = ' ';
	put(digits + i);
}

void board_log(const char *text)
{
	taskENTER_CRITICAL();
	put_number(xTaskGetTickCount() - configINITIAL_TICK_COUNT, 5);
	put(": ");
	put(text);
	put("\n");
	taskEXIT_CRITICAL();
}

void board_say(const char *text, uint32_t number)
{
	taskENTER_CRITICAL();
	put(text);
	put(": ");
	put_number(number, 1);
	put("\n");
	taskEXIT_CRITICAL();
}

void board_exit(int status)
{
	uint32_t block[2] = { 0x20026, (uint32_t)status };
	register uint32_t op __asm__("r0") = SYS_EXIT_EXTENDED;
	register uint32_t *argument __asm__("r1") = block;

	__asm__ volatile("bkpt 0xab" : "+r"(op) : "r"(argument) : "memory");
	for (;;)
		;
}

void board_assert(const char *file, int line)
{
	put(file);
	put(": assertion: ");
	put_number((uint32_t)line, 1);
	put("\n");
	board_exit(1);
}

void jif_panic(const char *why)
{
	board_assert(why, 0);
	board_exit(1);
}

/*
 * QEMU 7.2 with -icount sleep=off: when SysTick expires while the processor
 * sleeps, there has to be another event right after that, or time jumps.
 */
void board_sleep(void)
{
	GUARD_CTRL = 0;
	GUARD_LOAD = SYST_VAL + 2;
	GUARD_CTRL = GUARD_ON;
}

uint32_t board_clock(void)
{
	return ~TIMER1->value;
}

static uint32_t draw(uint32_t limit)
{
	seed = seed * 1664525 + 1013904223;
	return (seed >> 16) * limit >> 16;
}

static void timer0(void)
{
	TIMER0->ctrl = 0;
	TIMER0->intclear = 1;
	board_interrupt();
	TIMER0->value = 500 + draw(4000) * (TICKLESS ? 100 : 1);
	TIMER0->ctrl = TIMER_ON | TIMER_INT;
}

/* It must not call FreeRTOS, nor jif; it only comes in between. */
static void too_urgent(void)
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
	NVIC_ISER = 1u << TIMER0_IRQ | 1u << DUAL_IRQ;
	DUAL_LOAD = 1000;
	DUAL_CTRL = DUAL_ON;
	TIMER0->value = 1000;
	TIMER0->ctrl = TIMER_ON | TIMER_INT;
}

void board_pend(void)
{
	NVIC_ISPR = 1u << TIMER0_IRQ;
	__asm__ volatile("dsb\n\tisb" : : : "memory");
}

static void fault(void)
{
	put("fault\n");
	board_exit(1);
}

int main(void);
void vPortSVCHandler(void);
void xPortPendSVHandler(void);
void xPortSysTickHandler(void);
void target_reset(void);

void target_reset(void)
{
	const uint32_t *from = data_load;
	uint32_t *to;

	for (to = data_begin; to != data_end;)
		*to++ = *from++;
	for (to = bss_begin; to != bss_end;)
		*to++ = 0;
	UART_BAUD = 16;
	UART_CTRL = 1;
	TIMER1->reload = UINT32_MAX;
	TIMER1->value = UINT32_MAX;
	TIMER1->ctrl = TIMER_ON;
	board_exit(main());
}

__attribute__((section(".vectors"),
	       used)) static void (*const vectors[])(void) = {
	(void (*)(void))stack_top,
	target_reset,
	fault,
	fault,
	fault,
	fault,
	fault,
	[11] = vPortSVCHandler,
	[14] = xPortPendSVHandler,
	xPortSysTickHandler,
	[16 + TIMER0_IRQ] = timer0,
	[16 + TIMER0_IRQ + 1] = board_interrupt,
	[16 + DUAL_IRQ] = too_urgent,
};
