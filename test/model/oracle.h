/* SPDX-License-Identifier: MIT */
/*
 * test/model/oracle.h - what a wheel has to do, told by a sorted array
 *
 * The oracle shares no code and no idea with the engine: timers are rows of an
 * array, sorted by expiry and by the number of their arming; time has 64 bits.
 * A test applies each operation to both, and reports each expiry to the oracle,
 * which says whether that timer had to run there and then. The bench asks it
 * what was due, of timers that need not be exact.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ORACLE_MAX 256

/**
 * struct oracle_row - one pending timer
 * @expires:	when it has to run
 * @since:	when it was armed
 * @arming:	the how manieth arming of all this is
 * @timer:	its number
 * @loose:	it was postponed: any place among those of its tick will do
 */
struct oracle_row {
	uint64_t expires;
	uint64_t since;
	uint64_t arming;
	unsigned timer;
	bool loose;
};

/**
 * struct oracle - all that is pending
 * @clock:	the tick that has been run last
 * @armings:	how many there have been
 * @rows:	sorted
 * @count:	of @rows
 * @why:	what was wrong, after a call has returned false
 */
struct oracle {
	uint64_t clock;
	uint64_t armings;
	struct oracle_row rows[ORACLE_MAX];
	size_t count;
	char why[160];
};

/* What happens to the calls missed in a stall; in the order of jif_catchup. */
enum oracle_policy { ORACLE_EACH, ORACLE_SKIP, ORACLE_RESTART };

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

bool oracle_pending(const struct oracle *oracle, unsigned timer);

/* When a pending timer has to run. */
uint64_t oracle_expires(const struct oracle *oracle, unsigned timer);

/* Each returns whether the timer was pending. */
bool oracle_mod(struct oracle *oracle, unsigned timer, uint64_t expires);
bool oracle_reduce(struct oracle *oracle, unsigned timer, uint64_t expires);
bool oracle_postpone(struct oracle *oracle, unsigned timer, uint64_t expires);
bool oracle_del(struct oracle *oracle, unsigned timer);

/* Takes a pending timer off, and tells its row; false if it is not pending. */
bool oracle_take(struct oracle *oracle, unsigned timer, struct oracle_row *row);

/* What is due first, or NULL. */
const struct oracle_row *oracle_first(const struct oracle *oracle);

/* The timer is called in this tick; false if that is wrong. */
bool oracle_fire(struct oracle *oracle, unsigned timer, uint64_t tick);

void oracle_periodic_start(struct oracle *oracle, unsigned timer,
			   struct oracle_periodic *p, uint64_t first,
			   uint64_t period, uint64_t count);
void oracle_periodic_stop(struct oracle *oracle, unsigned timer,
			  struct oracle_periodic *p);

/* It is called, in a run of the wheel up to that tick: comes it again? */
void oracle_periodic_call(struct oracle *oracle, unsigned timer,
			  struct oracle_periodic *p, uint64_t target);

/* All up to and including this tick is over; false if something is left. */
bool oracle_ran(struct oracle *oracle, uint64_t tick);

#endif
