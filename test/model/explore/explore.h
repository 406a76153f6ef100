/* SPDX-License-Identifier: MIT */
/*
 * test/model/explore/explore.h - what the files of the explorer share; the
 * theory is in explore.c
 */
#ifndef EXPLORE_H
#define EXPLORE_H

#include <jif/wheel.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../verbs.h"
#include "model.h"

/* Ticks after which all hands are where they were, those of the weeks too. */
#define FORTNIGHT (CONFIG_JIF_SPREAD ? 216 : 72)

/* The jiffies of a state: the wrap lies within the fortnight. */
#define FIRST_TICK (UINT32_C(0) - 40)

/* Further than all delays; a run stops at each of its fifty weeks. */
#define FAR	  1805

#define MOVES_MAX 256
#define TAPE_MAX  512

enum verb {
	INIT = TIMER_VERBS,
	RUN,
	RUN_BUDGET,
	DRAIN,
	WALK,
	NEXT_EXPIRY,
};

/**
 * struct move - a call
 * @verb:	which
 * @timer:	for the calls that have one
 * @max:	of a budgeted run
 * @acts:	how many callbacks may do something meanwhile
 * @injections:	how many interrupts may
 * @corner:	is tried only in the tick at which all hands move at once, and
 *		in the one before it
 * @ticks:	from the clock on
 */
struct move {
	uint8_t verb;
	uint8_t timer;
	uint8_t max;
	uint8_t acts;
	uint8_t injections;
	bool corner;
	int32_t ticks;
};

struct moves {
	struct move row[MOVES_MAX];
	unsigned count;
};

/**
 * struct plan - what may be done
 * @name:	of the plan
 * @timers:	how many there are
 * @main:	by the main loop
 * @act:	by a callback or an interrupt
 */
struct plan {
	const char *name;
	unsigned timers;
	struct moves main;
	struct moves act;
};

extern struct plan plan;

/* False if there is no plan of that number. */
bool plan_make(unsigned number, unsigned injections);

/**
 * struct world - a state; without padding that anybody writes to
 */
struct world {
	struct jif_wheel wheel;
	struct jif_timer timer[TIMERS_MAX];
	struct model model;
};

extern struct world world;

/* play.c: does moves to the world. */

/**
 * enum outcome - of a move
 */
enum outcome { RIGHT, WRONG };

/* A fresh wheel. */
void play_start(void);

/* Is there a point in this move, in this state? */
bool play_is_useful(const struct move *move);

/*
 * Does a move with the choices of the tape, which play_rewind() makes the first
 * ones, and play_has_next() the next ones. The world stays as the move left it.
 */
enum outcome play(const struct move *move);
void play_rewind(void);
bool play_has_next(void);

/* Compares all of a state that has not been seen before. */
enum outcome play_look(void);

/* Whether moves and differences are printed. */
void play_tell(bool aloud);

/* Reports crashes and endless loops of the engine as differences. */
void play_guard(void);

/* look.c: compares the world with the model; play.c provides same(). */
void same(const char *what, unsigned i, uint32_t want, uint32_t got);
void look_at_timers(void);
void look_at_all(bool in_run);

#endif
