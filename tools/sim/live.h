/* SPDX-License-Identifier: MIT */
/*
 * live.h - the wheels as they turn
 */
#ifndef JIFSIM_LIVE_H
#define JIFSIM_LIVE_H

#include "sim.h"

#define LIVE_FIRINGS 5

/*
 * Shows @n_frames within so many seconds: in place on a terminal, or else one
 * after the other and without a wait.
 */
void live_start(uint64_t seconds, size_t n_frames, bool color);

/* Remembers a firing for the next frame. */
void live_fire(const struct firing *firing);

void live_frame(const struct sim *sim);

void live_stop(void);

#endif
