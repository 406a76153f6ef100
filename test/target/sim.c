/* SPDX-License-Identifier: MIT */
/*
 * test/target/sim.c - the simulated machine of jif/sim.h where there is no C
 * library: what the unit tests run on, compiled for the target
 */
#include <jif/jiffies.h>
#include <jif/port.h>
#include <jif/sim.h>

struct jif_sim jif_sim;
volatile uint8_t jif_irq_depth;

void jif_sim_irq(void)
{
	if (!jif_sim.irq || jif_sim.off || jif_sim.in_irq)
		return;
	jif_sim.in_irq = true;
	jif_sim.irq();
	jif_sim.in_irq = false;
}

/* Here, a test calls jif_tick(); the machine's own tick is not used. */
void jif_port_tick(void)
{
}

void jif_port_idle(uint32_t ticks)
{
	if (!jif_sim.off || (ticks == UINT32_MAX && !jif_sim.sleep))
		jif_panic("jif_port_idle()");
	jif_sim.sleeps++;
	jif_ticks(jif_sim.sleep ? jif_sim.sleep(ticks) : ticks);
}
