/* SPDX-License-Identifier: MIT */
/*
 * run.h - let time pass, and do what the scenario says
 */
#ifndef JIFSIM_RUN_H
#define JIFSIM_RUN_H

#include "sim.h"

/* @seed: takes the place of the seeds in the scenario, if it is not NULL. */
void sim_init(struct sim *sim, const struct scenario *scenario,
	      struct report *report, const uint64_t *seed);

/*
 * Runs to the end of the scenario; report_frame() is called after all that
 * happens on each of the given ticks.
 */
void sim_run(struct sim *sim, const int64_t *frames, size_t n_frames);

void sim_free(struct sim *sim);

#endif
