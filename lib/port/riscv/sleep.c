/* SPDX-License-Identifier: MIT */
/*
 * lib/port/riscv/sleep.c - the sleep itself
 *
 * A WFI ends when an interrupt that mie lets through is pending, also with
 * mstatus.MIE off (privileged architecture, "Wait for Interrupt").
 */
#include <jif/port.h>

JIF_WEAK void jif_port_sleep(void)
{
	__asm__ volatile("wfi" : : : "memory");
}
