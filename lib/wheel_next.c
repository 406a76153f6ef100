/* SPDX-License-Identifier: MIT */
/* lib/wheel_next.c - where a wheel has to stop next, if it has to */
#include <jif/wheel.h>

#include "rings.h"
#include "shared.h"

JIF_NOINLINE uint32_t jif_ticks_to_stop(const struct jif_wheel *wheel)
{
	return ticks_to_stop(wheel);
}

/* What an interrupt moves may be missed: if it has armed, all is done again. */
bool jif_wheel_next_stop(struct jif_wheel *wheel, uint32_t *when)
{
	volatile struct jif_wheel *held = wheel;
	uint32_t ticks, now, next;
	bool set = false;

	do {
		now = held->since[SEC];
		if (!READ_SHARED(&held->quiet_until)) {
			WRITE_SHARED(&held->quiet_until, SEC_FIRST);
			set = true;
		}
		ticks = jif_ticks_to_stop(wheel);
		next = now + ticks;
		if (held->levels_due > 1 || wheel->slot[wheel->hand[SEC] - 1])
			next = now;
	} while (!READ_SHARED(&held->quiet_until) || now != held->since[SEC]);
	if (set)
		WRITE_SHARED(&held->quiet_until, 0);
	if (ticks == NEVER)
		return false;
	*when = next;
	return true;
}

bool jif_wheel_empty(const struct jif_wheel *wheel)
{
	jif_irq_t flags = jif_irq_save();
	bool empty = is_empty(wheel);

	jif_irq_restore(flags);
	return empty;
}
