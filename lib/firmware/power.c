/* SPDX-License-Identifier: MIT */
/*
 * lib/firmware/power.c - how deep to sleep: as deep as is worth it and nobody
 * forbids
 */
#include <jif/power.h>

#include "../bug.h"
#include "../port/jif_port.h"

int jif_power_init(struct jif_power *power, const struct jif_power_mode *modes,
		   unsigned count)
{
	if (count - 1 >= JIF_POWER_MODES)
		return jif_invalid("a sleep has 1 to 8 modes", power);
	*power = (struct jif_power){ .modes = modes, .count = count };
	return 0;
}

/* One limit more or less, where there are not @end already. */
static int count_limit(struct jif_power *power, unsigned mode, uint8_t end,
		       int change)
{
	jif_irq_t flags = jif_irq_save();
	bool valid = mode < power->count && power->limits[mode] != end;

	if (valid)
		power->limits[mode] = (uint8_t)(power->limits[mode] + change);
	jif_irq_restore(flags);
	return valid ? 0 : jif_invalid("a sleep has no such limit", power);
}

int jif_power_limit(struct jif_power *power, unsigned mode)
{
	return count_limit(power, mode, UINT8_MAX, 1);
}

int jif_power_allow(struct jif_power *power, unsigned mode)
{
	return count_limit(power, mode, 0, -1);
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

	if (mode->lead < ticks)
		mode->idle(ticks - mode->lead);
	else if (CONFIG_JIF_DEBUG)
		jif_misused("a sleep is shorter than what it takes to wake up",
			    power, NULL);
}
