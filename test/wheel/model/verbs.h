/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/verbs.h - the calls for a timer, as numbers: what lockstep,
 * explore and step do to the engine and to the oracle
 */
#pragma once

#include <jif/wheel.h>

#include "oracle.h"

/*
 * One call a line: its number, its name behind jif_timer_, its last argument
 * (an EXPIRY, a DELAY from jiffies on, or ALONE), the call, and what it has to
 * return. Up to RESUME, they arm; from PENDING on, they only look.
 */
#define EACH_VERB(VERB)                                                        \
	VERB(NOTHING, nothing, ALONE, 0, 0)                                    \
	VERB(ADD, add, EXPIRY, jif_timer_add(wheel, timer, when),              \
	     add(oracle, i, when))                                             \
	VERB(MOD, mod, EXPIRY, jif_timer_mod(wheel, timer, when),              \
	     refused(oracle, i, oracle_mod(oracle, i, when)))                  \
	VERB(REDUCE, reduce, EXPIRY, jif_timer_reduce(wheel, timer, when),     \
	     refused(oracle, i, oracle_reduce(oracle, i, when)))               \
	VERB(POSTPONE, postpone, EXPIRY,                                       \
	     jif_timer_postpone(wheel, timer, when),                           \
	     refused(oracle, i, oracle_postpone(oracle, i, when)))             \
	VERB(MOD_PENDING, mod_pending, EXPIRY,                                 \
	     jif_timer_mod_pending(wheel, timer, when),                        \
	     oracle->timer[i].pending &&oracle_mod(oracle, i, when))           \
	VERB(ADD_IN, add_in, DELAY, jif_timer_add_in(wheel, timer, when),      \
	     add_in(oracle, i, when, now))                                     \
	VERB(MOD_IN, mod_in, DELAY, jif_timer_mod_in(wheel, timer, when),      \
	     mod_in(oracle, i, when, now))                                     \
	VERB(RESUME, resume, ALONE, jif_timer_resume(wheel, timer),            \
	     resume(oracle, i))                                                \
	VERB(DEL, del, ALONE, jif_timer_del(wheel, timer),                     \
	     oracle_del(oracle, i))                                            \
	VERB(PAUSE, pause, ALONE, jif_timer_pause(wheel, timer),               \
	     oracle_pause(oracle, i))                                          \
	VERB(SHUTDOWN, shutdown, ALONE, jif_timer_shutdown(wheel, timer),      \
	     oracle_shut(oracle, i))                                           \
	VERB(INIT, init, ALONE, (jif_timer_init(timer, timer->fn), 0),         \
	     forget(oracle, i))                                                \
	VERB(PENDING, pending, ALONE, jif_timer_pending(timer),                \
	     oracle->timer[i].pending)                                         \
	VERB(EXPIRES, expires, ALONE, jif_timer_expires(wheel, timer),         \
	     oracle_expires(oracle, i))                                        \
	VERB(LEFT, left, ALONE, jif_timer_left(wheel, timer),                  \
	     oracle_left(oracle, i))

#define VERB_NUMBER(number, name, takes, call, want) number,
enum timer_verb { EACH_VERB(VERB_NUMBER) TIMER_VERBS };

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
#define VERB_CALL(number, name, takes, call, want)                             \
	case number:                                                           \
		return (uint32_t)(call);
	switch (verb) {
		EACH_VERB(VERB_CALL)
	default:
		return 0;
	}
}

/**
 * struct doing - a call that is under way
 * @verb:	which; NOTHING once it has had its effect
 * @i:		of which timer
 * @when:	its last argument
 * @now:	what jiffies were
 * @want:	what it has to return
 * @idle:	what it may return, too, as it may have done nothing; or EFFECT
 * @windows:	how often interrupts have been let in before its effect
 *
 * Most calls have had their effect when they let interrupts in. What takes a
 * delay asks first what time it is, and arms after the first window. The others
 * look first, let interrupts in, and go on if it is still so: of these the
 * oracle is told when the timer shows that they have.
 */
struct doing {
	unsigned verb;
	unsigned i;
	uint64_t when;
	uint64_t now;
	uint32_t want;
	int32_t idle;
	unsigned windows;
};

#define EFFECT INT32_MIN

/* Before the call; no interrupts come during one that is @alone. */
void doing_begin(struct doing *doing, struct oracle *oracle, bool alone);
/* In each window, before anything else is done. */
void doing_look(struct doing *doing, struct oracle *oracle,
		const struct jif_wheel *wheel, const struct jif_timer *timer);
/* After it has returned @got; returns what it had to. */
uint32_t doing_end(struct doing *doing, struct oracle *oracle, uint32_t got);
