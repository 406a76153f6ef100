/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/oracle.h - what timers have to do, told by an array
 *
 * The oracle shares no code and no idea with the engine: each timer has the
 * tick at which it has to run, and its place among those of that tick; time has
 * 64 bits. Lockstep, explore and step do each call of verbs.h to both, and the
 * bench asks it what was due, of timers that need not be exact. It is a part of
 * each state that is explored, so it has no padding.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifndef ORACLE_MAX
#define ORACLE_MAX 256
#endif
#define ORACLE_NONE UINT32_MAX

/**
 * struct oracle_timer - what is known of one timer
 * @expires:	when it has to run, if it is pending; the ticks that are left,
 *		if it is paused
 * @since:	when it was armed
 * @arming:	the number of that arming, of all
 * @pending:	it is armed
 * @loose:	it was postponed: any place among those of its tick will do
 * @paused:	it was paused, and has not been armed since
 * @shut:	it was shut down
 * @zero:	unused
 */
struct oracle_timer {
	uint64_t expires;
	uint64_t since;
	uint64_t arming;
	bool pending;
	bool loose;
	bool paused;
	bool shut;
	uint8_t zero[4];
};

/**
 * struct oracle - all timers
 * @clock:	the tick that is being run, or that was run last
 * @armings:	how many there have been
 * @timer:	the ones that take no part are idle
 */
struct oracle {
	uint64_t clock;
	uint64_t armings;
	struct oracle_timer timer[ORACLE_MAX];
};

/* What happens to the calls missed in a stall; in the order of jif_catchup. */
enum oracle_policy { ORACLE_SKIP, ORACLE_EACH, ORACLE_RESTART };

/**
 * struct oracle_periodic - a timer that comes again
 * @expires:	its next call, or the one that is due
 * @period:	between calls
 * @left:	calls to come; UINT64_MAX: no end; 0: stopped
 * @missed:	calls left out right before the last one
 * @policy:	what happens in a stall
 * @running:	started, and neither stopped nor at its end
 */
struct oracle_periodic {
	uint64_t expires;
	uint64_t period;
	uint64_t left;
	uint64_t missed;
	enum oracle_policy policy;
	bool running;
};

void oracle_init(struct oracle *oracle, uint64_t clock);

/* Each returns whether the timer was pending. One that is shut stays idle. */
bool oracle_mod(struct oracle *oracle, unsigned i, uint64_t expires);
bool oracle_reduce(struct oracle *oracle, unsigned i, uint64_t expires);
bool oracle_postpone(struct oracle *oracle, unsigned i, uint64_t expires);
bool oracle_del(struct oracle *oracle, unsigned i);
bool oracle_pause(struct oracle *oracle, unsigned i);
bool oracle_shut(struct oracle *oracle, unsigned i);

/* When it expires; the clock, if it is not pending. */
uint64_t oracle_expires(const struct oracle *oracle, unsigned i);

/* The ticks until then; of a paused one, those that it has left. */
uint64_t oracle_left(const struct oracle *oracle, unsigned i);

/* W5, W6: does pending timer @i have to run before pending timer @j? */
bool oracle_before(const struct oracle *oracle, unsigned i, unsigned j);

/* One of those that are due first, or ORACLE_NONE. */
unsigned oracle_first(const struct oracle *oracle);

void oracle_periodic_start(struct oracle *oracle, unsigned i,
			   struct oracle_periodic *p, uint64_t first,
			   uint64_t period, uint64_t count);
bool oracle_periodic_stop(struct oracle *oracle, unsigned i,
			  struct oracle_periodic *p);

/* It is called, in a run of the wheel up to that tick: comes it again? */
void oracle_periodic_call(struct oracle *oracle, unsigned i,
			  struct oracle_periodic *p, uint64_t target);
