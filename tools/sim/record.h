/* SPDX-License-Identifier: MIT */
/*
 * record.h - what happens on the wheel, for tools/trace
 */
#ifndef JIFSIM_RECORD_H
#define JIFSIM_RECORD_H

#include "sim.h"

/* Until it is stopped, to a file; nothing if that is NULL. */
void record_start(const struct jif_wheel *wheel, const char *path);
void record_event(unsigned what, const struct jif_wheel *wheel,
		  const struct jif_timer *timer, uint32_t value);

/* Names all timers; false if the file could not be written. */
bool record_stop(const struct sim *sim);

#endif
