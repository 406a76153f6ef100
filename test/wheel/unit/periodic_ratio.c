/* SPDX-License-Identifier: MIT */
/* Periods that are no whole ticks */
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

static void tick_to(uint32_t end)
{
	while (now() < end)
		run_to(now() + 1);
}

static uint32_t next_call(void)
{
	uint32_t when;

	cr_assert(jif_periodic_next(&p, &when));
	return when - START;
}

/* 10 / 3 ticks: 0, 3.3, 6.7, 10, 13.3, 16.7, 20 after the first one. */
Test(periodic_ratio, calls_come_on_the_first_tick_not_before_their_time)
{
	start(5, 10, 3);
	tick_to(26);
	expect_at(7, 5, 9, 12, 15, 19, 22, 25);
	cr_expect_eq(calls[6].missed, 0);
}

Test(periodic_ratio, a_first_of_0_counts_as_1)
{
	start(0, 1000, 60);
	tick_to(60);
	expect_at(4, 1, 18, 35, 51);
}

Test(periodic_ratio, of_whole_ticks_is_a_period)
{
	start(5, 7, 1);
	tick_to(20);
	expect_at(3, 5, 12, 19);
	init_each();
	start(1, 3, 3);
	tick_to(4);
	expect_at(4, 1, 2, 3, 4);
}

Test(periodic_ratio, a_millisecond_at_32768_hz_does_not_drift_in_an_hour)
{
	start(1, 32768, 1000);
	run_to(UINT32_C(3600) * 32768);
	cr_expect_eq(ncalls, 3600000);
	cr_expect_eq(calls[0].after, 1);
	cr_expect_eq(calls[1].after, 1 + 33);
	cr_expect_eq(calls[2].after, 1 + 66);
	cr_expect_eq(calls[3].after, 1 + 99);
	cr_expect_eq(calls[4].after, 1 + 132);
	cr_expect_eq(calls[5].after, 1 + 164, "163.84");
	cr_expect_eq(calls[1000].after, 1 + 32768);
	cr_expect_eq(next_call(), 1 + UINT32_C(3600) * 32768);
}

Test(periodic_ratio, twenty_milliseconds_at_1024_hz_do_not_drift_in_an_hour)
{
	start(0, 1024, 50);
	run_to(UINT32_C(3600) * 1024);
	cr_expect_eq(ncalls, 180000);
	cr_expect_eq(calls[1].after, 1 + 21, "20.48");
	cr_expect_eq(next_call(), 1 + UINT32_C(3600) * 1024);
}

Test(periodic_ratio, first_counts_from_now)
{
	jif_warn = unit_no_warning;
	jif_wheel_set_time(&wheel, jif_time_jiffies);
	jif_ticks(at(1000) - jif_now());
	cr_assert_eq(start(100, 10, 3), 0);
	run_to(1105);
	expect_at(2, 1100, 1104);
}

/* 10 / 3 ticks from 5 on: the run to 100 covers 28 more, up to 5 + 94. */
Test(periodic_ratio, skip_calls_once_and_goes_on_where_its_grid_is)
{
	init(JIF_CATCHUP_SKIP);
	start(5, 10, 3);
	run_to(100);
	expect_at(1, 5);
	cr_expect_eq(calls[0].missed, 28);
	tick_to(109);
	expect_at(4, 5, 102, 105, 109);
	cr_expect_eq(calls[1].missed, 0);
}

Test(periodic_ratio, restart_begins_a_grid_where_it_is_late)
{
	init(JIF_CATCHUP_RESTART);
	start(5, 10, 3);
	run_to(100);
	cr_expect_eq(calls[0].missed, 28);
	tick_to(111);
	expect_at(4, 5, 104, 107, 110);
}

Test(periodic_ratio, a_run_that_is_not_late_enough_misses_nothing)
{
	init(JIF_CATCHUP_SKIP);
	start(5, 10, 3);
	run_to(8);
	cr_expect_eq(calls[0].missed, 0);
	run_to(11);
	run_to(14);
	run_to(20);
	expect_at(4, 5, 9, 12, 15);
	cr_expect_eq(calls[3].missed, 1);
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

Test(periodic_ratio, ends_after_its_count)
{
	(void)!jif_periodic_start_ratio(&wheel, &p, 5, 10, 3, 2);
	run_to(100);
	expect_at(2, 5, 9);
	cr_expect_not(jif_periodic_pending(&p));
}

Test(periodic_ratio, a_pause_moves_the_grid_and_keeps_the_phase)
{
	start(5, 10, 3);
	run_to(9);
	cr_assert(jif_periodic_pause(&p));
	run_to(1009);
	cr_assert_eq(jif_periodic_resume(&p), 0);
	run_to(1020);
	expect_at(5, 5, 9, 1012, 1015, 1019);
}

Test(periodic_ratio, change_goes_on_in_whole_periods)
{
	start(5, 10, 3);
	run_to(9);
	cr_assert_eq(jif_periodic_change(&p, 4, 3), 0);
	run_to(100);
	expect_at(5, 5, 9, 12, 16, 20);
}

static void start_whole(struct jif_periodic *who)
{
	if (ncalls == 2)
		(void)!jif_periodic_start(&wheel, &p, 4, 4, 2);
}

Test(periodic_ratio, may_be_started_otherwise_and_back)
{
	in_call = start_whole;
	start(5, 10, 3);
	tick_to(30);
	expect_at(4, 5, 9, 13, 17);
	cr_assert_eq(start(5, 10, 3), 0);
	tick_to(40);
	cr_expect_eq(calls[4].after, 35);
	cr_expect_eq(calls[5].after, 39);
}

static unsigned stopped;

static void stop_under_way(void)
{
	if (now() == 5 && !jif_timer_pending(&p.timer))
		stopped += jif_periodic_stop(&p);
}

Test(periodic_ratio, stop_by_an_interrupt_on_the_way_to_its_call_holds)
{
	stopped = 0;
	start(5, 10, 3);
	run_under(stop_under_way, 20);
	cr_expect_eq(stopped, 1);
	cr_expect_eq(ncalls, 0);
}

static void start_under_way(void)
{
	if (now() == 5 && !jif_timer_pending(&p.timer) && !stopped) {
		stopped = 1;
		start(2, 10, 3);
	}
}

Test(periodic_ratio, start_by_an_interrupt_on_the_way_to_its_call_holds)
{
	stopped = 0;
	start(5, 10, 3);
	run_under(start_under_way, 14);
	expect_at(3, 7, 11, 14);
}

static void change_under_way(void)
{
	if (now() == 5 && !jif_timer_pending(&p.timer) && !stopped)
		stopped = 1u + !jif_periodic_change(&p, 4, JIF_FOREVER);
}

/* Whole periods from the call under way on. */
Test(periodic_ratio, change_by_an_interrupt_on_the_way_to_its_call_holds)
{
	stopped = 0;
	start(5, 10, 3);
	run_under(change_under_way, 14);
	cr_expect_eq(stopped, 2);
	expect_at(3, 5, 9, 13);
	cr_expect_eq(next_call(), 17);
	stopped = 0;
	init(JIF_CATCHUP_SKIP);
	start(5, 10, 3);
	run_under(change_under_way, 14);
	expect_at(1, 5);
	cr_expect_eq(calls[0].missed, 2);
	cr_expect_eq(next_call(), 17);
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
