/* SPDX-License-Identifier: MIT */
/* What happens when a wheel wraps */
#include <criterion/criterion.h>

#include "unit.h"

TestSuite(wheel_cascade, .init = unit_init, .fini = unit_fini);

/* W3 */
Test(wheel_cascade, minute_slot_reaches_seconds_before_it_is_due,
     .disabled = CONFIG_JIF_SPREAD)
{
	arm(0, MINUTE + 5);
	run_to(MINUTE - 1);
	cr_assert_eq(place_of(0).level, 1);
	run_to(MINUTE);
	expect_place(0, 0, 5, 0);
	expect_exact(MINUTE + 5, 1);
}

/* W3 */
Test(wheel_cascade, goes_down_one_level_at_a_time)
{
	arm(0, 3 * DAY + 5 * HOUR + 7 * MINUTE + 9);
	for (uint32_t t = 1; t < 4 * DAY; t++)
		run_to(t);
	cr_assert_eq(nplaces, 4);
	for (unsigned i = 0; i < 4; i++)
		cr_expect_eq(places[i].level, 3 - i);
	cr_assert_eq(fired[0].after, 3 * DAY + 5 * HOUR + 7 * MINUTE + 9);
}

/* W6 */
Test(wheel_cascade, passes_all_levels_within_the_tick_when_nothing_is_left,
     .disabled = CONFIG_JIF_SPREAD)
{
	arm(0, DAY);
	run_to(DAY - 1);
	cr_assert_eq(place_of(0).level, 3);
	cr_assert_eq(run_to(DAY), 1);
	cr_assert_eq(nplaces, 4);
	cr_expect_eq(places[1].level, 2);
	cr_expect_eq(places[1].slot, 0);
	cr_expect_eq(places[2].level, 1);
	cr_expect_eq(places[2].slot, 0);
	cr_expect_eq(places[3].level, 0);
	cr_expect_eq(places[3].slot, 0);
	cr_assert_eq(fired[0].after, DAY);
}

/* W6 */
Test(wheel_cascade, days_come_before_hours_and_hours_before_minutes)
{
	/* All four are due in the tick in which all wheels wrap. */
	arm(0, 2 * DAY);
	run_to(2 * DAY - 2 * HOUR);
	arm(1, 2 * DAY);
	run_to(2 * DAY - 2 * MINUTE);
	arm(2, 2 * DAY);
	run_to(2 * DAY - 2);
	arm(3, 2 * DAY);
	run_to(2 * DAY);
	expect_order(4);
}

/* W4 */
Test(wheel_cascade, slot_under_the_hand_waits_a_full_turn)
{
	unit_init_at(0, 0, 10, 59);
	arm(0, HOUR - 1);
	/* The hand is there now. */
	expect_place(0, 1, 10, 58);
	expect_exact(HOUR - 1, 1);
}

/* W4 */
Test(wheel_cascade, a_week_at_midnight_waits_a_full_turn)
{
	unit_init_at(3, 0, 0, 0);
	arm(0, WEEK);
	cr_assert_eq(place_of(0).slot, 3, "the hand is there now");
	run_to(WEEK - 1);
	cr_assert_eq(nfired, 0);
	run_to(WEEK);
	cr_assert_eq(fired[0].after, WEEK);
}

/* W6 */
Test(wheel_cascade, top_level_is_dealt_out_on_every_turn)
{
	for (unsigned i = 0; i < 7; i++)
		arm(i, (i + 1) * DAY - 1 + DAY);
	run_to(10 * DAY);
	expect_order(7);
	for (unsigned i = 0; i < 7; i++)
		cr_expect_eq(fired[i].after, (i + 2) * DAY - 1);
}

/* W6 */
Test(wheel_cascade, tick_by_tick_is_the_same_as_one_jump)
{
	static const uint32_t when[] = {
		1, 59, 60, 61, 119, 3599, 3600, 3661, 7200, 86399, 86400, 90061
	};
	struct unit_fired jumped[12];

	for (unsigned i = 0; i < 12; i++)
		arm(i, when[i]);
	run_to(100000);
	cr_assert_eq(nfired, 12);
	for (unsigned i = 0; i < 12; i++)
		jumped[i] = fired[i];
	unit_init();
	for (unsigned i = 0; i < 12; i++)
		arm(i, when[i]);
	for (uint32_t t = 1; t <= 100000; t++)
		run_to(t);
	cr_assert_eq(nfired, 12);
	for (unsigned i = 0; i < 12; i++) {
		cr_expect_eq(fired[i].timer, jumped[i].timer);
		cr_expect_eq(fired[i].after, jumped[i].after);
		cr_expect_eq(fired[i].after, when[i]);
	}
}
