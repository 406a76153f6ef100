/* SPDX-License-Identifier: MIT */
/* Moving a timer later without touching a list */
#include "unit.h"

TestSuite(wheel_postpone, .init = unit_init, .fini = unit_fini);

/* W3 */
Test(wheel_postpone, stays_in_its_slot_and_runs_on_its_new_tick)
{
	arm(0, 30);
	cr_assert(jif_timer_postpone(&wheel, &timers[0], at(45)));
	expect_place(0, 0, 30, 15);
	cr_assert_eq(jif_timer_expires(&wheel, &timers[0]), at(45));
	expect_exact(45, 1);
}

static void reduce_what_is_due(unsigned timer)
{
	if (timer == 0)
		cr_assert(
			jif_timer_reduce(&wheel, &timers[1], at(5 + LONGEST)));
}

/* Not moved by the longest time that there is, which is not sooner. */
Test(wheel_postpone, what_is_due_with_its_caller_is_not_reduced_to_the_furthest)
{
	arm_all(2, 5);
	unit_callback = reduce_what_is_due;
	expect_exact(5, 2);
}
