/* SPDX-License-Identifier: MIT */
/* lib/port/riscv/irq.c - which handlers are under way */
#include <jif/port.h>

#include "../jif_port.h"

volatile uint8_t jif_irq_depth;

void jif_irq_enter(void)
{
	jif_irq_depth++;
}

void jif_irq_exit(void)
{
	jif_irq_depth--;
}
