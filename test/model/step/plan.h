/* SPDX-License-Identifier: MIT */
/*
 * test/model/step/plan.h - which calls, in which states, and which interrupts
 */
#ifndef STEP_PLAN_H
#define STEP_PLAN_H

#include "world.h"

/**
 * struct call - a call to be interrupted
 * @state:	in which
 * @op:		which
 */
struct call {
	uint8_t state;
	struct op op;
};

extern const struct state plan_states[];
extern const struct call plan_calls[];
extern const unsigned plan_calls_count;

const char *plan_name(unsigned verb);

/* What interrupts do in the state of a call; false if there is no such. */
bool plan_irq(const struct call *call, unsigned number, struct op *irq);

#endif
