/* SPDX-License-Identifier: MIT */
/*
 * lib/goes_on.h - runs after which the owner of a wheel goes on at once
 *
 * A jump of 2^31 ticks or more takes several runs, where an owner has 64 bits.
 */
#ifndef JIF_LIB_GOES_ON_H
#define JIF_LIB_GOES_ON_H

#include <jif/periodic.h>

#include "delay.h"

#if JIF_HAS_LONG_JUMPS
static inline void wheel_goes_on(struct jif_wheel *wheel, bool goes_on)
{
	wheel->goes_on = goes_on;
}

/* What is more than 32 bits count is the most that they do. */
static inline uint32_t count_missed(uint32_t missed, uint64_t more)
{
	return more < UINT32_MAX - missed ? missed + (uint32_t)more :
					    UINT32_MAX;
}

static inline void carry(struct jif_periodic *p, uint64_t periods)
{
	p->carried = count_missed(p->carried, periods);
	p->expires += (uint32_t)periods * p->period;
}

/* It is called in the last run of a jump only. */
static inline bool is_carried_on(struct jif_periodic *p)
{
	if (!p->wheel->goes_on || p->policy == JIF_CATCHUP_EACH)
		return false;
	carry(p, p->missed + UINT64_C(1));
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
	p->missed = count_missed(p->missed, p->carried);
	p->carried = 0;
	/* An owner who is asked for the time has its wheel come near to it. */
	if (p->missed && p->expires - p->wheel->clk > JIF_DELAY_MAX)
		now_of(p->wheel);
}
#else
static inline void wheel_goes_on(struct jif_wheel *wheel, bool goes_on)
{
	(void)wheel;
	(void)goes_on;
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
