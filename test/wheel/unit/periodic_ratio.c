/* SPDX-License-Identifier: MIT */
/*
 * Periods that are no whole ticks: the largest numbers; all else is held by
 * test/wheel/unit/periodic_random.c
 */
#define CALLS 4096

#include "periodic.h"

static void init(enum jif_catchup policy)
{
	unit_init();
	begin_calls(policy);
}

static void init_each(void)
{
	init(JIF_CATCHUP_EACH);
}

TestSuite(periodic_ratio, .init = init_each, .fini = unit_fini);

static int start(uint32_t first, uint32_t ticks, uint32_t per)
{
	return jif_periodic_start_ratio(&wheel, &p, first, ticks, per,
					JIF_FOREVER);
}

/* (2^31 - 2) * 1000 / 32768 = 65535999.93: so many more, and the next. */
Test(periodic_ratio, one_call_after_the_longest_run)
{
	init(JIF_CATCHUP_SKIP);
	start(1, 32768, 1000);
	run_to(LONGEST);
	expect_at(1, 1);
	cr_expect_eq(calls[0].missed, 65535999);
	cr_expect_eq(next_call(), 1 + UINT32_C(2147483648));
	run_to(UINT32_C(2147483649));
	cr_expect_eq(ncalls, 2);
	cr_expect_eq(next_call(), UINT32_C(2147483649) + 33);
}

Test(periodic_ratio, largest_numbers)
{
	init(JIF_CATCHUP_SKIP);
	start(1, LONGEST, LONGEST - 1);
	run_to(LONGEST);
	expect_at(1, 1);
	cr_expect_eq(calls[0].missed, LONGEST - 2,
		     "a call on each tick but one");
	cr_expect_eq(next_call(), 1 + LONGEST);
	init(JIF_CATCHUP_SKIP);
	start(1, LONGEST, 1);
	run_to(LONGEST);
	cr_expect_eq(calls[0].missed, 0);
	cr_expect_eq(next_call(), 1 + LONGEST);
}

Test(periodic_ratio, drained_with_its_own_function_stays_on_its_grid)
{
	init(JIF_CATCHUP_SKIP);
	start(5, 10, 3);
	cr_assert_eq(jif_wheel_drain(&wheel, NULL), 1);
	expect_at(1, 0);
	cr_expect_eq(calls[0].missed, 0);
	cr_expect_eq(next_call(), 9);
}

Test(periodic_ratio, refuses_less_than_a_tick_and_what_start_refuses)
{
	struct jif_periodic zeroed;

	memset(&zeroed, 0, sizeof(zeroed));
	start(5, 10, 3);
	cr_expect_eq(start(5, 10, 0), -JIF_EINVAL);
	cr_expect_eq(start(5, 0, 0), -JIF_EINVAL);
	cr_expect_eq(start(5, 9, 10), -JIF_EINVAL);
	cr_expect_eq(start(5, LONGEST + 1, 10), -JIF_ERANGE);
	cr_expect_eq(start(LONGEST + 1, 10, 3), -JIF_ERANGE);
	cr_expect_eq(jif_periodic_start_ratio(&wheel, &p, 5, 10, 3, 0),
		     -JIF_EINVAL);
	cr_expect_eq(jif_periodic_start_ratio(&wheel, &zeroed, 5, 10, 3, 1),
		     -JIF_EINVAL);
	tick_to(12);
	expect_at(3, 5, 9, 12);
	cr_expect_eq(start(5, 10, 3), 1);
}
