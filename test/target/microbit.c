/* SPDX-License-Identifier: MIT */
/*
 * test/target/microbit.c - BBC micro:bit (nRF51, Cortex-M0): UART 0, TIMER0 for
 * the other interrupt, TIMER1 as the clock
 */
#include "cortex-m.h"
#include "target.h"

#define REG(base, offset) (*(volatile uint32_t *)((base) + (offset)))

#define UART		  0x40002000u
#define UART_STARTTX	  0x008
#define UART_TXDRDY	  0x11c
#define UART_ENABLE	  0x500
#define UART_PSELTXD	  0x50c
#define UART_TXD	  0x51c
#define UART_BAUDRATE	  0x524
#define UART_ON		  4u
#define UART_TX_PIN	  24u
#define UART_115200	  0x01d7e000u

#define TIMER0		  0x40008000u
#define TIMER1		  0x40009000u
#define TIMER2		  0x4000a000u
#define TIMER_START	  0x000
#define TIMER_STOP	  0x004
#define TIMER_CLEAR	  0x00c
#define TIMER_CAPTURE1	  0x044
#define TIMER_COMPARE0	  0x140
#define TIMER_SHORTS	  0x200
#define TIMER_INTENSET	  0x304
#define TIMER_BITMODE	  0x508
#define TIMER_PRESCALER	  0x510
#define TIMER_CC0	  0x540
#define TIMER_CC1	  0x544
#define COMPARE0_STOPS	  (1u << 8)
#define COMPARE0_INT	  (1u << 16)
#define BITS_32		  3u

#define MHZ		  16u
#define CLOCK_SHIFT	  4u

const uint32_t target_clock_hz = MHZ * 1000000 >> CLOCK_SHIFT;

static void one_shot(uint32_t timer, uint32_t counts)
{
	REG(timer, TIMER_STOP) = 1;
	REG(timer, TIMER_CLEAR) = 1;
	REG(timer, TIMER_COMPARE0) = 0;
	REG(timer, TIMER_BITMODE) = BITS_32;
	REG(timer, TIMER_PRESCALER) = 0;
	REG(timer, TIMER_SHORTS) = COMPARE0_STOPS;
	REG(timer, TIMER_CC0) = counts;
	REG(timer, TIMER_START) = 1;
}

void target_init(void)
{
	REG(UART, UART_PSELTXD) = UART_TX_PIN;
	REG(UART, UART_BAUDRATE) = UART_115200;
	REG(UART, UART_ENABLE) = UART_ON;
	REG(UART, UART_STARTTX) = 1;
	REG(TIMER1, TIMER_BITMODE) = BITS_32;
	REG(TIMER1, TIMER_PRESCALER) = CLOCK_SHIFT;
	REG(TIMER1, TIMER_START) = 1;
	REG(TIMER0, TIMER_INTENSET) = COMPARE0_INT;
}

void target_putc(char c)
{
	REG(UART, UART_TXDRDY) = 0;
	REG(UART, UART_TXD) = (unsigned char)c;
	while (!REG(UART, UART_TXDRDY))
		;
}

uint32_t target_clock(void)
{
	REG(TIMER1, TIMER_CAPTURE1) = 1;
	return REG(TIMER1, TIMER_CC1);
}

void other_irq_ack(void)
{
	REG(TIMER0, TIMER_STOP) = 1;
	REG(TIMER0, TIMER_COMPARE0) = 0;
}

void target_pend_after(uint32_t ns)
{
	one_shot(TIMER0, ns / 1000 * MHZ + ns % 1000 * MHZ / 1000);
}

void guard(uint32_t counts)
{
	one_shot(TIMER2, counts);
}
