/* SPDX-License-Identifier: MIT */
/* lib/port/sim/jif_port.h - the simulated machine; see jif/kit/sim.h */
#ifndef JIF_LIB_PORT_SIM_H
#define JIF_LIB_PORT_SIM_H

#include <jif/kit/sim.h>

typedef unsigned jif_irq_t;

static inline jif_irq_t jif_irq_save(void)
{
	return jif_sim.off++;
}

static inline void jif_irq_restore(jif_irq_t flags)
{
	jif_sim.off = flags;
	if (flags)
		return;
	jif_sim.windows++;
	if (jif_sim.irq)
		jif_sim_irq();
}

static inline bool jif_in_irq(void)
{
	return jif_sim.in_irq;
}

#endif
