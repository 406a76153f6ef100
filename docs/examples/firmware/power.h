/* SPDX-License-Identifier: MIT */
/*
 * power.h - sleeps as deep as is worth it and nobody forbids
 *
 * Each driver has a number, and says how deep the machine may sleep now. That
 * is one byte, which it writes from any context.
 */
#ifndef POWER_H
#define POWER_H

#include <stdint.h>

#ifndef POWER_USERS
#define POWER_USERS 4
#endif

/*
 * A way to sleep. Shorter sleeps than @worth are left to the mode before. The
 * clocks take @lead ticks to start: less than @worth, and 0 for the first one.
 */
struct power_mode {
	void (*idle)(uint32_t ticks);
	uint32_t worth;
	uint32_t lead;
};

struct power {
	const struct power_mode *modes; /* the lightest one first */
	volatile uint8_t most[POWER_USERS];
};

static inline void power_init(struct power *power,
			      const struct power_mode *modes, uint8_t count)
{
	power->modes = modes;
	for (unsigned i = 0; i < POWER_USERS; i++)
		power->most[i] = (uint8_t)(count - 1);
}

/* From now on, sleep no deeper than that for this driver. */
static inline void power_limit(struct power *power, unsigned user, uint8_t mode)
{
	power->most[user] = mode;
}

/* For the scheduler's idle function: interrupts are off. */
static inline void power_sleep(const struct power *power, uint32_t ticks)
{
	uint8_t mode = power->most[0];

	for (unsigned i = 1; i < POWER_USERS; i++)
		if (power->most[i] < mode)
			mode = power->most[i];
	while (mode && power->modes[mode].worth > ticks)
		mode--;
	power->modes[mode].idle(ticks - power->modes[mode].lead);
}

#endif
