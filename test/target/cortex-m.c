/* SPDX-License-Identifier: MIT */
/* Start-up, vectors and exit of the Cortex-M machines */
#include "cortex-m.h"

#include <jif/config.h>
#include <jif/port.h>

#include "target.h"

#define NVIC_ISER (*(volatile uint32_t *)0xe000e100)
#define NVIC_ISPR (*(volatile uint32_t *)0xe000e200)

/* The priorities of the lines 8 to 11; those of the last two are not ours. */
#define NVIC_IPR2			   (*(volatile uint32_t *)0xe000e408)
#define LATER				   (UINT32_C(0xc0) << 8)

#define SYST_VAL			   (*(volatile uint32_t *)0xe000e018)

#define SYS_EXIT_EXTENDED		   0x20
#define ADP_STOPPED_APPLICATION_EXIT	   0x20026
#define ADP_STOPPED_RUN_TIME_ERROR_UNKNOWN 0x20023

#pragma weak target_late

extern uint32_t stack_top[], data_load[], data_begin[], data_end[];
extern uint32_t bss_begin[], bss_end[];

void (*volatile target_irq)(void);
void (*volatile target_tick)(void);
uint32_t target_sleeps;

static void semihost_exit(uint32_t reason, uint32_t status)
{
	uint32_t block[2] = { reason, status };
	register uint32_t op __asm__("r0") = SYS_EXIT_EXTENDED;
	register uint32_t *argument __asm__("r1") = block;

	__asm__ volatile("bkpt 0xab" : "+r"(op) : "r"(argument) : "memory");
}

void target_exit(int status)
{
	semihost_exit(ADP_STOPPED_APPLICATION_EXIT, (uint32_t)status);
	for (;;)
		;
}

void target_pend(void)
{
	NVIC_ISPR = UINT32_C(1) << PEND_IRQ;
	__asm__ volatile("dsb\n\tisb" : : : "memory");
}

/* What it lets in has the higher priority. */
void target_let_in(void (*within)(void))
{
	within();
}

void target_set_priority(uint8_t priority)
{
	NVIC_IPR2 = (NVIC_IPR2 & 0xffff0000) | LATER | priority;
}

void target_pend_other(void)
{
	NVIC_ISPR = UINT32_C(1) << OTHER_IRQ;
	__asm__ volatile("dsb\n\tisb" : : : "memory");
}

/* As if an exception had come right before @to; there must be one only. */
__attribute__((naked)) void target_leave_irq(void (*to)(void))
{
	__asm__ volatile(".syntax unified\n\t"
			 "movs r1, #1\n\t"
			 "lsls r1, r1, #24\n\t"
			 "sub sp, #32\n\t"
			 "str r0, [sp, #24]\n\t"
			 "str r1, [sp, #28]\n\t"
			 "movs r0, #6\n\t"
			 "mvns r0, r0\n\t"
			 "bx r0");
}

/*
 * QEMU 7.2 with -icount sleep=off: when SysTick expires while the processor
 * sleeps, it is restarted before its interrupt is raised, and restarting it
 * lets time jump to the next event of any timer: a whole period later. So there
 * is to be an event right after the end of the period. QEMU also lets what
 * BASEPRI keeps out end a WFI, which no processor does (B1.5.19).
 */
static void check_masks(void)
{
#if CONFIG_JIF_CORTEX_M_BASEPRI
	uint32_t primask, basepri;

	__asm__("mrs %0, primask\n\tmrs %1, basepri"
		: "=r"(primask), "=r"(basepri));
	if (!primask || basepri)
		jif_panic("what is kept out does not end this sleep");
#endif
}

void __wrap_jif_port_sleep(void);
void __real_jif_port_sleep(void);

void __wrap_jif_port_sleep(void)
{
	target_sleeps++;
	if (CONFIG_JIF_CORTEX_M_BASEPRI)
		check_masks();
	if (!CONFIG_JIF_COMPARE)
		guard(SYST_VAL + 2);
	__real_jif_port_sleep();
}

static void pended(void)
{
	if (target_irq)
		target_irq();
}

static void other(void)
{
	other_irq_ack();
	if (target_irq)
		target_irq();
}

static void fault(void)
{
	target_puts("fault\n");
	semihost_exit(ADP_STOPPED_RUN_TIME_ERROR_UNKNOWN, 1);
	for (;;)
		;
}

int main(void);

void target_reset(void);

void target_reset(void)
{
	const uint32_t *from = data_load;
	uint32_t *to;

	for (to = data_begin; to != data_end;)
		*to++ = *from++;
	for (to = bss_begin; to != bss_end;)
		*to++ = 0;
	__asm__ volatile("cpsid i" : : : "memory");
	target_init();
	NVIC_IPR2 = LATER | TARGET_LOW;
	NVIC_ISER = UINT32_C(1) << OTHER_IRQ | UINT32_C(1) << PEND_IRQ;
	__asm__ volatile("cpsie i" : : : "memory");
	target_exit(main());
}

/* Two are a kernel's; the last is that of lib/port/compare/nrf_timer.h. */
void SVC_Handler(void) __attribute__((weak, alias("fault")));
void PendSV_Handler(void) __attribute__((weak, alias("fault")));
void SysTick_Handler(void) __attribute__((weak));
void TIMER2_IRQHandler(void) __attribute__((weak));

#if !CONFIG_JIF_PORT_VECTOR
#if CONFIG_JIF_COMPARE
#define SysTick_Handler TIMER2_IRQHandler
#endif

void SysTick_Handler(void)
{
	jif_port_tick();
	if (target_tick)
		target_tick();
}
#undef SysTick_Handler
#endif

__attribute__((section(".vectors"),
	       used)) static void (*const vectors[])(void) = {
	(void (*)(void))stack_top,
	target_reset,
	target_late, /* NMI */
	fault,	     /* HardFault */
	fault,
	fault,
	fault,
	[11] = SVC_Handler,
	fault,
	[14] = PendSV_Handler,
	SysTick_Handler,
	[16] = fault,
	fault,
	fault,
	fault,
	fault,
	fault,
	fault,
	fault,
	[16 + OTHER_IRQ] = other,
	[16 + PEND_IRQ] = pended,
	[16 + COMPARE_IRQ] = TIMER2_IRQHandler,
};
