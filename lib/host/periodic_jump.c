/* SPDX-License-Identifier: MIT */
/*
 * lib/host/periodic_jump.c - periodic timers, where the clock of a loop skips
 * time
 */
#include "jump.h"

#include "../goes_on.h"
#include "../periodic.h"

uint64_t jif_periodic_late(const struct jif_timer *timer, uint64_t from,
			   uint64_t to)
{
	const struct jif_periodic *p =
		jif_container_of(timer, const struct jif_periodic, timer);
	uint64_t keep, late;
	uint32_t ahead;

	if (timer->fn != jif_periodic_expire &&
	    timer->fn != jif_periodic_expire_ratio)
		return 0;
	keep = policy_of(p) == JIF_CATCHUP_EACH ? JIF_SLEEP_MAX : 0;
	ahead = p->expires - (uint32_t)from;
	late = to - from - (uint64_t)(int64_t)(int32_t)ahead;
	if (p->missed & NEXT_IS_FAR)
		late = to - from - ahead;
	return (int64_t)late > (int64_t)keep ? late - keep : 0;
}

/* In its period, a ratio has as many calls as it says. */
void jif_periodic_skip(struct jif_periodic *p, uint64_t periods)
{
	bool whole = p->timer.fn == jif_periodic_expire;

	carry(p, whole ? periods : periods * p->per);
	p->expires += (uint32_t)periods * p->period;
}
