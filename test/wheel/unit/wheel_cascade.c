/* SPDX-License-Identifier: MIT */
/* What happens when a wheel wraps */
#include "unit.h"

TestSuite(wheel_cascade, .init = unit_init, .fini = unit_fini);

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
