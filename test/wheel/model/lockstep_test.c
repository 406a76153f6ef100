/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/lockstep_test.c - the wheel against the oracle, ten million
 * times
 *
 * Each row is another kind of load. A difference prints the seed and the
 * operation: the same row runs the same way again. LOCKSTEP_OPERATIONS, in the
 * environment, is the number per row.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>

#include "environment.h"
#include "lockstep.h"

#define BEFORE_WRAP ((UINT64_C(1) << 32) - 300000)
#define DEFAULT	    2500000

static void expect_same(const char *name, struct lockstep_config config)
{
	struct lockstep_result result;

	config.start = BEFORE_WRAP;
	config.checks = 2000;
	config.operations = number_of("LOCKSTEP_OPERATIONS", DEFAULT);
	result = lockstep_run(&config);
	printf("lockstep: %s: %" PRIu64 " operations, %" PRIu64
	       " of them in interrupts, %" PRIu64 " expiries compared\n",
	       name, result.operations, result.interrupted, result.fired);
	cr_assert_str_empty(result.difference);
	cr_assert_geq(result.operations, config.operations);
	cr_assert_gt(result.fired, config.operations / 20);
}

#define expect_no_difference(name, ...)                                        \
	expect_same(name, (struct lockstep_config){ __VA_ARGS__ })

Test(lockstep, many_timers_within_a_month)
{
	expect_no_difference("many timers", .seed = 1, .timers = 200,
			     .longest = 2700000, .interrupts = 10);
}

Test(lockstep, few_timers_at_any_distance)
{
	expect_no_difference("few timers", .seed = 2, .timers = 5,
			     .longest = 0x7fffffff, .interrupts = 10);
}

Test(lockstep, an_interrupt_in_every_other_window)
{
	expect_no_difference("interrupts", .seed = 3, .timers = 40,
			     .longest = 1300000, .interrupts = 2);
}

Test(lockstep, short_delays_without_interrupts)
{
	expect_no_difference("short delays", .seed = 4, .timers = 60,
			     .longest = 8000, .interrupts = 1000000);
}
