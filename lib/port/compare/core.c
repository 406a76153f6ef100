/* SPDX-License-Identifier: MIT */
/* lib/port/compare/core.c - what a core's own port has beside its timer */
#include <jif/port.h>

#include "../jif_port.h"

#if defined(__riscv)
#include "../riscv/irq.c"
#include "../riscv/sleep.c"
#elif defined(__AVR__)
#include "../riscv/irq.c"

/* The product has chosen the mode, and set the bit that enables it. */
JIF_WEAK void jif_port_sleep(void)
{
	__asm__ volatile("sei\n\tsleep\n\tcli" : : : "memory");
}
#elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#include "../cortex-m/sleep.c"
#include "../cortex-m/urgent.c"
#endif
