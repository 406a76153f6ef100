/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/churn.h - random operations on a kernel's wheel, and a
 * model
 *
 * Four owners, each with timers of its own: a task below the one that runs the
 * wheel, a task above it, the handler of the tick, and that of an interrupt
 * that comes at random, within the other handler, too. The model knows no more
 * than when each timer was to expire; its time is the test's own count of the
 * ticks, and it is kept whole by the test's own masking of interrupts: neither
 * is jif's nor the kernel's.
 */
#pragma once

#include <jif/face/kernel.h>
#include <stdbool.h>
#include <stdint.h>

enum churn_owner {
	CHURN_BELOW,
	CHURN_ABOVE,
	CHURN_TICK,
	CHURN_IRQ,
	CHURN_OWNERS
};

/* What a machine and a kernel provide. */
uint32_t churn_mask(void);
void churn_unmask(uint32_t flags);
uint32_t churn_ticks(void);

void churn_start(struct jif_kernel *kernel);

/* A random operation on a random timer of that owner. */
void churn_op(enum churn_owner owner);

/*
 * Every other while is sparse: few operations are to come, most of them far
 * ahead, so that the task sleeps long, and some right ahead, to wake it.
 */
bool churn_is_sparse(void);

/* How many operations there were; and when the last timer is to expire. */
uint32_t churn_ops(void);
uint32_t churn_last(void);

/*
 * With nothing else pending: arms one more timer, for three ticks ahead, in the
 * context that calls; and whether it is yet to come. A task that was not woken
 * for it sleeps on.
 */
void churn_arm_alone(void);
bool churn_alone(void);

/*
 * Prints what was found; true if all is right, and no later than that:
 * 0 or 1 tick, 2: on a host, a task runs when that lets it.
 */
bool churn_end(unsigned late);

/* A random number from 0 to @below - 1, from a row of the owner's own. */
uint32_t churn_random(enum churn_owner owner, uint32_t below);
