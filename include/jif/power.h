/* SPDX-License-Identifier: MIT */
/*
 * jif/power.h - how deep to sleep: as deep as is worth it and nobody forbids
 *
 * A product lists its modes, from the lightest to the deepest. A driver that
 * needs a clock which some mode stops adds a limit for as long as it does; the
 * scheduler knows for how long nothing is due.
 */
#ifndef JIF_POWER_H
#define JIF_POWER_H

#include <jif/types.h>

#include <jif/compiler.h>

JIF_BEGIN_DECLS

/** JIF_POWER_MODES - the most modes that a product may have */
#define JIF_POWER_MODES 8

/**
 * struct jif_power_mode - a way to sleep
 * @idle:	jif_port_idle(), or what sleeps as it does
 * @worth:	sleeps that are shorter are not worth it, in jiffies; at least
 *		as long as that of the mode before
 * @lead:	for how long before its end the sleep has to be over, since the
 *		clocks take that long to start; less than @worth, and 0 for the
 *		lightest mode
 */
struct jif_power_mode {
	void (*idle)(uint32_t ticks);
	uint32_t worth;
	uint32_t lead;
};

/** struct jif_power - the modes and their limits */
struct jif_power {
	/* private: */
	const struct jif_power_mode *modes; /* the lightest one first */
	unsigned count;
	uint8_t limits[JIF_POWER_MODES]; /* how many forbid a deeper one */
};

/**
 * jif_power_init - begin without limits
 * @power:	memory
 * @modes:	from the lightest to the deepest; they stay there
 * @count:	how many, 1 to JIF_POWER_MODES
 * Context: before @power is used.
 * Return: 0; -JIF_EINVAL if @count is out of range, and nothing has changed.
 */
int jif_power_init(struct jif_power *power, const struct jif_power_mode *modes,
		   unsigned count);

/**
 * jif_power_limit - from now on, sleep no deeper than that
 * @power:	the modes
 * @mode:	the number of the deepest one that may be, from 0 on
 *
 * Limits add up: each is taken away on its own.
 * Context: any.
 * Return: 0; -JIF_EINVAL if there is no such mode, or 255 limits of it already,
 * and nothing has changed.
 */
int jif_power_limit(struct jif_power *power, unsigned mode);

/**
 * jif_power_allow - take a limit away again
 * @power:	the modes
 * @mode:	as it was given to jif_power_limit()
 * Context: any.
 * Return: 0; -JIF_EINVAL if there is no such limit, and nothing has changed.
 */
int jif_power_allow(struct jif_power *power, unsigned mode);

/**
 * jif_power_find - in which mode would the machine sleep?
 * @power:	the modes
 * @ticks:	for how long nothing has to be done, in jiffies
 * Context: any.
 * Return: the number of the deepest mode that is worth it and that no limit
 * forbids; 0 if none is.
 */
unsigned jif_power_find(const struct jif_power *power, uint32_t ticks);

/**
 * jif_power_sleep - sleep in that mode
 * @power:	the modes
 * @ticks:	for how long nothing has to be done, in jiffies
 *
 * For the idle function of a scheduler or a main loop: it calls that of the
 * mode, with the ticks without its lead; not at all if that leaves none.
 * Context: the main loop, with interrupts off.
 */
void jif_power_sleep(const struct jif_power *power, uint32_t ticks);

JIF_END_DECLS

#endif
