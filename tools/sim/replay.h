/* SPDX-License-Identifier: MIT */
/*
 * replay.h - the replay of a trace, and what comes out of it
 */
#ifndef JIFSIM_REPLAY_H
#define JIFSIM_REPLAY_H

#include "sim.h"

/*
 * Makes a scenario that does nothing but import a trace. Errors have been
 * reported when it returns something else than STATUS_OK.
 */
enum status replay_read(struct scenario *scenario, const char *path);

/* @jif: how late the firings were. */
void replay_print(const struct sim *sim, const struct histogram *jif);
void replay_json(const struct sim *sim, const struct histogram *jif);

/* The member that both kinds of summary have. */
void replay_json_moved(const struct stats *stats);

#endif
