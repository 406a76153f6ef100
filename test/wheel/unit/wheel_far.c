/* SPDX-License-Identifier: MIT */
/* Further than a week */
#include "unit.h"

TestSuite(wheel_far, .init = unit_init, .fini = unit_fini);

/* W6 */
Test(wheel_far, is_exact_at_every_distance)
{
	static const uint32_t far[] = { WEEK - 1,    WEEK,	   WEEK + 1,
					WEEK + DAY,  2 * WEEK - 1, 2 * WEEK,
					52 * WEEK,   1000 * WEEK,  3550 * WEEK,
					LONGEST - 1, LONGEST };

	for (unsigned i = 0; i < sizeof(far) / sizeof(far[0]); i++) {
		unit_init_at(i % 7, (5 * i) % 24, (17 * i) % 60, (31 * i) % 60);
		arm(0, far[i]);
		expect_exact(far[i], 1);
	}
}

/* W6 */
Test(wheel_far, the_longest_delay_survives_the_shortest_steps_at_its_end)
{
	arm(0, LONGEST);
	run_to(LONGEST - 2 * DAY);
	for (uint32_t t = LONGEST - 2 * DAY; t < LONGEST; t++)
		cr_assert_eq(run_to(t), 0);
	cr_assert_eq(run_to(LONGEST), 1);
}

static void weekly(unsigned timer)
{
	arm(timer, now() + WEEK);
}

/* W4, W6 */
Test(wheel_far, a_weekly_alarm_at_midnight_comes_every_week)
{
	unit_callback = weekly;
	arm(0, WEEK);
	run_to(100 * WEEK);
	cr_assert_eq(nfired, 100);
	for (unsigned i = 0; i < 100; i++)
		cr_assert_eq(fired[i].after, (i + 1) * WEEK);
}
