/* SPDX-License-Identifier: MIT */
/*
 * expect.h - what a scenario expects, and what came of it
 */
#ifndef JIFSIM_EXPECT_H
#define JIFSIM_EXPECT_H

#include "path.h"
#include "sim.h"

/* How many timers of one expectation are named when they fail. */
#define MESSAGES_SHOWN 10

/*
 * struct expectation - an expectation of the scenario
 * @stmt:	what it says
 * @checked:	of a state: the time came, and it was looked at
 * @failures:	for how many timers it does not hold
 * @message:	about the first of them
 * @seen:	of an order: which of its timers fired, as far as there is room
 * @n_seen:	how many that are
 * @in_order:	how many of its timers have fired in order
 */
struct expectation {
	const struct stmt *stmt;
	bool checked;
	uint64_t failures;
	char *message[MESSAGES_SHOWN];
	uint32_t *seen;
	size_t n_seen;
	size_t in_order;
};

/*
 * struct watch - a timer that an expectation is about
 * @next:	of the same timer
 * @of:		the expectation
 * @met:	it holds for this timer
 * @any_before:	the timer fired before the time in question; @before: when last
 * @any_after:	the same for after, and first
 * @bad:	firings that should not have been
 * @trail:	of a path: that of the last arming
 */
struct watch {
	struct watch *next;
	struct expectation *of;
	bool met;
	bool any_before;
	bool any_after;
	int64_t before;
	int64_t after;
	uint64_t bad;
	struct trail *trail;
};

/*
 * struct expect - all expectations of a scenario
 * @watches:	one after the other, in the order of the expectations
 * @n_failed:	how many are not met; known after expect_stop()
 */
struct expect {
	struct expectation *items;
	size_t n_items;
	struct watch *watches;
	size_t n_failed;
};

struct expect *expect_init(struct sim *sim);

/* A timer that is watched has fired. */
void expect_fire(const struct firing *firing);

/* An entry with a trail is not armed any more, or armed anew. */
void expect_trail(const struct entry *entry, int64_t tick);

/* The time has come to look at the wheel. */
void expect_check(struct sim *sim, const struct stmt *stmt);

/* The run is over: find out what was not met. */
void expect_stop(struct sim *sim);

void expect_free(struct sim *sim);

#endif
