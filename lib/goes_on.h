/* SPDX-License-Identifier: MIT */
/*
 * lib/goes_on.h - runs after which the owner of a wheel goes on at once
 *
 * A jump of 2^31 ticks or more takes several runs, where an owner has 64 bits.
 */
#ifndef JIF_LIB_GOES_ON_H
#define JIF_LIB_GOES_ON_H

#include <jif/periodic.h>

#if JIF_HAS_LONG_JUMPS
static inline void wheel_goes_on(struct jif_wheel *wheel, bool goes_on)
{
	wheel->goes_on = goes_on;
}

static inline void carry(struct jif_periodic *p, uint32_t periods)
{
	p->carried += periods;
	p->expires += periods * p->period;
}

/* It is called in the last run of a jump only. */
static inline bool is_carried_on(struct jif_periodic *p)
{
	if (!p->wheel->goes_on || p->policy == JIF_CATCHUP_EACH)
		return false;
	carry(p, p->missed + 1);
	return true;
}

static inline void forget_carried(struct jif_periodic *p)
{
	p->carried = 0;
}

static inline void add_carried(struct jif_periodic *p)
{
	if (p->carried && p->policy == JIF_CATCHUP_RESTART)
		p->expires = p->wheel->target + p->period;
	p->missed += p->carried;
	p->carried = 0;
}
#else
static inline void wheel_goes_on(struct jif_wheel *wheel, bool goes_on)
{
	(void)wheel;
	(void)goes_on;
}

static inline void carry(struct jif_periodic *p, uint32_t periods)
{
	p->expires += periods * p->period;
}

static inline bool is_carried_on(struct jif_periodic *p)
{
	(void)p;
	return false;
}

static inline void forget_carried(struct jif_periodic *p)
{
	(void)p;
}

static inline void add_carried(struct jif_periodic *p)
{
	(void)p;
}
#endif

#endif
