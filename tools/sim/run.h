/* SPDX-License-Identifier: MIT */
/*
 * run.h - let time pass, and do what the scenario says
 */
#ifndef JIFSIM_RUN_H
#define JIFSIM_RUN_H

#include "sim.h"

/*
 * Runs a scenario to its end, draws the rings so often on the way, and reports.
 * @sim: what does not change is there already.
 */
void run_scenario(struct sim *sim, uint64_t drawings);

#endif
