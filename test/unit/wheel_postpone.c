/* SPDX-License-Identifier: MIT */
/* Moving a timer later without touching a list */
#include <criterion/criterion.h>

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

/* W6 */
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
			expect_exact(when[to], 1);
		}
	}
}

/* W6 */
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

Test(wheel_postpone, to_a_sooner_time_moves_it)
{
	arm(1, 40);
	arm(0, 100);
	cr_assert(jif_timer_postpone(&wheel, &timers[0], at(40)));
	cr_assert_eq(place_of(0).slot, 40);
	run_to(40);
	cr_assert_eq(fired[1].timer, 0, "a new arming, so behind the other");
}

/* W5 */
Test(wheel_postpone, leaves_the_order_of_the_others_alone)
{
	arm_all(6, 5000);
	jif_timer_postpone(&wheel, &timers[2], at(5003));
	run_to(6000);
	expect_fired(6, { 0, 5000 }, { 1, 5000 }, { 3, 5000 }, { 4, 5000 },
		     { 5, 5000 }, { 2, 5003 });
}

/* Timer 1 is the first, in the middle, or the last of three in its list. */
static const unsigned middle[3][3] = { { 1, 0, 2 }, { 0, 1, 2 }, { 0, 2, 1 } };

/* In every second, from every place in its list, to the edges. */
static void expect_postponed(uint32_t first, uint32_t after, uint32_t expires)
{
	for (unsigned place = 0; place < 3; place++) {
		unit_init_at(6, 23, 59, 50);
		for (unsigned i = 0; i < 3; i++)
			arm(middle[place][i], first);
		run_to(after);
		cr_assert(jif_timer_postpone(&wheel, &timers[1], at(expires)));
		if (expires - after - 1 >= LONGEST)
			expires = after + 1;
		cr_expect_eq(jif_timer_expires(&wheel, &timers[1]),
			     at(expires));
		cr_expect_eq(jif_wheel_check(&wheel), 0);
		run_to(expires - 1);
		cr_expect_eq(count(1), 0, "to %u from %u", expires, after);
		run_to(expires);
		cr_expect_eq(count(1), 1, "to %u from %u", expires, after);
		run_to(expires + first);
		cr_expect_eq(nfired, 3);
	}
}

/* W6 */
Test(wheel_postpone, from_any_place_in_its_list_to_the_edges)
{
	static const uint32_t firsts[] = { 8,	 59,	  60,	   3000,
					   7200, 5 * DAY, WEEK + 7 };

	for (unsigned i = 0; i < 7; i++) {
		for (uint32_t after = 0; after < 8; after += 7) {
			uint32_t first = firsts[i];

			expect_postponed(first, after, first);
			expect_postponed(first, after, first + 1);
			expect_postponed(first, after, first + MINUTE);
			expect_postponed(first, after, first + WEEK);
			expect_postponed(first, after, first + WEEK + 1);
			expect_postponed(first, after, after + 1);
			expect_postponed(first, after, after);
			expect_postponed(first, after, after - 1);
			expect_postponed(first, after, after - WEEK);
			expect_postponed(first, after, after + LONGEST);
			expect_postponed(first, after, after + LONGEST + 1);
			expect_postponed(first, after, after - LONGEST);
		}
	}
}

static uint32_t target;

/* Timer 0 runs; timer 1 is of the same tick, timer 2 of another one. */
static void postpone_others(unsigned timer)
{
	if (timer != 0 || !target)
		return;
	cr_expect(jif_timer_postpone(&wheel, &timers[1], at(target)));
	cr_expect_eq(jif_timer_expires(&wheel, &timers[1]), at(target));
	cr_expect(jif_timer_postpone(&wheel, &timers[2], at(target)));
	cr_expect_eq(jif_timer_expires(&wheel, &timers[2]), at(target));
	cr_expect_not(jif_timer_postpone(&wheel, &timers[0], at(target)));
	cr_expect_eq(jif_wheel_check(&wheel), 0);
	target = 0;
}

Test(wheel_postpone, in_a_callback_of_the_same_tick_or_another)
{
	static const uint32_t later[] = { 1,	2,   58,   59,	    60,	    61,
					  3600, DAY, WEEK, 8 * DAY, LONGEST };

	for (uint32_t tick = 59; tick < 62; tick++) {
		for (unsigned i = 0; i < 11; i++) {
			unit_init();
			for (unsigned k = 0; k < 2; k++)
				arm(k, tick);
			arm(3, tick);
			arm(2, tick + 1);
			arm(4, tick + 1);
			unit_callback = postpone_others;
			target = tick + later[i];
			run_to(tick);
			cr_expect_eq(nfired, 2, "timers 0 and 3");
			run_to(tick + later[i] - 1);
			cr_expect_eq(count(0) + count(1) + count(2), 1);
			run_to(tick + later[i]);
			cr_expect_eq(count(0), 2);
			cr_expect_eq(count(1), 1);
			cr_expect_eq(count(2), 1);
			cr_expect_eq(count(4), later[i] > 0);
		}
	}
}

static void postpone_in_window(void)
{
	if (!target || now() != 60 || !jif_timer_pending(&timers[1]))
		return;
	jif_timer_postpone(&wheel, &timers[1], at(target));
	cr_expect_eq(jif_timer_expires(&wheel, &timers[1]), at(target));
	cr_expect_eq(jif_wheel_check(&wheel), 0);
	target = 0;
}

Test(wheel_postpone, by_an_interrupt_while_its_tick_is_being_run)
{
	static const uint32_t later[] = { 61, 119, 120, 121, 4000, 8 * DAY };

	for (unsigned place = 0; place < 3; place++) {
		for (unsigned i = 0; i < 6; i++) {
			unit_init();
			for (unsigned k = 0; k < 3; k++)
				arm(middle[place][k], 60);
			target = later[i];
			run_under(postpone_in_window, 60);
			cr_assert_eq(target, 0);
			run_to(later[i] - 1);
			cr_expect_eq(nfired, 2);
			run_to(later[i]);
			cr_expect_eq(nfired, 3);
			cr_expect_eq(fired[2].timer, 1);
		}
	}
}
