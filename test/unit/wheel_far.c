/* SPDX-License-Identifier: MIT */
/* Further than a week */
#include <criterion/criterion.h>

#include "unit.h"

TestSuite(wheel_far, .init = unit_init, .fini = unit_fini);

Test(wheel_far, loses_a_week_at_each_pass_and_stays_in_its_slot)
{
	arm(0, 3 * WEEK + 5);
	expect_place(0, 3, 0, 2 * WEEK + 5);
	run_to(WEEK);
	expect_place(0, 3, 0, WEEK + 5);
	cr_assert_eq(jif_timer_expires(&wheel, &timers[0]), at(3 * WEEK + 5));
	run_to(2 * WEEK);
	cr_assert_eq(place_of(0).remaining, 5);
	run_to(3 * WEEK);
	expect_place(0, 0, 5, 0);
	expect_exact(3 * WEEK + 5, 1);
}

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

/* W6 */
Test(wheel_far, a_weekly_alarm_on_sunday_evening_comes_every_week)
{
	unit_init_at(6, 23, 59, 58);
	unit_callback = weekly;
	arm(0, 1);
	run_to(100 * WEEK);
	cr_assert_eq(nfired, 100);
	for (unsigned i = 0; i < 100; i++)
		cr_assert_eq(fired[i].after, 1 + i * WEEK);
}

/* W6 */
Test(wheel_far, one_far_timer_does_not_hide_the_near_ones)
{
	arm(0, LONGEST);
	for (unsigned i = 1; i < 20; i++)
		arm(i, i * DAY + i);
	run_to(20 * DAY);
	cr_assert_eq(nfired, 19);
	for (unsigned i = 1; i < 20; i++)
		cr_expect_eq(fired[i - 1].after, i * DAY + i);
}

static uint32_t window_expires[200];
static unsigned nwindows;

/* In the midnight cascade the day slot is in hand, and also taken anew. */
static void arm_week(void)
{
	if (nwindows == 200)
		return;
	if (nwindows == 1)
		jif_timer_mod(&wheel, &timers[40], at(2 * WEEK + 7));
	window_expires[nwindows++] = jif_timer_expires(&wheel, &timers[40]);
}

Test(wheel_far, expires_tells_the_slot_from_the_bucket_in_hand)
{
	for (unsigned i = 0; i < 20; i++)
		arm(i, WEEK + i);
	arm(40, 2 * WEEK + 7);
	run_to(5 * DAY);
	nwindows = 0;
	run_under(arm_week, WEEK);
	cr_assert_geq(nwindows, 20);
	for (unsigned i = 0; i < nwindows; i++)
		cr_assert_eq(window_expires[i], at(2 * WEEK + 7));
	nfired = 0;
	run_to(2 * WEEK + 7);
	cr_assert_eq(nfired, 20);
	cr_assert_eq(fired[19].timer, 40);
}
