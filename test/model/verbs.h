/* SPDX-License-Identifier: MIT */
/*
 * test/model/verbs.h - the calls that change a timer, as numbers
 */
#ifndef VERBS_H
#define VERBS_H

#include <jif/wheel.h>

enum { NOTHING, ADD, MOD, REDUCE, POSTPONE, DEL, SHUTDOWN, TIMER_VERBS };

/* Does it, and returns what comes out. */
static inline int call_timer(unsigned verb, struct jif_wheel *wheel,
			     struct jif_timer *timer, uint32_t expires)
{
	switch (verb) {
	case ADD:
		return jif_timer_add(wheel, timer, expires);
	case MOD:
		return jif_timer_mod(wheel, timer, expires);
	case REDUCE:
		return jif_timer_reduce(wheel, timer, expires);
	case POSTPONE:
		return jif_timer_postpone(wheel, timer, expires);
	case DEL:
		return jif_timer_del(wheel, timer);
	case SHUTDOWN:
		return jif_timer_shutdown(wheel, timer);
	default:
		return 0;
	}
}

#endif
