/* SPDX-License-Identifier: MIT */
/*
 * Start-up of a Cortex-M: what the vendor's files do otherwise. SysTick's
 * handler is that of lib/port/cortex-m.
 */
#include <stdint.h>

extern uint32_t stack_top[], data_load[], data_begin[], data_end[];
extern uint32_t bss_begin[], bss_end[];

int main(void);
void SysTick_Handler(void);
void reset(void);

void reset(void)
{
	const uint32_t *from = data_load;
	uint32_t *to;

	for (to = data_begin; to != data_end;)
		*to++ = *from++;
	for (to = bss_begin; to != bss_end;)
		*to++ = 0;
	main();
}

static void fault(void)
{
	for (;;)
		;
}

__attribute__((section(".vectors"),
	       used)) static void (*const vectors[])(void) = {
	(void (*)(void))stack_top,
	reset,
	[2] = fault,  /* NMI */
	[3] = fault,  /* HardFault */
	[11] = fault, /* SVC */
	[14] = fault, /* PendSV */
	[15] = SysTick_Handler,
};
