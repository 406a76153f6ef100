/* SPDX-License-Identifier: MIT */
/*
 * lib/port/cortex-m/sleep.c - the sleep itself
 */
#include "sleep.h"

void __attribute__((weak)) jif_port_sleep(void)
{
	__asm__ volatile("dsb\n\twfi\n\tisb" : : : "memory");
}
