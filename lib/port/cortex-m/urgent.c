/* SPDX-License-Identifier: MIT */
/*
 * lib/port/cortex-m/urgent.c - may this handler call jif? One that is above
 * CONFIG_JIF_CORTEX_M_BASEPRI comes in the middle of what the engine does.
 */
#include "../../bug.h"
#include "../jif_port.h"

/* The exceptions whose priority can be set; those before them are above all. */
#define FIRST_SET   4u
#define FIRST_IRQ   16u

#define SHPR(n)	    (*(volatile uint8_t *)(0xe000ed18 + (n)))
#define NVIC_IPR(n) (*(volatile uint8_t *)(0xe000e400 + (n)))

#if CONFIG_JIF_CORTEX_M_BASEPRI
void jif_irq_check(void)
{
	uint32_t running, priority = 0;

	__asm__ volatile("mrs %0, ipsr" : "=r"(running));
	if (!running)
		return;
	if (running >= FIRST_IRQ)
		priority = NVIC_IPR(running - FIRST_IRQ);
	else if (running >= FIRST_SET)
		priority = SHPR(running - FIRST_SET);
	JIF_BUG(priority < CONFIG_JIF_CORTEX_M_BASEPRI,
		"called from an interrupt above CONFIG_JIF_CORTEX_M_BASEPRI");
}
#endif
