/* SPDX-License-Identifier: MIT */
/*
 * expect.h - what a scenario expects, and what came of it
 */
#ifndef JIFSIM_EXPECT_H
#define JIFSIM_EXPECT_H

#include "sim.h"

/* How many timers of one expectation are named when they fail. */
#define MESSAGES_SHOWN 10

#define NEVER	       (-1)

/* A timer that an expectation is about. */
struct watch {
	struct watch *next; /* of the same timer */
	struct expectation *of;
	struct timer *timer;
	bool met;
	int64_t fired;	     /* how often it fired, of no firing: too soon */
	int64_t first;	     /* when it did for the first time */
	int64_t before;	     /* when it fired before the time, or NEVER */
	int64_t after;	     /* when it first fired after that */
	struct slot found;   /* where it waits; level LEVELS: nowhere */
	uint32_t left;	     /* with how much left */
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

/* All of them. */
struct expect {
	struct expectation *items; /* one for each statement */
	size_t n_items;		   /* in use */
	size_t n_failed;	   /* known when the run is over */
};

void expect_init(struct expect *expect, const struct sim *sim);

/* A timer has fired. */
void expect_fired(const struct firing *firing);

/* An entry came into a slot; not for the first time if @moved. */
void expect_placed(const struct sim *sim, struct entry *entry, bool moved,
		   struct slot slot);

/* An entry is not armed any more. */
void expect_ended(const struct sim *sim, struct entry *entry);

/* The time has come to look at the wheel. */
void expect_check(struct sim *sim, const struct stmt *stmt);

/* The run is over: find out what was not met. */
void expect_stop(const struct sim *sim);

void expect_free(struct expect *expect, const struct scenario *scenario);

#endif
