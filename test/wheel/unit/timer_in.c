/* SPDX-License-Identifier: MIT */
/* Arming relative to now, whatever the wheel's clock is */
#include "unit.h"

static void start(void)
{
	unit_init();
	set_jiffies(0);
}

TestSuite(timer_in, .init = start, .fini = unit_fini);

static int add_in(unsigned i, uint32_t delay)
{
	return jif_timer_add_in(&wheel, &timers[i], delay);
}

static int mod_in(unsigned i, uint32_t delay)
{
	return jif_timer_mod_in(&wheel, &timers[i], delay);
}

static int (*const calls[])(unsigned, uint32_t) = { add_in, mod_in };

#if UINTPTR_MAX > 0xffff
/* A lease in seconds, from a server: none of it is cut. */
Test(timer_in, milliseconds_of_64_bits_are_taken_whole)
{
	for (int64_t days = 1; days < 4000; days += 7) {
		int64_t ticks = days * 86400 * CONFIG_JIF_HZ;
		bool fits = ticks < LONGEST;
		uint32_t delay = jif_msecs_to_jiffies(days * 86400000);

		start();
		cr_expect_eq(mod_in(0, delay), fits ? 0 : -JIF_ERANGE);
		cr_expect_eq(jif_timer_left(&wheel, &timers[0]),
			     fits ? (uint32_t)ticks + 1 : 0);
	}
}
#endif

Test(timer_in, counts_from_now_although_the_wheel_is_ahead)
{
	for (unsigned k = 0; k < 2; k++) {
		start();
		jif_warn = unit_no_warning;
		run_to(100);
		cr_expect_eq(calls[k](0, LONGEST), -JIF_ERANGE);
		cr_expect_eq(calls[k](0, LONGEST + 100), -JIF_ERANGE);
		cr_assert_eq(calls[k](0, 150), 0);
		cr_assert_eq(calls[k](1, LONGEST - 1), 0);
		cr_expect_eq(jif_timer_expires(&wheel, &timers[0]), at(151));
		cr_expect_eq(jif_timer_expires(&wheel, &timers[1]),
			     at(LONGEST));
		cr_assert_eq(calls[k](2, 50), 0, "past is the next tick");
		cr_expect_eq(run_to(101), 1);
		start();
		jif_warn = unit_no_warning;
		set_jiffies(LONGEST + 1);
		cr_expect_eq(calls[k](0, LONGEST), -JIF_ERANGE);
	}
}

/* A longer delay would be taken for the past. */
Test(timer_in, refuses_what_is_too_far_and_changes_nothing)
{
	static const uint32_t far[] = { LONGEST, LONGEST + 1, 0x90000000,
					UINT32_MAX };
	struct jif_timer before;

	for (unsigned k = 0; k < 2; k++) {
		for (unsigned i = 0; i < 4; i++) {
			start();
			memcpy(&before, &timers[0], sizeof(before));
			cr_expect_eq(calls[k](0, far[i]), -JIF_ERANGE);
			cr_expect_arr_eq(&before, &timers[0], sizeof(before));
			cr_expect(jif_wheel_empty(&wheel));
		}
		cr_expect_eq(calls[k](0, LONGEST - 1), 0);
		expect_exact(LONGEST, 1);
	}
}

Test(timer_in, reaches_less_far_when_the_wheel_is_behind)
{
	for (unsigned k = 0; k < 2; k++) {
		start();
		set_jiffies(5000);
		cr_expect_eq(calls[k](0, LONGEST - 5000), -JIF_ERANGE);
		cr_expect_eq(calls[k](0, LONGEST), -JIF_ERANGE);
		cr_expect_eq(calls[k](0, LONGEST - 5001), 0);
		expect_exact(LONGEST, 1);
		start();
		set_jiffies(LONGEST - 1);
		cr_expect_eq(calls[k](0, 1), -JIF_ERANGE);
		cr_expect_eq(calls[k](0, 0), 0);
		start();
		set_jiffies(LONGEST);
		cr_expect_eq(calls[k](0, 0), -JIF_ERANGE);
	}
}

Test(timer_in, pause_on_another_wheel_is_none)
{
	static struct jif_wheel other;

	jif_warn = unit_no_warning;
	jif_wheel_init(&other, at(0));
	arm(0, 50);
	cr_expect_not(jif_timer_pause(&other, &timers[0]));
	cr_expect_eq(jif_timer_resume(&wheel, &timers[0]), -JIF_EINVAL);
	cr_expect_eq(jif_timer_left(&wheel, &timers[0]), 50);
}
