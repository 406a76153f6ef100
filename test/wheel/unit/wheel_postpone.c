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

static int (*change)(struct jif_wheel *wheel, struct jif_timer *timer,
		     uint32_t expires);

static void change_what_is_due(unsigned timer)
{
	if (timer == 0)
		cr_assert(change(&wheel, &timers[1], at(now() + LONGEST)));
}

/* By the longest time that there is, which is not sooner, but later. */
Test(wheel_postpone, what_is_due_with_its_caller_is_only_postponed)
{
	arm_all(2, 5);
	unit_callback = change_what_is_due;
	change = jif_timer_reduce;
	expect_exact(5, 2);
	arm_all(2, 10);
	change = jif_timer_postpone;
	expect_exact(10, 1);
	expect_exact(10 + LONGEST, 1);
}
