/* SPDX-License-Identifier: MIT */
/* When there is something to do */
#include "unit.h"

TestSuite(wheel_next, .init = unit_init, .fini = unit_fini);

/* Where a slot is reached or, with spreading, may be moved ahead from. */
static uint32_t stop_for(uint32_t after, uint32_t ticks)
{
	return CONFIG_JIF_SPREAD ? after - ticks : after;
}

Test(wheel_next, of_an_empty_wheel_is_none)
{
	uint32_t when = 4711;

	cr_assert(jif_wheel_empty(&wheel));
	cr_assert_not(jif_wheel_next_stop(&wheel, &when));
	cr_assert_not(jif_wheel_next_expiry(&wheel, &when));
	cr_assert_eq(when, 4711, "left alone");
}

Test(wheel_next, at_all_ones_is_not_taken_for_none)
{
	arm(0, UINT32_MAX - START);
	cr_assert_eq(next_expiry(), UINT32_MAX - START);
	expect_exact(next_expiry(), 1);
}

/* W7 */
Test(wheel_next, is_the_nearest_of_all_levels)
{
	arm(0, 3 * DAY);
	cr_assert_eq(next(), stop_for(3 * DAY, DAY));
	arm(1, 5 * HOUR);
	cr_assert_eq(next(), stop_for(5 * HOUR, HOUR));
	arm(2, 50 * MINUTE);
	cr_assert_eq(next(), stop_for(50 * MINUTE, MINUTE));
	arm(3, 50);
	cr_assert_eq(next(), 50);
	jif_timer_del(&wheel, &timers[3]);
	cr_assert_eq(next(), stop_for(50 * MINUTE, MINUTE),
		     "not stale after a delete");
}

/* W7 */
Test(wheel_next, looks_past_the_wrap_of_a_ring)
{
	unit_init_at(6, 23, 59, 50);
	arm(0, 20);
	cr_assert_eq(next(), 20);
	unit_init_at(6, 23, 59, 50);
	arm(0, 75);
	cr_assert_eq(next(), stop_for(70, MINUTE),
		     "the minute after next, at its begin");
	unit_init_at(6, 23, 59, 50);
	arm(0, HOUR - 1);
	cr_assert_eq(next(), stop_for(10 + 59 * MINUTE, MINUTE));
	unit_init_at(6, 23, 59, 50);
	arm(0, WEEK);
	cr_assert_eq(next(), CONFIG_JIF_SPREAD ? 10 + 5 * DAY : 10,
		     "the week in which it is due begins");
	unit_init_at(0, 0, 57, 50);
	arm(0, 150);
	cr_assert_eq(next(), stop_for(130, MINUTE), "the first of the ring");
	unit_init_at(0, 0, 0, 0);
	arm(0, 5 * WEEK + 9);
	cr_assert_eq(next(), CONFIG_JIF_SPREAD ? 3 * WEEK + 9 : 5 * WEEK,
		     "not each week before");
}

/* W7 */
Test(wheel_next, does_not_overlook_a_timer_behind_a_nearer_wrap,
     .disabled = CONFIG_JIF_SPREAD)
{
	/* Second 5 of the next minute, and something in the minute after. */
	unit_init_at(0, 0, 0, 50);
	arm(0, 15);
	arm(1, 80);
	cr_assert_eq(next(), 15);
	jif_timer_del(&wheel, &timers[0]);
	cr_assert_eq(next(), 70);
}

/* How often a sleeper wakes up until all have run, each on its tick. */
static unsigned sleep_through(bool (*next_of)(struct jif_wheel *of,
					      uint32_t *when))
{
	static const uint32_t when[] = { 17,   61,     3599,   3600,
					 7200, 100000, 700000, 5000000 };
	uint32_t stop;
	unsigned stops = 0;

	for (unsigned i = 0; i < 8; i++)
		arm(i, when[i]);
	for (; next_of(&wheel, &stop); stops++)
		jif_wheel_run(&wheel, stop);
	cr_assert_eq(nfired, 8);
	for (unsigned i = 0; i < 8; i++)
		cr_expect_eq(fired[i].after, when[i]);
	return stops;
}

/* W7 */
Test(wheel_next, takes_a_sleeper_from_stop_to_stop)
{
	cr_assert_leq(sleep_through(jif_wheel_next_stop), 8 * 4 + 8,
		      "a stop per level and week at most");
}

Test(wheel_next, expiry_takes_a_sleeper_there_in_one_step_each)
{
	cr_assert_eq(sleep_through(jif_wheel_next_expiry), 8);
}

/* Whether all of the next ticks are known to be quiet, or not. */
Test(wheel_next, leaves_the_wheel_as_it_is)
{
	struct jif_wheel before;
	uint32_t when;

	for (unsigned i = 0; i < 3; i++) {
		if (i == 1)
			arm(0, 45);
		else
			run_to(5 * i);
		before = wheel;
		cr_assert_eq(jif_wheel_next_stop(&wheel, &when), i > 0);
		cr_assert_eq(memcmp(&before, &wheel, sizeof(wheel)), 0);
	}
}

/* Two wait in the slot of an hour, of which one has been moved. */
Test(wheel_next, is_now_while_a_cascade_is_under_way,
     .disabled = CONFIG_JIF_SPREAD)
{
	uint32_t when;

	arm(0, HOUR + 70);
	arm(1, HOUR + 80);
	cr_assert_not(jif_wheel_run_budget(&wheel, at(HOUR), 1));
	cr_assert(jif_wheel_next_stop(&wheel, &when));
	cr_expect_eq(when, at(HOUR));
	cr_assert(jif_wheel_next_expiry(&wheel, &when));
	cr_expect_eq(when, at(HOUR + 70));
	cr_assert(jif_wheel_run_budget(&wheel, at(HOUR), 1));
	cr_assert(jif_wheel_next_stop(&wheel, &when));
	cr_expect_eq(when, at(HOUR + MINUTE));
}
