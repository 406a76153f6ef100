/* SPDX-License-Identifier: MIT */
/*
 * timer.h - what can be done to a timer of the scenario
 */
#ifndef JIFSIM_TIMER_H
#define JIFSIM_TIMER_H

#include "sim.h"

/* Where random delays come from. */
struct generator {
	uint64_t state; /* the seed, at first */
	uint32_t least;
	uint32_t most;
};

/* What comes again after each period. */
struct cycle {
	uint32_t period;
	uint32_t count; /* 0: no end */
	enum jif_catchup catchup;
};

/* The timers of a scenario, all idle; there is one run at a time. */
void timer_init_all(struct sim *sim);
void timer_free_all(struct sim *sim);

/* A timer beside those: its memory is zeroed, and stays. */
void timer_init(struct timer *timer, const char *name);

/* Arm a timer for a tick; if that has gone by, for the next one. */
void timer_arm(struct sim *sim, struct timer *timer, int64_t expires);
void timer_arm_periodic(struct sim *sim, struct timer *timer, int64_t expires,
			const struct cycle *cycle);
void timer_postpone(struct sim *sim, struct timer *timer, int64_t expires);

/* Gives a timer an alarm beside it, which comes back after each period. */
void timer_arm_alarm(struct sim *sim, struct timer *timer, int64_t expires,
		     uint32_t period);

/* From now on the timer is armed with a new delay whenever it has fired. */
void timer_arm_random(struct sim *sim, struct timer *timer,
		      struct generator *generator);

/* Also takes its alarms off; false if it was not armed. */
bool timer_cancel(struct sim *sim, struct timer *timer);

/* Takes all timers off; none fires. */
void timer_drain(struct sim *sim);

#endif
