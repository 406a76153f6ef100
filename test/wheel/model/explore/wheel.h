/* SPDX-License-Identifier: MIT */
/* What the files that explore the wheel share */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../verbs.h"

/* Ticks after which all hands are where they were, those of the weeks too. */
#define FORTNIGHT (CONFIG_JIF_SPREAD ? 216 : 72)

/* The jiffies of a state: the wrap lies within the fortnight. */
#define FIRST_TICK ((UINT64_C(1) << 32) - 40)

/* Further than all delays; a run stops at each of its fifty weeks. */
#define FAR 1805

/* How far jiffies are ahead of the clock when something counts from them. */
#define AHEAD	  2

#define MOVES_MAX 256

enum wheel_verb {
	RUN = TIMER_VERBS,
	RUN_BUDGET,
	DRAIN,
	WALK,
	NEXT_EXPIRY,
	SLEEP,
};

/**
 * struct move - a call
 * @verb:	which
 * @timer:	for the calls that have one
 * @max:	of a budgeted run
 * @acts:	how many callbacks may do something meanwhile
 * @injections:	how many interrupts may
 * @ticks:	from the clock on; for SLEEP, how far jiffies are ahead of it
 */
struct move {
	uint8_t verb;
	uint8_t timer;
	uint8_t max;
	uint8_t acts;
	uint8_t injections;
	int32_t ticks;
};

struct moves {
	struct move row[MOVES_MAX];
	unsigned count;
};

/**
 * struct plan - what may be done
 * @timers:	how many there are
 * @main:	by the main loop
 * @act:	by a callback or an interrupt
 */
struct plan {
	unsigned timers;
	struct moves main;
	struct moves act;
};

extern struct plan plan;

void plan_make(unsigned part, unsigned injections);

/**
 * struct world - a state; without padding that anybody writes to
 */
struct world {
	struct jif_wheel wheel;
	struct jif_timer timer[ORACLE_MAX];
	struct oracle model;
	uint64_t unfinished; /* a budget ran out within the tick */
};

extern struct world world;

/* wheel.c: like same(), about a timer, or ORACLE_MAX. */
void same_of(const char *what, unsigned i, uint32_t want, uint32_t got);

/* look.c: compares the world with the model. */
void look_at_timers(void);
void look_at_all(bool in_run);

/* tell.c: the steps of a way as a scenario for jifsim. */
void tell_begin(void);
void tell_move(const struct move *move);
void tell_callback(unsigned timer, const struct move *move);
void tell_interrupt(unsigned window, const struct move *move);
void tell_shift(uint32_t shift);
void tell_scenario(void);
