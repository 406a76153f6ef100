/* SPDX-License-Identifier: MIT */
/*
 * lib/goes_on.h - runs after which the owner of a wheel goes on at once
 *
 * A jump of 2^31 ticks or more takes several runs, where an owner has 64 bits.
 */
#ifndef JIF_LIB_GOES_ON_H
#define JIF_LIB_GOES_ON_H

#include <jif/periodic.h>

#include "periodic.h"

#if JIF_HAS_LONG_JUMPS
/* What is more than 31 bits count is the most that they do. */
static inline uint32_t count_missed(const struct jif_periodic *p,
				    uint64_t missed)
{
	missed += p->carried;
	return missed < JIF_DELAY_MAX ? (uint32_t)missed : JIF_DELAY_MAX;
}

static inline void carry(struct jif_periodic *p, uint64_t missed)
{
	p->carried = count_missed(p, missed);
}

/* One that skips is called in the last run of a jump only. */
static inline bool is_carried_on(struct jif_periodic *p, uint32_t next,
				 uint32_t missed)
{
	if (!p->wheel->goes_on || policy_of(p) == JIF_CATCHUP_EACH)
		return false;
	carry(p, missed + UINT64_C(1));
	jif_periodic_go_to(p, next, p->carried);
	return true;
}

/* Not before the last run of a jump: until then, it is missed on its grid. */
static inline bool restarts(const struct jif_periodic *p, uint32_t missed)
{
	return policy_of(p) == JIF_CATCHUP_RESTART && (missed | p->carried) &&
	       !p->wheel->goes_on;
}

static inline void forget_carried(struct jif_periodic *p)
{
	p->carried = 0;
}

/* Returns how many were missed in all. */
static inline uint32_t add_carried(struct jif_periodic *p, uint32_t missed)
{
	missed = count_missed(p, missed);
	p->carried = 0;
	return missed;
}
#else
static inline bool is_carried_on(struct jif_periodic *p, uint32_t next,
				 uint32_t missed)
{
	(void)p;
	(void)next;
	(void)missed;
	return false;
}

static inline bool restarts(const struct jif_periodic *p, uint32_t missed)
{
	return missed && policy_of(p) == JIF_CATCHUP_RESTART;
}

static inline void forget_carried(struct jif_periodic *p)
{
	(void)p;
}

static inline void carry(struct jif_periodic *p, uint64_t missed)
{
	(void)p;
	(void)missed;
}

static inline uint32_t add_carried(struct jif_periodic *p, uint32_t missed)
{
	(void)p;
	return missed;
}
#endif

#endif
