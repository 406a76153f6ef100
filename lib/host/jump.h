/* SPDX-License-Identifier: MIT */
/* lib/host/jump.h - periodic timers, where the clock of a loop skips time */
#ifndef JIF_LIB_JUMP_H
#define JIF_LIB_JUMP_H

#include <jif/periodic.h>

/*
 * By how many ticks it would be late at @to. One that is called each time goes
 * on from where 32 bits tell that. 0 if it is no periodic timer.
 */
uint64_t jif_periodic_late(const struct jif_timer *timer, uint64_t from,
			   uint64_t to);

/* It misses so many periods. */
void jif_periodic_skip(struct jif_periodic *p, uint64_t periods);

#endif
