/* SPDX-License-Identifier: MIT */
/*
 * lib/port/cortex-m/sleep.c - the sleep itself
 *
 * The DSB: what was written before, such as to a peripheral that is to wake the
 * processor, has got there when it sleeps. The ISB: so has what the sleep has
 * changed, before interrupts are let in.
 */
#include <jif/port.h>

JIF_WEAK void jif_port_sleep(void)
{
	__asm__ volatile("dsb\n\twfi\n\tisb" : : : "memory");
}
