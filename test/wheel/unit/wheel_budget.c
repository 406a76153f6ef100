/* SPDX-License-Identifier: MIT */
/* A bounded piece of work at a time */
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

/* The wheel began at midnight of day 0; whole weeks are left out. */
Test(wheel_budget, what_it_leaves_of_a_week_is_shown_where_it_is)
{
	for (unsigned max = 0; max < 5; max++) {
		unit_init();
		for (unsigned i = 0; i < 6; i++)
			arm(i, 2 * WEEK + i % 3 * DAY + 5 * i);
		jif_wheel_run(&wheel, at(2 * WEEK - 1));
		run_budget(2 * WEEK, max);
		for (unsigned i = 1; i < 6; i++)
			if (place_of(i).level == 3)
				expect_place(i, 3, i % 3, 5 * i);
	}
}

Test(wheel_budget, an_earlier_now_leaves_no_work_on_a_wheel_without)
{
	jif_warn = unit_no_warning;
	cr_assert(run_budget(0, 1));
	cr_assert(jif_wheel_run_budget(&wheel, at(0) - 1, 1));
	arm(0, 50);
	cr_assert(jif_wheel_run_budget(&wheel, at(0) - 100, 1));
	cr_assert_eq(now(), 0);
}

static void rearm(struct jif_timer *timer)
{
	cr_assert_not(
		jif_timer_add(&wheel, timer, jif_wheel_clock(&wheel) + 1));
}

/* An int of 16 bits counts no more; what did not fit must not be counted. */
Test(wheel_budget, a_run_without_one_ends_where_an_int_does,
     .disabled = UINT_MAX > 0xffff)
{
	struct jif_timer again;

	jif_timer_init(&again, rearm);
	cr_assert_eq(jif_timer_add(&wheel, &again, at(1)), 0);
	cr_assert_eq(jif_wheel_run(&wheel, at(33000)), 32767);
	cr_assert_eq(now(), 32768);
	cr_assert_eq(jif_wheel_run(&wheel, at(33000)), 233);
	cr_assert_eq(now(), 33000);
	jif_timer_del(&wheel, &again);
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
