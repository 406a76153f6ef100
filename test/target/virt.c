/* SPDX-License-Identifier: MIT */
/*
 * test/target/virt.c - QEMU's RISC-V machine virt: UART, the CLINT's software
 * interrupt and the real time clock's alarm as the other interrupt, and that
 * clock, which QEMU is told to run on emulated time, as the clock
 */
#include "../../lib/port/jif_port.h"
#include "target.h"

#define MTIME_LOW	(*(volatile uint32_t *)0x0200bff8)
#define HALF_A_SECOND	5000000u

#define MSIP		(*(volatile uint32_t *)0x02000000)
#define UART_THR	(*(volatile uint8_t *)0x10000000)
#define FINISHER	(*(volatile uint32_t *)0x00100000)
#define FINISH_PASS	0x5555u
#define FINISH_FAIL	0x3333u

#define RTC_TIME_LOW	(*(volatile uint32_t *)0x00101000)
#define RTC_TIME_HIGH	(*(volatile uint32_t *)0x00101004)
#define RTC_ALARM_LOW	(*(volatile uint32_t *)0x00101008)
#define RTC_ALARM_HIGH	(*(volatile uint32_t *)0x0010100c)
#define RTC_IRQ_ENABLED (*(volatile uint32_t *)0x00101010)
#define RTC_CLEAR_IRQ	(*(volatile uint32_t *)0x0010101c)
#define RTC_IRQ		11u

#define PLIC_PRIORITY	((volatile uint32_t *)0x0c000000)
#define PLIC_ENABLE	(*(volatile uint32_t *)0x0c002000)
#define PLIC_THRESHOLD	(*(volatile uint32_t *)0x0c200000)
#define PLIC_CLAIM	(*(volatile uint32_t *)0x0c200004)

#define MIE_MSIE	(1u << 3)
#define MIE_MEIE	(1u << 11)
#define MSTATUS_MIE	(1u << 3)

#define CAUSE_SOFTWARE	0x80000003u
#define CAUSE_TIMER	0x80000007u
#define CAUSE_EXTERNAL	0x8000000bu

const uint32_t target_clock_hz = 1000000;

void (*volatile target_irq)(void);
void (*volatile target_tick)(void);
uint32_t target_sleeps;

void target_putc(char c)
{
	UART_THR = (uint8_t)c;
}

void target_exit(int status)
{
	FINISHER = status ? (uint32_t)status << 16 | FINISH_FAIL : FINISH_PASS;
	for (;;)
		;
}

static uint64_t nanoseconds(void)
{
	uint32_t low = RTC_TIME_LOW; /* which latches the other half */

	return (uint64_t)RTC_TIME_HIGH << 32 | low;
}

/* Microseconds; divided 16 bits at a time, as there is no library. */
uint32_t target_clock(void)
{
	uint64_t ns = nanoseconds();
	uint32_t part[2] = { (uint32_t)(ns >> 32), (uint32_t)ns };
	uint32_t quotient = 0, rest = 0;

	for (unsigned i = 0; i < 4; i++) {
		rest = rest << 16 | (uint16_t)(part[i / 2] >> (i & 1 ? 0 : 16));
		quotient = quotient << 16 | rest / 1000;
		rest %= 1000;
	}
	return quotient;
}

void target_pend(void)
{
	MSIP = 1;
	__asm__ volatile("fence\n\tnop\n\tnop" : : : "memory");
}

void target_pend_after(uint32_t ns)
{
	uint64_t when = nanoseconds() + ns;

	RTC_ALARM_HIGH = (uint32_t)(when >> 32);
	RTC_ALARM_LOW = (uint32_t)when;
}

/* Another trap writes the registers that this one returns by. */
void target_let_in(void (*within)(void))
{
	uint32_t pc, status;

	__asm__ volatile("csrr %0, mepc" : "=r"(pc));
	__asm__ volatile("csrr %0, mstatus" : "=r"(status));
	__asm__ volatile("csrs mstatus, %0" : : "r"(MSTATUS_MIE) : "memory");
	within();
	__asm__ volatile("csrc mstatus, %0" : : "r"(MSTATUS_MIE) : "memory");
	__asm__ volatile("csrw mstatus, %0" : : "r"(status));
	__asm__ volatile("csrw mepc, %0" : : "r"(pc));
}

static void other(void)
{
	if (target_irq)
		target_irq();
}

static void alarm(void)
{
	uint32_t line = PLIC_CLAIM;

	RTC_CLEAR_IRQ = 1;
	PLIC_CLAIM = line;
	other();
}

/* One vector for all: what a product's looks like, too. */
void __attribute__((interrupt("machine"), aligned(4))) trap(void);

void __attribute__((interrupt("machine"), aligned(4))) trap(void)
{
	uint32_t cause;

	__asm__ volatile("csrr %0, mcause" : "=r"(cause));
	jif_irq_enter();
	switch (cause) {
	case CAUSE_TIMER:
		jif_port_tick();
		if (target_tick)
			target_tick();
		break;
	case CAUSE_SOFTWARE:
		MSIP = 0;
		other();
		break;
	case CAUSE_EXTERNAL:
		alarm();
		break;
	default:
		target_puts("trap\n");
		target_exit(1);
	}
	jif_irq_exit();
}

void target_init(void)
{
	__asm__ volatile("csrw mtvec, %0" : : "r"(trap));
	/* Every run goes through a carry into the upper half. */
	MTIME_LOW = 0 - HALF_A_SECOND;
	PLIC_PRIORITY[RTC_IRQ] = 1;
	PLIC_ENABLE = 1u << RTC_IRQ;
	PLIC_THRESHOLD = 0;
	RTC_IRQ_ENABLED = 1;
	__asm__ volatile("csrs mie, %0" : : "r"(MIE_MSIE | MIE_MEIE));
}

extern uint32_t data_load[], data_begin[], data_end[], bss_begin[], bss_end[];

int main(void);
void target_main(void);

void target_main(void)
{
	const uint32_t *from = data_load;
	uint32_t *to;

	for (to = data_begin; to != data_end;)
		*to++ = *from++;
	for (to = bss_begin; to != bss_end;)
		*to++ = 0;
	target_init();
	__asm__ volatile("csrs mstatus, %0" : : "r"(MSTATUS_MIE) : "memory");
	target_exit(main());
}

void target_reset(void);

__attribute__((naked, section(".text.reset"))) void target_reset(void)
{
	__asm__ volatile(".option push\n\t"
			 ".option norelax\n\t"
			 "la gp, __global_pointer$\n\t"
			 ".option pop\n\t"
			 "la sp, stack_top\n\t"
			 "j target_main");
}
