/* SPDX-License-Identifier: MIT */
/*
 * test/firmware/model/turns_test.c - random turns
 *
 * LOCKSTEP_SEED and LOCKSTEP_OPERATIONS, in the environment, are for more of
 * it.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <jif/kit/sim.h>
#include <limits.h>
#include <stdio.h>

#include "../../wheel/model/environment.h"
#include "turns.h"

#define DEFAULT 1000000

/* After so many acts, with the next seed, it begins anew. */
#define LIFE 1000000

static void expect_no_difference(uint64_t seed, unsigned interrupts,
				 const struct turns_part *part)
{
	uint64_t wanted = number_of("LOCKSTEP_OPERATIONS", DEFAULT);
	uint64_t acts = 0, interrupted = 0, ran = 0, sleeps = 0;

	seed = number_of("LOCKSTEP_SEED", seed);
	do {
		turns_begin(seed++, interrupts, part);
		while (turns.acts < LIFE && acts + turns.acts < wanted &&
		       turns_step())
			;
		jif_sim.irq = NULL;
		acts += turns.acts;
		interrupted += turns.interrupted;
		ran += turns.ran;
		sleeps += turns.sleeps;
		cr_assert_str_empty(turns.difference);
	} while (acts < wanted);
	printf("turns: up to seed %" PRIu64 ": %" PRIu64 " acts, %" PRIu64
	       " of them in interrupts, %" PRIu64 " runs, %" PRIu64 " sleeps\n",
	       seed - 1, acts, interrupted, ran, sleeps);
	cr_assert_gt(ran, wanted / 20);
	cr_assert(part || sleeps > wanted / 20000);
}

Test(turns, without_interrupts)
{
	expect_no_difference(1, UINT_MAX, NULL);
}

Test(turns, with_an_interrupt_now_and_then)
{
	expect_no_difference(2, 20, NULL);
}

Test(turns, with_an_interrupt_in_every_third_window)
{
	expect_no_difference(3, 3, NULL);
}

/* A queue without a scheduler; runs end within a pass, and find nothing. */
Test(turns, of_work_alone)
{
	static const struct turns_part work = {
		.works = TASKS_WORKS - TASKS_DELAYED,
		.delayed = TASKS_DELAYED,
		.queue = true,
	};

	expect_no_difference(4, 20, &work);
}
