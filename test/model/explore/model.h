/* SPDX-License-Identifier: MIT */
/*
 * test/model/explore/model.h - what a few timers have to do
 *
 * No wheel: each timer has the tick at which it has to run, and its place
 * among those of that tick. It is a part of each state, and has no padding.
 */
#ifndef EXPLORE_MODEL_H
#define EXPLORE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#define TIMERS_MAX 4

/**
 * struct model_timer - what is known about one timer
 * @expires:	when it has to run, in jiffies, if it is pending; the ticks
 *		that it has left, if it is paused
 * @order:	less than that of timers of the same tick that were armed later
 * @pending:	it is armed
 * @loose:	it was postponed: any place among those of its tick will do
 * @shut:	it was shut down
 * @paused:	it was paused, and nothing has been done to it since
 * @zero:	unused
 */
struct model_timer {
	uint32_t expires;
	uint8_t order;
	bool pending;
	bool loose;
	bool shut;
	bool paused;
	uint8_t zero[3];
};

/**
 * struct model - all timers
 * @clock:	the tick that is being run, or that was run last
 * @unfinished:	a budget ran out within that tick
 * @zero:	unused
 * @timer:	the ones that take no part are idle
 */
struct model {
	uint32_t clock;
	bool unfinished;
	uint8_t zero[3];
	struct model_timer timer[TIMERS_MAX];
};

/* When a timer runs that is armed now. */
uint32_t model_due(const struct model *model, int32_t ticks);

void model_mod(struct model *model, unsigned i, uint32_t due);
void model_reduce(struct model *model, unsigned i, uint32_t due);
void model_postpone(struct model *model, unsigned i, uint32_t due);
void model_del(struct model *model, unsigned i);
void model_pause(struct model *model, unsigned i);
void model_shut(struct model *model, unsigned i);

/* Does pending timer @i have to run before pending timer @j? */
bool model_before(const struct model *model, unsigned i, unsigned j);

/* The ticks to the first expiry; false if there is none. */
bool model_next(const struct model *model, uint32_t *ticks);

/* Gives equal models equal memory; all times are moved by @shift. */
void model_canonicalise(struct model *model, uint32_t shift);

#endif
