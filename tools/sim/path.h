/* SPDX-License-Identifier: MIT */
/*
 * path.h - the slots in which an entry has waited since it was armed
 */
#ifndef JIFSIM_PATH_H
#define JIFSIM_PATH_H

#include "scenario.h"

#define TRAIL_STEPS 32

/*
 * struct step - an entry was in a slot
 * @passed:	it left it on the tick on which it came
 * @turns:	how often it was put there in a row
 */
struct step {
	struct slot slot;
	bool passed;
	uint32_t turns;
};

/*
 * struct trail - all slots of one arming
 * @step:	the first ones
 * @n_steps:	how many there were, also those for which there was no room
 * @since:	when it came to the last one
 * @open:	the timer is armed
 */
struct trail {
	struct step step[TRAIL_STEPS];
	unsigned n_steps;
	int64_t since;
	bool open;
};

/* The entry has been put into a slot; not for the first time if @moved. */
void trail_add(struct trail *trail, bool moved, struct slot slot, int64_t tick);

/* The timer has fired, was taken off, or is armed anew. */
void trail_stop(struct trail *trail, int64_t tick);

/*
 * Are these the slots that an expectation names? Where the entry passed
 * through may be left out, and a slot in which it stayed for several turns may
 * be named up to that many times.
 */
bool trail_matches(const struct trail *trail, const struct stmt *stmt);

/* Writes the slots into a buffer. */
void trail_print(const struct trail *trail, char *buffer, size_t size);

#endif
