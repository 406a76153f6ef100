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

/*
 * struct watch - a timer that an expectation is about
 * @next:	of the same timer
 * @of:		the expectation
 * @met:	it holds for this timer
 * @fired:	how often the timer fired; of no firing, how often too much
 * @before:	when it did before the time in question, or NEVER
 * @after:	when it did after that
 * @found:	the slot in which it waits; on level LEVELS if it does not
 * @left:	with how much left
 * @trail:	of a path: that of the last arming
 */
struct watch {
	struct watch *next;
	struct expectation *of;
	struct timer *timer;
	bool met;
	int64_t fired;
	int64_t before;
	int64_t after;
	struct slot found;
	uint32_t left;
	struct trail *trail;
};

/*
 * struct expectation - an expectation of the scenario
 * @watches:	one for each timer that it names
 * @checked:	of a state: the time came, and it was looked at
 * @failures:	for how many timers it does not hold
 * @message:	about the first of them
 * @seen:	of an order: which of its timers fired, as far as there is room
 * @in_order:	how many of its timers have fired in order
 */
struct expectation {
	const struct stmt *stmt;
	struct watch *watches;
	bool checked;
	int64_t failures;
	char *message[MESSAGES_SHOWN];
	const struct timer **seen;
	size_t n_seen;
	size_t in_order;
};

/*
 * struct expect - all expectations of a scenario
 * @items:	one for each statement, in use where that is an expectation
 * @n_failed:	how many are not met; known after expect_stop()
 */
struct expect {
	struct expectation *items;
	size_t n_items;
	size_t n_failed;
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
