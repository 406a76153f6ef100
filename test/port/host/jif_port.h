/* SPDX-License-Identifier: MIT */
/*
 * test/port/host/jif_port.h - interrupts of the simulated registers' machine;
 * the names are those that the ports define with instructions of their own
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef uint32_t jif_irq_t;

jif_irq_t jif_irq_save(void);
void jif_irq_restore(jif_irq_t flags);
bool jif_in_irq(void);

/* Cortex-M */
static inline jif_irq_t jif_irq_save_all(void)
{
	return 0;
}

static inline void jif_irq_restore_all(jif_irq_t flags)
{
}

/* RISC-V */
extern volatile uint8_t jif_irq_depth;

static inline void jif_irq_enable(uint32_t sources)
{
}
