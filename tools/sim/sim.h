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
 *	lex trace parse resolve read	from text to statements and their ticks
 *	sim				the wheel, and what it should be
 *	expect				what is expected, and what came of it
 *	draw report			what is printed
 *	record timer run		what is done to timers as time passes
 *	main
 */
#ifndef JIFSIM_SIM_H
#define JIFSIM_SIM_H

#include <jif/periodic.h>
#include <jif/wheel.h>

#include "scenario.h"

/* The counter of jiffies wraps after so many ticks of every run. */
#define JIFFIES_TO_WRAP 30

enum entry_kind { ENTRY_ONCE, ENTRY_PERIODIC, ENTRY_RANDOM };

/* What is on the wheel. */
struct entry {
	struct jif_periodic periodic; /* if not periodic, only its timer */
	struct timer *timer;	      /* whose it is */
	struct entry *next;	      /* of the same timer: an alarm */
	struct trail *trail;	      /* where it waited, if that is expected */
	struct generator *generator;  /* of random delays */
	int64_t expires;	      /* the tick at which it has to fire */
	int64_t asked;	  /* what it was armed for; may have gone by then */
	int64_t number;	  /* which arming of the run; 0: put off since */
	int64_t previous; /* the number of the arming before */
	uint32_t period;
	uint32_t left;	/* calls to come of a periodic one; 0: no end */
	unsigned level; /* that it waits on */
	enum entry_kind kind;
	enum jif_catchup catchup; /* of a periodic one */
};

/* What has a name in the scenario. */
struct timer {
	struct entry entry;
	const char *name;
	struct watch *watches; /* what is expected of it */
	struct hook *hooks;    /* what is done when it fires */
};

/* A timer has fired. */
struct firing {
	const struct timer *timer;
	int64_t asked;	/* the tick it was armed for */
	int64_t tick;	/* the tick that the wheel was at */
	int64_t ran;	/* when the main loop got to it: later after a stall */
	int64_t missed; /* calls of a periodic one that this one stands for */
};

/* Figures of a run. */
struct stats {
	int64_t armed;	   /* put on the wheel for a new expiry */
	int64_t rearmed;   /* of these, in place of an earlier expiry */
	int64_t postponed; /* put off in place */
	int64_t fired;
	int64_t late;	   /* fired after their tick had gone by */
	int64_t latest;	   /* the most ticks by which one was late */
	int64_t off;	   /* fired on a wrong tick: a bug of the engine */
	int64_t cancelled; /* taken off by name */
	int64_t drained;   /* taken off by drain */
	int64_t missed;	   /* of a trace: cancelled too late */
	int64_t idle;	   /* of a trace: cancelled, but nobody had armed it */
	int64_t moved[LEVELS]; /* went down from each level */
	int64_t again;	       /* placed anew: put off, or far away */
	int64_t worst;	       /* the most that were moved on one tick */
	int64_t worst_tick;
	int64_t pending; /* on the wheel */
	int64_t peak;	 /* the most of them */
};

/* A run. */
struct sim {
	struct jif_wheel wheel;
	const struct scenario *scenario;
	struct expect *expect;
	struct report *report;
	struct timer *timers;
	struct hook *hooks;	      /* of all timers */
	struct generator *generators; /* room for one a statement */
	uint64_t n_generators;	      /* in use */
	const uint64_t *seed;	      /* in place of the scenario's, or NULL */
	const char *record;	      /* the file for what happens, or NULL */
	bool unrecorded;	      /* that could not be written */
	int64_t now;		      /* ticks since the midnight of day 0 */
	int64_t stalled;	      /* until when the main loop is stuck */
	bool catching_up;	      /* in the run that follows a stall */
	void (*fired)(struct sim *sim, const struct timer *timer);
	bool each_expiry;     /* has a run of the wheel of its own */
	int64_t last_expires; /* of the timer that fired last */
	int64_t last_number;
	int64_t moved_tick;
	int64_t moved_now; /* how many have been moved on that tick */
	unsigned failures; /* what can never happen but did */
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
