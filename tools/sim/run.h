/* SPDX-License-Identifier: MIT */
/*
 * run.h - let time pass, and do what the scenario says
 */
#ifndef JIFSIM_RUN_H
#define JIFSIM_RUN_H

#include "sim.h"

/* What is still to be done, in a heap. */
struct queue {
	struct event *events;
	size_t n_events;
};

/*
 * A run, step by step: as far as @tick, which may be any number of ticks on;
 * run_stop() reports, run_free() frees what run_start() took. What does not
 * change is in @sim already, and the rings are drawn so often on the way to the
 * end.
 */
void run_start(struct sim *sim, struct queue *queue, uint64_t drawings);
void run_to(struct sim *sim, struct queue *queue, int64_t tick);
void run_stop(struct sim *sim);
void run_free(struct sim *sim, struct queue *queue);

/* When the next line is to be done; false if none is left. */
bool run_next(const struct queue *queue, int64_t *tick);

/* Runs a scenario to its end, and reports. */
void run_scenario(struct sim *sim, uint64_t drawings);

#endif
