/* SPDX-License-Identifier: MIT */
/*
 * test/model/verbs.h - the calls for a timer, as numbers: what lockstep,
 * explore and step do to the engine and to the oracle
 */
#pragma once

#include <jif/wheel.h>

#include "oracle.h"

/* Up to RESUME, they arm. From ADD_IN on, one that takes a time counts it. */
enum timer_verb {
	NOTHING,
	ADD,
	MOD,
	REDUCE,
	POSTPONE,
	MOD_PENDING,
	ADD_IN,
	MOD_IN,
	RESUME,
	DEL,
	PAUSE,
	SHUTDOWN,
	INIT,
	PENDING,
	EXPIRES,
	LEFT,
	TIMER_VERBS
};

/**
 * struct verb - what is known of a call
 * @name:	of the function, behind jif_timer_
 * @takes_expiry: its last argument is an expiry
 * @takes_delay:	or a delay from jiffies on
 */
struct verb {
	const char *name;
	bool takes_expiry;
	bool takes_delay;
};

extern const struct verb timer_verbs[TIMER_VERBS];

/*
 * What it returns, if it is right: @when is an expiry, or for what takes a
 * delay, that; @now is what jiffies are.
 */
uint32_t verb_expect(struct oracle *oracle, unsigned verb, unsigned i,
		     uint64_t when, uint64_t now);

/* Does it, and returns what comes out. */
static inline uint32_t verb_call(unsigned verb, struct jif_wheel *wheel,
				 struct jif_timer *timer, uint32_t when)
{
	switch (verb) {
	case ADD:
		return (uint32_t)jif_timer_add(wheel, timer, when);
	case MOD:
		return (uint32_t)jif_timer_mod(wheel, timer, when);
	case REDUCE:
		return (uint32_t)jif_timer_reduce(wheel, timer, when);
	case POSTPONE:
		return (uint32_t)jif_timer_postpone(wheel, timer, when);
	case MOD_PENDING:
		return jif_timer_mod_pending(wheel, timer, when);
	case ADD_IN:
		return (uint32_t)jif_timer_add_in(wheel, timer, when);
	case MOD_IN:
		return (uint32_t)jif_timer_mod_in(wheel, timer, when);
	case RESUME:
		return (uint32_t)jif_timer_resume(wheel, timer);
	case DEL:
		return jif_timer_del(wheel, timer);
	case PAUSE:
		return jif_timer_pause(wheel, timer);
	case SHUTDOWN:
		return jif_timer_shutdown(wheel, timer);
	case INIT:
		jif_timer_init(timer, timer->fn);
		return 0;
	case PENDING:
		return jif_timer_pending(timer);
	case EXPIRES:
		return jif_timer_expires(wheel, timer);
	case LEFT:
		return jif_timer_left(wheel, timer);
	default:
		return 0;
	}
}
