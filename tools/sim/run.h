/* SPDX-License-Identifier: MIT */
/*
 * run.h - let time pass, and do what the scenario says
 */
#ifndef JIFSIM_RUN_H
#define JIFSIM_RUN_H

#include "sim.h"

/* @sim: its scenario and its seed are there already. */
void sim_init(struct sim *sim);

/*
 * Runs to the end of the scenario; the rings are drawn after all that happens
 * on each of the given ticks.
 */
void sim_run(struct sim *sim, const int64_t *frames, size_t n_frames);

void sim_free(struct sim *sim);

#endif
