/* SPDX-License-Identifier: MIT */
/*
 * jif/kit/sim.h - the simulated machine on which a host runs the engine
 *
 * Interrupts are what the test says they are: a function that is called at
 * every point at which the engine lets interrupts in. Time passes when the test
 * says so, by jif_tick(), and while the machine sleeps.
 */
#ifndef JIF_SIM_H
#define JIF_SIM_H

#include <jif/compiler.h>
#include <stdbool.h>
#include <stdint.h>

JIF_BEGIN_DECLS

/**
 * struct jif_sim - the machine
 * @irq:	called whenever interrupts are turned on again; NULL for none
 * @off:	how many jif_irq_save() are open
 * @in_irq:	@irq is being called
 * @windows:	how often interrupts have been turned on again
 * @sleep:	called by jif_port_idle() with the jiffies to sleep for; returns
 *		for how many of those the machine slept; NULL: for all of them
 * @sleeps:	how often the machine has slept
 */
struct jif_sim {
	void (*irq)(void);
	unsigned off;
	bool in_irq;
	unsigned long windows;
	uint32_t (*sleep)(uint32_t ticks);
	unsigned long sleeps;
};

extern struct jif_sim jif_sim;

/**
 * jif_sim_irq - let interrupts in now
 *
 * Calls the handler, unless interrupts are off or it is being called.
 * Context: any.
 */
void jif_sim_irq(void);

JIF_END_DECLS

#endif
