/* SPDX-License-Identifier: MIT */
/*
 * test/unit/wheel_postpone.c - moving a timer later without touching a list
 */
#include <criterion/criterion.h>

#include "unit.h"

TestSuite(wheel_postpone, .init = unit_init, .fini = unit_fini);

Test(wheel_postpone, stays_in_its_slot_and_runs_on_its_new_tick)
{
	arm(0, 30);
	cr_assert(jif_timer_postpone(&wheel, &timers[0], at(45)));
	cr_assert_eq(place_of(0).slot, 30);
	cr_assert_eq(place_of(0).remaining, 15);
	cr_assert_eq(jif_timer_expires(&wheel, &timers[0]), at(45));
	cr_assert_eq(run_to(44), 0);
	cr_assert_eq(run_to(45), 1);
}

Test(wheel_postpone, from_any_level_to_any_later_time)
{
	static const uint32_t when[] = { 1,	 59,	  60,	  3599,
					 3600,	 86399,	  86400,  604799,
					 604800, 5000000, LONGEST };

	for (unsigned from = 0; from < 11; from++) {
		for (unsigned to = from; to < 11; to++) {
			unit_init_at(3, 22, 57, 11);
			arm(0, when[from]);
			jif_timer_postpone(&wheel, &timers[0], at(when[to]));
			cr_assert_eq(jif_timer_expires(&wheel, &timers[0]),
				     at(when[to]));
			cr_assert_eq(run_to(when[to] - 1), 0);
			cr_assert_eq(run_to(when[to]), 1);
		}
	}
}

Test(wheel_postpone, again_and_again_like_a_heartbeat)
{
	arm(0, 50);
	for (uint32_t t = 1; t < 10000; t++) {
		run_to(t);
		jif_timer_postpone(&wheel, &timers[0], at(t + 50));
	}
	cr_assert_eq(nfired, 0);
	cr_assert_leq(nplaces, 10000 / 49 + 1, "placed once in 50 ticks");
	cr_assert_eq(run_to(9999 + 49), 0);
	cr_assert_eq(run_to(9999 + 50), 1);
}

Test(wheel_postpone, of_an_idle_timer_arms_it)
{
	cr_assert_not(jif_timer_postpone(&wheel, &timers[0], at(45)));
	cr_assert_eq(run_to(45), 1);
}

Test(wheel_postpone, to_a_sooner_time_moves_it)
{
	arm(1, 40);
	arm(0, 100);
	cr_assert(jif_timer_postpone(&wheel, &timers[0], at(40)));
	cr_assert_eq(place_of(0).slot, 40);
	run_to(40);
	cr_assert_eq(fired[1].timer, 0, "a new arming, so behind the other");
}

Test(wheel_postpone, to_the_same_time_changes_nothing)
{
	arm(0, 40);
	arm(1, 40);
	cr_assert(jif_timer_postpone(&wheel, &timers[0], at(40)));
	run_to(40);
	cr_assert_eq(fired[0].timer, 0);
}

Test(wheel_postpone, and_then_reduced_or_moved_back)
{
	arm(0, 30);
	jif_timer_postpone(&wheel, &timers[0], at(5000));
	cr_assert(jif_timer_reduce(&wheel, &timers[0], at(4000)));
	cr_assert_eq(jif_timer_expires(&wheel, &timers[0]), at(4000));
	jif_timer_postpone(&wheel, &timers[0], at(6000));
	cr_assert(jif_timer_mod(&wheel, &timers[0], at(35)));
	cr_assert_eq(run_to(35), 1);
}

Test(wheel_postpone, leaves_the_order_of_the_others_alone)
{
	for (unsigned i = 0; i < 6; i++)
		arm(i, 5000);
	jif_timer_postpone(&wheel, &timers[2], at(5003));
	run_to(6000);
	cr_assert_eq(nfired, 6);
	cr_expect_eq(fired[0].timer, 0);
	cr_expect_eq(fired[1].timer, 1);
	cr_expect_eq(fired[2].timer, 3);
	cr_expect_eq(fired[3].timer, 4);
	cr_expect_eq(fired[4].timer, 5);
	cr_expect_eq(fired[5].timer, 2);
	cr_expect_eq(fired[5].after, 5003);
}
