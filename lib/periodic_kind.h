/* SPDX-License-Identifier: MIT */
/* lib/periodic_kind.h - what a periodic timer is, and its timer does */
#ifndef JIF_LIB_PERIODIC_KIND_H
#define JIF_LIB_PERIODIC_KIND_H

#include <jif/periodic.h>

static inline unsigned policy_of(const struct jif_periodic *p)
{
	return (uint8_t)p->policy;
}

/* What the timer of one with whole ticks does, and that of a ratio. */
void jif_periodic_expire(struct jif_timer *timer);
void jif_periodic_expire_ratio(struct jif_timer *timer);

#endif
