/* SPDX-License-Identifier: MIT */
/*
 * progress.h - how far a long run has got, for the one who waits
 */
#ifndef JIFSIM_PROGRESS_H
#define JIFSIM_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

/* Seconds on a clock that only goes forward. */
double progress_seconds(void);

/*
 * Shows a bar on standard error if @shown, once the run takes longer than a
 * second, from @start to @end.
 */
void progress_start(bool shown, int64_t start, int64_t end);

/* Cheap: looks at the clock only every now and then. */
void progress_update(int64_t now);

/* Takes the bar away. */
void progress_stop(void);

#endif
