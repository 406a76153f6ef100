/* SPDX-License-Identifier: MIT */
/*
 * sim.h - a wheel, the timers on it, and what has happened so far
 *
 * The simulation keeps a time of its own, in 64 bits, and with each armed
 * timer the tick at which it has to fire, and which arming of the run that was.
 * Every firing is compared with that: the engine is not asked what it was told.
 *
 * The files of this folder are layers; each uses those above it in this list:
 *
 *	text json mem diag		words, messages
 *	source				files
 *	scenario			what a scenario says
 *	lex trace parse resolve		from text to statements and their ticks
 *	sim				the wheel, and what it should be
 *	expect				what is expected, and what came of it
 *	draw args report		what is printed
 *	timer run			what is done to timers as time passes
 *	main
 */
#ifndef JIFSIM_SIM_H
#define JIFSIM_SIM_H

#include <jif/periodic.h>
#include <jif/wheel.h>

#include "scenario.h"

/* The counter of jiffies wraps after so many ticks of every run. */
#define JIFFIES_TO_WRAP 30

enum entry_kind { ENTRY_ONCE, ENTRY_PERIODIC, ENTRY_RANDOM, ENTRY_WEEKLY };

/*
 * struct entry - what is on the wheel
 * @periodic:	the engine's timer; only its first member if it is not periodic
 * @timer:	whose it is
 * @next:	another entry of the same timer
 * @trail:	where it has waited, if a path is expected of it
 * @generator:	of ENTRY_RANDOM: where the delays come from
 * @expires:	the tick at which it has to fire
 * @asked:	the tick it was armed for, which may have gone by at that time
 * @number:	which arming of the run it was; 0: it was put off since
 * @previous:	the same of the arming before
 * @period:	of ENTRY_PERIODIC and ENTRY_WEEKLY
 * @left:	of ENTRY_PERIODIC: how many calls are to come; 0: no end
 */
struct entry {
	struct jif_periodic periodic;
	struct timer *timer;
	struct entry *next;
	struct trail *trail;
	struct generator *generator;
	int64_t expires;
	int64_t asked;
	int64_t number;
	int64_t previous;
	uint32_t period;
	uint32_t left;
	enum entry_kind kind;
};

/*
 * struct timer - what has a name in the scenario
 * @entry:	its own entry; alarms have more of them
 * @watches:	what is expected of it
 * @id:		its number among the timers
 */
struct timer {
	struct entry entry;
	const char *name;
	struct watch *watches;
	uint32_t id;
};

/*
 * struct firing - a timer has fired
 * @asked:	the tick it was armed for
 * @tick:	the tick that the wheel was at
 * @ran:	when the main loop got to it; later than @tick after a stall
 */
struct firing {
	const struct timer *timer;
	int64_t asked;
	int64_t tick;
	int64_t ran;
};

/*
 * struct stats - figures of a run
 * @armed:	how often a timer was put on the wheel for a new expiry
 * @rearmed:	how many of these took the place of an earlier expiry
 * @postponed:	expiries that were put off in place
 * @late:	firings in a catch-up, after their tick had gone by
 * @latest:	the most ticks by which one was late
 * @off:	firings on another tick than asked for: a bug of the engine
 * @cancelled:	timers taken off by name
 * @drained:	timers taken off by drain
 * @missed:	of a trace: cancellations of a timer that has fired already
 * @idle:	of a trace: cancellations of a timer that nobody had armed
 * @moved:	entries that went down from each level
 * @again:	entries placed anew because they had been put off or were far
 * @worst:	the most entries moved on one tick
 * @worst_tick:	which tick that was
 * @pending:	timers on the wheel
 * @peak:	the most of them
 */
struct stats {
	int64_t armed;
	int64_t rearmed;
	int64_t postponed;
	int64_t fired;
	int64_t late;
	int64_t latest;
	int64_t off;
	int64_t cancelled;
	int64_t drained;
	int64_t missed;
	int64_t idle;
	int64_t moved[LEVELS];
	int64_t again;
	int64_t worst;
	int64_t worst_tick;
	int64_t pending;
	int64_t peak;
};

/*
 * struct sim - a run
 * @generators:	one for each statement that may need it
 * @n_generators: how many of them are in use
 * @seed:	in place of those in the scenario, if it is not NULL
 * @now:	jiffies, in ticks since the midnight of day 0
 * @stalled:	until when the main loop is stuck; in the past if it is not
 * @catching_up: the run that follows a stall is under way
 * @last_expires: when the timer expired that fired last
 * @last_number: which arming that was
 * @moved_tick:	the tick that @moved_now is about
 * @moved_now:	how many entries have been moved on it
 * @failures:	what can never happen but did
 */
struct sim {
	struct jif_wheel wheel;
	const struct scenario *scenario;
	struct expect *expect;
	struct report *report;
	struct timer *timers;
	struct generator *generators;
	uint64_t n_generators;
	const uint64_t *seed;
	int64_t now;
	int64_t stalled;
	bool catching_up;
	int64_t last_expires;
	int64_t last_number;
	int64_t moved_tick;
	int64_t moved_now;
	unsigned failures;
	struct stats stats;
};

/* The tick that the wheel's clock is at. */
int64_t sim_clock(const struct sim *sim);

/* A tick as the engine counts it. */
uint32_t sim_jiffies(const struct sim *sim, int64_t tick);

/* The tick that the engine calls @when; it is not before the wheel's clock. */
int64_t sim_tick(const struct sim *sim, uint32_t when);

/* Reports what can never happen: the engine or this program is wrong. */
void sim_fail(struct sim *sim, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Sees that the wheel holds what it should, and reports if it does not. */
void sim_check(struct sim *sim);

static inline struct entry *entry_of(const struct jif_timer *timer)
{
	return jif_container_of((struct jif_timer *)timer, struct entry,
				periodic.timer);
}

#endif
