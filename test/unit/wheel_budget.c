/* SPDX-License-Identifier: MIT */
/* A bounded piece of work at a time */
#include <criterion/criterion.h>
#include <limits.h>

#include "unit.h"

TestSuite(wheel_budget, .init = unit_init, .fini = unit_fini);

static bool run_budget(uint32_t after, unsigned max)
{
	return jif_wheel_run_budget(&wheel, at(after), max);
}

Test(wheel_budget, stops_after_max_callbacks_and_goes_on_there)
{
	arm_all(10, 20);
	cr_assert_not(run_budget(20, 3));
	cr_assert_eq(nfired, 3);
	cr_assert_not(run_budget(20, 3));
	cr_assert_not(run_budget(20, 3));
	cr_assert(run_budget(20, 3));
	expect_order(10);
}

Test(wheel_budget, zero_runs_nothing)
{
	arm(0, 20);
	cr_assert(run_budget(10, 0), "there is nothing to do until 10");
	cr_assert_eq(now(), 10);
	cr_assert_not(run_budget(20, 0));
	cr_assert_eq(nfired, 0);
	cr_assert(run_budget(20, 1));
}

Test(wheel_budget, counts_moved_entries_too, .disabled = CONFIG_JIF_SPREAD)
{
	arm_all(5, 90);
	cr_assert_not(run_budget(60, 3));
	cr_assert_eq(nplaces, 1, "the cascade begins at the tail");
	cr_assert(run_budget(60, 2));
	cr_assert_eq(nplaces, 2);
	cr_assert_eq(nfired, 0);
}

Test(wheel_budget, stops_in_the_middle_of_a_midnight,
     .disabled = CONFIG_JIF_SPREAD)
{
	unsigned calls = 0;

	arm_all(10, DAY);
	while (!run_budget(DAY, 1))
		calls++;
	cr_assert_eq(calls, 39, "10 timers, 3 moves and a callback each");
	expect_order(10);
	for (unsigned i = 0; i < 10; i++)
		cr_expect_eq(fired[i].after, DAY);
}

/* W6 */
Test(wheel_budget, what_is_armed_meanwhile_is_not_forgotten,
     .disabled = CONFIG_JIF_SPREAD)
{
	arm_all(4, DAY);
	cr_assert_not(run_budget(DAY + 5, 2));
	arm(10, DAY + 1);
	arm(11, DAY);
	cr_assert_eq(jif_timer_expires(&wheel, &timers[11]), at(DAY + 1));
	cr_assert_eq(run_to(DAY + 5), 6);
	cr_expect_eq(fired[4].timer, 10);
	cr_expect_eq(fired[5].timer, 11);
}

Test(wheel_budget, all_that_waits_may_be_deleted)
{
	uint32_t when;

	arm_all(4, 2 * DAY);
	cr_assert_not(run_budget(2 * DAY, 2));
	for (unsigned i = 0; i < 4; i++)
		cr_assert(jif_timer_del(&wheel, &timers[i]));
	cr_assert(jif_wheel_empty(&wheel));
	cr_assert_not(jif_wheel_next_stop(&wheel, &when));
	cr_assert(run_budget(2 * DAY, 1));
	arm(0, 2 * DAY + 3 * HOUR);
	run_to(3 * DAY);
	cr_assert_eq(fired[0].after, 2 * DAY + 3 * HOUR);
}

Test(wheel_budget, an_earlier_now_leaves_no_work_on_a_wheel_without)
{
	cr_assert(run_budget(0, 1));
	cr_assert(jif_wheel_run_budget(&wheel, at(0) - 1, 1));
	arm(0, 50);
	cr_assert(jif_wheel_run_budget(&wheel, at(0) - 100, 1));
	cr_assert_eq(now(), 0);
}

Test(wheel_budget, an_earlier_now_does_not_go_on)
{
	arm_all(4, 50);
	cr_assert_not(run_budget(50, 2));
	cr_assert_not(run_budget(49, 2));
	cr_assert_eq(nfired, 2);
	expect_exact(50, 2);
}

static void rearm(struct jif_timer *timer)
{
	jif_timer_add(&wheel, timer, jif_wheel_clock(&wheel) + 1);
}

/* An int of 16 bits counts no more; what did not fit must not be counted. */
Test(wheel_budget, a_run_without_one_ends_where_unsigned_does,
     .disabled = UINT_MAX > 0xffff)
{
	struct jif_timer again;

	jif_timer_init(&again, rearm);
	jif_timer_add(&wheel, &again, at(1));
	cr_assert_eq(jif_wheel_run(&wheel, at(65800)), 65535);
	cr_assert_eq(now(), 65536);
	cr_assert_eq(jif_wheel_run(&wheel, at(65800)), 265);
	cr_assert_eq(now(), 65800);
	jif_timer_del(&wheel, &again);
}

/* W7 */
Test(wheel_budget, next_is_now_while_work_is_left)
{
	arm_all(2, 50);
	run_budget(50, 1);
	cr_assert_eq(next(), 50);
	cr_assert_eq(next_expiry(), 50);
}

static int run_in_walk(void *arg, const struct jif_timer *timer, unsigned level,
		       unsigned slot, uint32_t remaining)
{
	cr_assert_not(run_budget(50, 1));
	cr_assert_not(run_budget(1, 1));
	cr_assert(run_budget(0, 1));
	return 0;
}

Test(wheel_budget, in_a_walk_nothing_runs_and_all_is_left)
{
	arm(0, 50);
	cr_assert_eq(jif_wheel_walk(&wheel, run_in_walk, NULL), 0);
	cr_assert_eq(nfired, 0);
	cr_assert_eq(now(), 0);
}
