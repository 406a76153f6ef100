/* SPDX-License-Identifier: MIT */
/*
 * lib/power.c - how deep to sleep: as deep as is worth it and nobody forbids
 */
#include <jif/power.h>

#include "bug.h"
#include "port/jif_port.h"

void jif_power_init(struct jif_power *power, const struct jif_power_mode *modes,
		    unsigned count)
{
	JIF_BUG_ON(count - 1 >= JIF_POWER_MODES);
	*power = (struct jif_power){ .modes = modes, .count = count };
}

void jif_power_add(struct jif_power *power, unsigned mode)
{
	jif_irq_t flags = jif_irq_save();

	JIF_BUG_ON(mode >= power->count || power->limits[mode] == UINT8_MAX);
	power->limits[mode]++;
	jif_irq_restore(flags);
}

void jif_power_del(struct jif_power *power, unsigned mode)
{
	jif_irq_t flags = jif_irq_save();

	JIF_BUG_ON(mode >= power->count || !power->limits[mode]);
	power->limits[mode]--;
	jif_irq_restore(flags);
}

unsigned jif_power_find(const struct jif_power *power, uint32_t ticks)
{
	unsigned mode = 0;

	while (mode + 1 < power->count && !power->limits[mode] &&
	       power->modes[mode + 1].worth <= ticks)
		mode++;
	return mode;
}

void jif_power_sleep(const struct jif_power *power, uint32_t ticks)
{
	const struct jif_power_mode *mode =
		&power->modes[jif_power_find(power, ticks)];

	JIF_BUG_ON(mode->lead >= ticks);
	mode->idle(ticks - mode->lead);
}
