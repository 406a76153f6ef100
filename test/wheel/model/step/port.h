/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/step/port.h - a port to a processor with one interrupt
 *
 * The interrupt comes before any instruction that step.c chooses; if that is
 * one with interrupts off, it is pending and comes when they are let in.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef unsigned jif_irq_t;

/**
 * struct step_port - the processor's flags
 * @off:	interrupts are off
 * @mask:	what turning them off makes of @off; 0: it does not work
 * @pending:	the interrupt has come while they were off
 * @in_irq:	its handler runs
 */
struct step_port {
	volatile unsigned off;
	unsigned mask;
	volatile bool pending;
	bool in_irq;
};

extern struct step_port step_port;

/* The interrupt. */
void step_irq(void);

static inline jif_irq_t jif_irq_save(void)
{
	jif_irq_t flags = step_port.off;

	step_port.off = step_port.mask;
	__asm__ volatile("" : : : "memory");
	return flags;
}

static inline void jif_irq_restore(jif_irq_t flags)
{
	__asm__ volatile("" : : : "memory");
	step_port.off = flags;
	if (!flags && step_port.pending)
		step_irq();
	__asm__ volatile("" : : : "memory");
}

static inline bool jif_in_irq(void)
{
	return step_port.in_irq;
}
