/* SPDX-License-Identifier: MIT */
/* The time that a timer has left, and keeping it */
#include "unit.h"

TestSuite(timer_pause, .init = unit_init, .fini = unit_fini);

static const uint32_t delays[] = { 1,	   59,	   60,	    3599,
				   3600,   86399,  86400,   604799,
				   604800, 604801, 1234567, LONGEST };

#define DELAYS (sizeof(delays) / sizeof(*delays))

static uint32_t left(unsigned i)
{
	return jif_timer_left(&wheel, &timers[i]);
}

static bool pause_it(unsigned i)
{
	return jif_timer_pause(&wheel, &timers[i]);
}

static int resume(unsigned i)
{
	return jif_timer_resume(&wheel, &timers[i]);
}

Test(timer_pause, left_counts_down_with_the_clock)
{
	for (unsigned k = 0; k < DELAYS; k++) {
		unit_init_at(6, 23, 59, 30);
		arm(0, delays[k]);
		cr_expect_eq(left(0), delays[k]);
		run_to(delays[k] / 2);
		cr_expect_eq(left(0), delays[k] - delays[k] / 2);
		run_to(delays[k]);
		cr_expect_eq(left(0), 0);
	}
}

Test(timer_pause, goes_on_only_within_reach)
{
	arm(0, 100);
	cr_expect(pause_it(0));
	unit_set_time(LONGEST - 99);
	cr_expect_eq(resume(0), -JIF_ERANGE);
	cr_expect_eq(left(0), 100, "it stays paused");
	cr_expect(jif_wheel_empty(&wheel));
	unit_set_time(LONGEST - 100);
	cr_expect_eq(resume(0), 0);
	cr_expect_eq(jif_timer_expires(&wheel, &timers[0]), at(LONGEST));
}

static void give_it_another_end(void)
{
	jif_sim.irq = NULL;
	jif_timer_mod(&wheel, &timers[0], at(50));
	cr_expect(pause_it(0));
}

static void run_to_10(void)
{
	jif_sim.irq = NULL;
	run_to(10);
}

Test(timer_pause, handler_comes_before_a_pause_or_a_resumption)
{
	arm(0, 30);
	jif_sim.irq = run_to_10;
	cr_expect(pause_it(0));
	cr_expect_eq(resume(0), 0);
	cr_expect_eq(jif_timer_expires(&wheel, &timers[0]), at(30));
	cr_expect(pause_it(0));
	jif_sim.irq = give_it_another_end;
	cr_expect_eq(resume(0), 0);
	expect_exact(50, 1);
}

static void expect_neither(unsigned i)
{
	cr_expect_not(pause_it(i));
	cr_expect_eq(resume(i), -JIF_EINVAL);
}

Test(timer_pause, changes_nothing_of_what_is_not_pending)
{
	static const unsigned char patterns[] = { 0x00, 0xa5, 0xff };
	struct jif_timer before;

	for (unsigned i = 0; i < 3; i++) {
		memset(&timers[0], patterns[i], sizeof(timers[0]));
		memcpy(&before, &timers[0], sizeof(before));
		expect_neither(0);
		cr_expect_arr_eq(&before, &timers[0], sizeof(before));
	}
	memcpy(&before, &timers[1], sizeof(before));
	expect_neither(1);
	cr_expect_arr_eq(&before, &timers[1], sizeof(before));
	jif_timer_shutdown(&wheel, &timers[2]);
	expect_neither(2);
}

Test(timer_pause, ends_on_a_wheel_with_another_time)
{
	arm(0, 100);
	run_to(30);
	cr_expect(pause_it(0));
	jif_wheel_init(&wheel, 1000);
	cr_expect_eq(resume(0), 0);
	cr_expect_eq(jif_timer_expires(&wheel, &timers[0]), 1070);
	cr_expect_eq(jif_wheel_run(&wheel, 1069), 0);
	cr_expect_eq(jif_wheel_run(&wheel, 1070), 1);
}
