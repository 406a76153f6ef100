/* SPDX-License-Identifier: MIT */
/*
 * lib/periodic_jump.c - periodic timers, where the clock of a loop skips time
 */
#include <jif/periodic.h>

#include "goes_on.h"
#include "jump.h"
#include "periodic.h"

/*
 * One that is called each time goes on from where 32 bits tell that; it and all
 * others are told what they have missed. In its period, a ratio has as many
 * calls as it says.
 */
void jif_periodic_jump(struct jif_timer *timer, uint64_t from, uint64_t to)
{
	struct jif_periodic *p =
		jif_container_of(timer, struct jif_periodic, timer);
	uint64_t keep, late;
	uint32_t ahead;

	if (timer->fn != jif_periodic_expire &&
	    timer->fn != jif_periodic_expire_ratio)
		return;
	keep = policy_of(p) == JIF_CATCHUP_EACH ? JIF_SLEEP_MAX : 0;
	ahead = p->expires - (uint32_t)from;
	late = to - from - (uint64_t)(int64_t)(int32_t)ahead;
	if (p->missed & NEXT_IS_FAR)
		late = to - from - ahead;
	if ((int64_t)late <= (int64_t)keep)
		return;
	late = (late - keep) / p->period;
	carry(p, timer->fn == jif_periodic_expire ? late : late * p->per);
	p->expires += (uint32_t)late * p->period;
}
