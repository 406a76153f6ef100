/* SPDX-License-Identifier: MIT */
/* Which calls, in which states, and which interrupts */
#pragma once

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
