/* SPDX-License-Identifier: MIT */
/* lib/port/sim/sim.c - the simulated machine; see jif/kit/sim.h */
#include <jif/jiffies.h>
#include <jif/kit/sim.h>

#include "../jif_port.h"

struct jif_sim jif_sim;

void jif_sim_irq(void)
{
	if (!jif_sim.irq || jif_sim.off || jif_sim.in_irq)
		return;
	jif_sim.in_irq = true;
	jif_sim.irq();
	jif_sim.in_irq = false;
}

/* Here, a test calls jif_tick(). */
void jif_port_start(void)
{
}

void jif_port_idle(uint32_t ticks)
{
	if (!jif_sim.off)
		jif_panic("jif_port_idle() with interrupts on");
	if (ticks == UINT32_MAX && !jif_sim.sleep)
		jif_panic("jif_port_idle() and nothing to wake up for");
	jif_sim.sleeps++;
	jif_ticks(jif_sim.sleep ? jif_sim.sleep(ticks) : ticks);
}
