/* SPDX-License-Identifier: MIT */
/*
 * test/tools/docs/examples/guard.c - an event right after SysTick's, for the
 * QEMU of test/target/cortex-m.c
 */
#include <stdint.h>

#define SYST_VAL   (*(volatile uint32_t *)0xe000e018)
#define GUARD_LOAD (*(volatile uint32_t *)0x40002000)
#define GUARD_CTRL (*(volatile uint32_t *)0x40002008)

void __wrap_jif_port_sleep(void);
void __real_jif_port_sleep(void);

void __wrap_jif_port_sleep(void)
{
	GUARD_CTRL = 0;
	GUARD_LOAD = SYST_VAL + 2;
	GUARD_CTRL = 0xc3;
	__real_jif_port_sleep();
}
