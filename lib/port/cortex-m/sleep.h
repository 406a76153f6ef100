/* SPDX-License-Identifier: MIT */
/*
 * lib/port/cortex-m/sleep.h - the sleep itself
 */
#ifndef JIF_LIB_PORT_CORTEX_M_SLEEP_H
#define JIF_LIB_PORT_CORTEX_M_SLEEP_H

/*
 * Waits for an interrupt, with interrupts off. A product that has to do more,
 * such as to choose how deeply, defines its own, and the library's gives way.
 * SysTick has to go on counting.
 */
void jif_port_sleep(void);

#endif
