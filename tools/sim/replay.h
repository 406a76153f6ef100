/* SPDX-License-Identifier: MIT */
/*
 * replay.h - what comes out of the replay of a trace
 */
#ifndef JIFSIM_REPLAY_H
#define JIFSIM_REPLAY_H

#include "report.h"
#include "trace.h"

/*
 * Makes a scenario that does nothing but import a trace. Errors have been
 * reported when it returns something else than STATUS_OK.
 */
enum status replay_read(struct scenario *scenario, const char *path);

/* Prints the figures of a replay in place of those of a scenario. */
void replay_print(const struct report *report, const struct sim *sim);

void replay_json(const struct report *report, const struct sim *sim);

#endif
