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
 *	base diag source	memory, words, messages, files
 *	scenario		what a scenario says
 *	lex trace parse resolve	from text to statements and their ticks
 *	sim			the wheel, and what it should be
 *	expect			what is expected, and what came of it
 *	report			what is printed
 *	timer run		what is done to timers as time passes
 *	record			what happens on the wheel
 *	main
 */
#pragma once

#include "scenario.h"

/* The counter of jiffies wraps after so many ticks of every run. */
#define JIFFIES_TO_WRAP 30

/* How many timers of one expectation are named when they fail. */
#define MESSAGES_SHOWN 10

#define NEVER	       (-1)

/* The command line. */
struct options {
	bool replay; /* the command is replay, not run */
	const char *file;
	const char *record; /* the file for what happens, or NULL */
	uint64_t wheels;    /* how often to draw the rings */
	bool json;
	bool all;   /* print all firings */
	bool quiet; /* print none */
	bool import_anywhere;
	bool has_seed;
	uint64_t seed; /* in place of the scenario's */
};

/* A timer on the wheel. */
struct entry {
	struct jif_periodic periodic; /* if not periodic, only its timer */
	struct timer *timer;	      /* whose it is */
	struct entry *next;	      /* of the same timer: an alarm */
	struct trail *trail;	      /* where it waited, if that is expected */
	const struct stmt *cycle;     /* of a periodic one: with its period */
	const struct stmt *random; /* the line whose delays it has, or NULL */
	int64_t expires;	   /* the tick at which it has to fire */
	int64_t asked;	  /* what it was armed for; may have gone by then */
	int64_t number;	  /* which arming of the run; 0: put off since */
	int64_t previous; /* the number of the arming before */
	uint32_t left;	  /* calls to come of a periodic one */
	unsigned level;	  /* that it waits on */
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

/* A timer that an expectation is about. */
struct watch {
	struct watch *next; /* of the same timer */
	struct expectation *of;
	struct timer *timer;
	int64_t fired;	     /* how often: on time, too soon, or in all */
	int64_t first;	     /* when it did for the first time */
	int64_t before;	     /* when it fired before the time, or NEVER */
	int64_t after;	     /* when it first fired after that */
	struct slot found;   /* where it waits; level LEVELS: nowhere */
	uint32_t left;	     /* with how much left */
	bool met;	     /* of a path */
	struct trail *trail; /* of a path: that of the last arming */
};

/* An expectation of the scenario. */
struct expectation {
	const struct stmt *stmt; /* NULL: that is no expectation */
	struct watch *watches;	 /* one for each timer that it names */
	int64_t failures;	 /* for how many timers it does not hold */
	char *message[MESSAGES_SHOWN];
	const struct timer **seen; /* of an order: what fired */
	size_t n_seen;
	size_t in_order; /* how many have fired in order */
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
	int64_t met;	 /* expectations, when the run is over */
	int64_t failed;
	struct histogram lateness;
};

/* A run. */
struct sim {
	struct jif_wheel wheel;
	const struct scenario *scenario;
	const struct options *options;
	struct timer *timers;
	struct hook *hooks;		  /* of all timers */
	struct expectation *expectations; /* one for each statement */
	uint64_t *random;     /* the state of the numbers of each statement */
	struct event *events; /* what is still to be done, in a heap */
	size_t n_events;
	int64_t now;			/* ticks since the midnight of day 0 */
	int64_t stalled;		/* until when the main loop is stuck */
	bool catching_up;		/* in the run that follows a stall */
	void (*begun)(struct sim *sim); /* there is a wheel; or NULL */
	void (*fired)(struct sim *sim, const struct timer *timer);
	bool each_expiry;     /* has a run of the wheel of its own */
	int64_t last_expires; /* of the timer that fired last */
	int64_t last_number;
	int64_t moved_tick;
	int64_t moved_now;  /* how many have been moved on that tick */
	int64_t to_print;   /* firings so far, but for those not asked for */
	bool printed;	    /* anything has been printed */
	bool printed_fired; /* the last thing was a firing */
	unsigned failures;  /* what can never happen but did */
	struct stats stats;
};

/* --- sim.c: the wheel beside what it should be --- */

/* The tick that the wheel's clock is at. */
int64_t sim_clock(struct sim *sim);

/* A tick as the engine counts it. */
uint32_t sim_jiffies(struct sim *sim, int64_t tick);

/* The tick that the engine calls @when; it is not before the wheel's clock. */
int64_t sim_tick(struct sim *sim, uint32_t when);

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

/* --- expect.c: what a scenario expects, and what came of it --- */

void expect_init(struct sim *sim);
void expect_fired(const struct firing *firing);

/* An entry came into a slot; not for the first time if @moved. */
void expect_placed(struct sim *sim, struct entry *entry, bool moved,
		   struct slot slot);

/* An entry is not armed any more. */
void expect_ended(struct sim *sim, struct entry *entry);

/* The time has come to look at the wheel. */
void expect_check(struct sim *sim, const struct stmt *stmt);

/* The run is over: find out what was not met. */
void expect_stop(struct sim *sim);
void expect_free(struct sim *sim);
void trail_free(struct trail *trail);

/* --- report.c: what comes out of a run --- */

void report_fired(struct sim *sim, const struct firing *firing);

/* Draws the four rings, with their hands and what waits on them. */
void report_frame(struct sim *sim);

/* The run is over: prints the summary, and what was not met. */
void report_stop(struct sim *sim);

/* --- timer.c: what can be done to a timer of the scenario --- */

/* The timers of a scenario, all idle; there is one run at a time. */
void timer_init_all(struct sim *sim);
void timer_free_all(struct sim *sim);

/* A timer beside those: its memory is zeroed, and stays. */
void timer_init(struct timer *timer, const char *name);

/* Arms a timer for a tick; if that has gone by, for the next one. */
void timer_arm(struct sim *sim, struct timer *timer, int64_t expires);
void timer_postpone(struct sim *sim, struct timer *timer, int64_t expires);

/* Arms an entry with the period of a line. */
void timer_start(struct sim *sim, struct entry *entry, int64_t expires,
		 const struct stmt *cycle);

/* A new alarm beside a timer. */
struct entry *timer_add_alarm(struct timer *timer);

/* From now on the timer is armed with a new delay whenever it has fired. */
void timer_arm_random(struct sim *sim, struct timer *timer,
		      const struct stmt *random);

/* Also takes its alarms off; false if it was not armed. */
bool timer_cancel(struct sim *sim, struct timer *timer);

/* Takes all timers off; none fires. */
void timer_drain(struct sim *sim);

/* --- run.c: let time pass, and do what the scenario says --- */

/*
 * A run, step by step: as far as @tick, which may be any number of ticks on.
 * What does not change is in @sim already. run_stop() reports, and returns what
 * to exit with; run_free() frees what run_start() took.
 */
void run_start(struct sim *sim);
void run_to(struct sim *sim, int64_t tick);
enum status run_stop(struct sim *sim);
void run_free(struct sim *sim);

/* When the next line is to be done; false if none is left. */
bool run_next(struct sim *sim, int64_t *tick);

/* --- record.c: what happens on the wheel, for tools/trace --- */

/* Until it is stopped, if the options name a file. */
void record_start(struct sim *sim);

/* Names all timers; false if the file could not be written, which is said. */
bool record_stop(struct sim *sim);
