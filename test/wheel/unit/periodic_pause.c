/* SPDX-License-Identifier: MIT */
/*
 * Periodic timers: next calls out of reach, and what is refused; all else is
 * held by test/wheel/unit/periodic_random.c
 */
#define CALLS 64

#include "periodic.h"

static void init(enum jif_catchup policy)
{
	unit_init();
	unit_set_time(0);
	begin_calls(policy);
}

static void init_each(void)
{
	init(JIF_CATCHUP_EACH);
}

TestSuite(periodic_pause, .init = init_each, .fini = unit_fini);

static int start(uint32_t first, uint32_t period, uint32_t count)
{
	return jif_periodic_start(&wheel, &p, first, period, count);
}

static unsigned poll_at(uint32_t after)
{
	unit_time = after;
	return (unsigned)jif_wheel_poll(&wheel);
}

Test(periodic_pause, first_call_out_of_reach_is_refused)
{
	unit_time = 5000;
	start(10, 10, 3);
	cr_expect_eq(start(LONGEST - 4999, 10, 1), -JIF_ERANGE);
	cr_expect_eq(start(UINT32_MAX, 10, 1), -JIF_ERANGE);
	cr_expect_eq(start(10, UINT32_MAX, 1), -JIF_ERANGE);
	cr_expect_eq(next_call(), 5010, "it goes on");
	cr_expect_eq(start(LONGEST - 5000, 10, 1), 1);
	cr_expect_eq(next_call(), LONGEST);
}

Test(periodic_pause, goes_on_only_within_reach)
{
	start(1000, 10, 2);
	jif_periodic_pause(&p);
	unit_time = LONGEST - 999;
	cr_expect_eq(jif_periodic_resume(&p), -JIF_ERANGE);
	cr_expect_eq(jif_periodic_left(&p), 2, "it stays paused");
	cr_expect_eq(next_call(), UINT32_MAX);
	unit_time = LONGEST - 1000;
	cr_expect_eq(jif_periodic_resume(&p), 0);
	cr_expect_eq(next_call(), LONGEST);
	unit_time = 0;
	start(LONGEST, 10, 2);
	jif_periodic_pause(&p);
	unit_time = 1;
	cr_expect_eq(jif_periodic_resume(&p), -JIF_ERANGE);
}

static struct jif_wheel elsewhere;

static void pause_it_elsewhere(void)
{
	jif_sim.irq = NULL;
	jif_wheel_init(&elsewhere, at(7));
	cr_expect_eq(jif_periodic_start(&elsewhere, &p, 30, 10, 2), 1);
	cr_expect(jif_periodic_pause(&p));
}

static void poll_at_10(void)
{
	jif_sim.irq = NULL;
	poll_at(10);
}

Test(periodic_pause, handler_comes_before_a_pause_or_a_resumption)
{
	start(30, 10, 2);
	jif_sim.irq = poll_at_10;
	jif_periodic_pause(&p);
	cr_expect_eq(jif_periodic_resume(&p), 0);
	cr_expect_eq(next_call(), 30);
	start(30, 10, 2);
	jif_periodic_pause(&p);
	jif_sim.irq = pause_it_elsewhere;
	cr_expect_eq(jif_periodic_resume(&p), 0);
	cr_expect_eq(next_call(), 37);
	cr_expect_eq(jif_wheel_run(&elsewhere, at(37)), 1);
}

/* What goes on a tick late is a tick later at the end of the longest run. */
Test(periodic_pause, has_missed_no_more_than_the_longest_delay)
{
	init(JIF_CATCHUP_SKIP);
	start(10, 1, JIF_FOREVER);
	unit_time = 11;
	jif_periodic_pause(&p);
	poll_at(20);
	cr_expect_eq(jif_periodic_resume(&p), 0);
	poll_at(20 + LONGEST);
	cr_expect_eq(calls[0].missed, LONGEST, "%x", calls[0].missed);
}

/* A run that goes so far that the next call is out of reach from its first. */
static void check_far(enum jif_catchup policy, uint32_t second)
{
	init(policy);
	start(10, 10000, JIF_FOREVER);
	poll_at(LONGEST - 4);
	expect_at(1, 10);
	cr_expect_eq(calls[0].missed, 214748, "2,147,483,643 - 10, by 10,000");
	cr_expect_eq(next_call(), second);
	run_to(second - 1);
	cr_expect_eq(ncalls, 1);
	run_to(second);
	cr_expect_eq(ncalls, 2);
	cr_expect_eq(calls[1].missed, 0);
}

Test(periodic_pause, skip_calls_once_after_a_run_of_any_length)
{
	check_far(JIF_CATCHUP_SKIP, UINT32_C(2147490010));
	check_far(JIF_CATCHUP_RESTART, LONGEST - 4 + 10000);
	init(JIF_CATCHUP_SKIP);
	start(1, LONGEST, JIF_FOREVER);
	poll_at(LONGEST);
	expect_at(1, 1);
	cr_expect_eq(next_call(), LONGEST + 1);
	for (unsigned i = 1; i < 6; i++) {
		poll_at(unit_time + LONGEST);
		cr_expect_eq(ncalls, 1 + i);
		cr_expect_eq(calls[i].missed, 0);
	}
}

/* It is overdue by 2^30 ticks when it is paused, and by as many after that. */
static void check_twice_overdue(uint32_t period, uint32_t missed)
{
	init(JIF_CATCHUP_SKIP);
	start(period, period, JIF_FOREVER);
	unit_time = UINT32_C(1) << 30;
	cr_expect(jif_periodic_pause(&p));
	poll_at(unit_time);
	cr_expect_eq(jif_periodic_resume(&p), 0);
	poll_at(2 * unit_time + 100000);
	cr_expect_eq(ncalls, 1);
	cr_expect_eq(calls[0].missed, missed);
	poll_at(unit_time + period);
	cr_expect_eq(ncalls, 2);
	cr_expect_eq(calls[1].missed, 0);
}

Test(periodic_pause, skip_calls_once_however_overdue_it_is)
{
	check_twice_overdue(1000, 2147582);
	check_twice_overdue(1, JIF_DELAY_MAX);
}

static void pause_in_call(struct jif_periodic *who)
{
	in_call = NULL;
	cr_expect(jif_periodic_pause(&p));
	cr_expect_eq(jif_periodic_resume(&p), 0);
}

/* Its clock is its now, and the next call is further away than that reaches. */
Test(periodic_pause, is_where_it_was_after_a_pause_in_its_call)
{
	init(JIF_CATCHUP_SKIP);
	jif_wheel_set_time(&wheel, NULL);
	in_call = pause_in_call;
	start(1000, 0x60000000, JIF_FOREVER);
	run_to(LONGEST);
	cr_expect_eq(ncalls, 1);
	cr_expect_eq(next_call(), 1000 + 2 * UINT32_C(0x60000000));
	run_to(999 + 2 * UINT32_C(0x60000000));
	cr_expect_eq(ncalls, 1);
	run_to(1000 + 2 * UINT32_C(0x60000000));
	cr_expect_eq(ncalls, 2);
}

/* Another one, after it in the same run, pauses it when its call is far. */
static void pause_far(struct jif_timer *timer)
{
	cr_expect_eq(jif_periodic_missed(&p), 214748);
	cr_expect_eq(next_call(), UINT32_C(2147490010));
	cr_expect(jif_periodic_pause(&p));
	cr_expect_eq(jif_periodic_resume(&p), 0);
}

Test(periodic_pause, is_exact_while_the_next_call_is_out_of_reach)
{
	struct jif_timer other;

	init(JIF_CATCHUP_SKIP);
	jif_timer_init(&other, pause_far);
	cr_assert_eq(jif_timer_add(&wheel, &other, at(20000)), 0);
	start(10, 10000, JIF_FOREVER);
	poll_at(LONGEST - 4);
	expect_at(1, 10);
	cr_expect_eq(next_call(), UINT32_C(2147490010));
	poll_at(UINT32_C(2147490010));
	cr_expect_eq(ncalls, 2);
}

static unsigned ntold;
static const void *told_of;

static void note_told(const char *what, const void *object, void (*fn)(void))
{
	ntold++;
	told_of = object;
}

static void expect_told(int result, int want, const void *object)
{
	static unsigned before;

	cr_expect_eq(result, want);
	cr_expect_eq(ntold, ++before, "call %u", before);
	cr_expect_eq(told_of, object, "call %u", before);
}

/* What is over, or was stopped meanwhile, is no misuse. */
Test(periodic_pause, debug_build_tells_what_is_refused)
{
	ntold = 0;
	jif_warn = note_told;
	start(1000, 10, 2);
	expect_told(jif_periodic_change(&p, 0, 1), -JIF_EINVAL, &p);
	expect_told(jif_periodic_change(&p, 1, 0), -JIF_EINVAL, &p);
	expect_told(jif_periodic_change(&p, LONGEST + 1, 1), -JIF_ERANGE, &p);
	cr_expect_eq(jif_periodic_change(&p, LONGEST, 2), 0);
	expect_told(jif_periodic_start_ratio(&wheel, &p, 1, 1, 2, 1),
		    -JIF_EINVAL, &p);
	arm(0, 1000);
	jif_periodic_pause(&p);
	jif_timer_pause(&wheel, &timers[0]);
	unit_time = LONGEST;
	expect_told(jif_periodic_resume(&p), -JIF_ERANGE, &p);
	expect_told(jif_timer_resume(&wheel, &timers[0]), -JIF_ERANGE,
		    &timers[0]);
	jif_periodic_stop(&p);
	cr_expect_eq(jif_periodic_resume(&p), -JIF_EINVAL);
	cr_expect_eq(jif_periodic_change(&p, 1, 1), -JIF_EINVAL);
	cr_expect_eq(ntold, 6);
}
