/* SPDX-License-Identifier: MIT */
/* Timers that come again, without drift */
#define CALLS 256

#include <stdlib.h>

#include "periodic.h"

TestSuite(periodic, .init = unit_init, .fini = unit_fini);

static struct jif_periodic q;

static void init(enum jif_catchup policy)
{
	begin_calls(policy);
	memset(&q, 0xa5, sizeof(q));
	jif_periodic_init(&q, call, policy);
}

static void start(uint32_t first, uint32_t period, uint32_t n)
{
	cr_assert_eq(jif_periodic_start(&wheel, &p, first, period, n), 0);
}

/* By then, there were so many calls. */
static void expect_ncalls(uint32_t after, unsigned n)
{
	tick_to(after);
	cr_assert_eq(ncalls, n, "%u at %u", ncalls, (unsigned)after);
}

static void free_it(struct jif_periodic *who)
{
	jif_periodic_stop(who);
	memset(who, 0x5a, sizeof(*who));
	JIF_COMPILER_BARRIER();
	free(who);
}

Test(periodic, may_be_freed_in_its_callback)
{
	struct jif_periodic *one = malloc(sizeof(*one));

	init(JIF_CATCHUP_EACH);
	in_call = free_it;
	jif_periodic_init(one, call, JIF_CATCHUP_EACH);
	(void)!jif_periodic_start(&wheel, one, 10, 10, JIF_FOREVER);
	run_to(100);
	cr_assert_eq(ncalls, 1);
}

Test(periodic, one_never_started_has_missed_nothing_and_cannot_be_stopped)
{
	init(JIF_CATCHUP_EACH);
	cr_assert_eq(jif_periodic_left(&p), 0);
	cr_assert_eq(jif_periodic_missed(&p), 0);
	cr_assert_not(jif_periodic_stop(&p));
}

static struct jif_wheel other;

Test(periodic, moves_to_another_wheel_when_started_there)
{
	init(JIF_CATCHUP_EACH);
	unit_wheel(&other, 1000);
	start(10, 10, JIF_FOREVER);
	cr_assert_eq(jif_periodic_start(&other, &p, 5, 5, JIF_FOREVER), 1);
	cr_assert(jif_wheel_empty(&wheel));
	cr_assert_eq(jif_wheel_run(&other, 1012), 2);
	cr_assert_eq(jif_wheel_check(&other), 0);
}

Test(periodic, drained_with_its_own_function_stays_on_its_grid)
{
	init(JIF_CATCHUP_SKIP);
	start(10, 10, JIF_FOREVER);
	run_to(4);
	cr_assert_eq(jif_wheel_drain(&wheel, NULL), 1);
	cr_assert_eq(ncalls, 1);
	cr_expect_eq(calls[0].after, 4);
	expect_ncalls(35, 3);
	cr_expect_eq(calls[1].after, 20);
	cr_expect_eq(calls[2].after, 30);
}

/* The latest ticks were idle: no run has taken note of its target. */
Test(periodic, drained_as_far_ahead_as_can_be_has_missed_nothing)
{
	init(JIF_CATCHUP_SKIP);
	tick_to(20);
	start(JIF_DELAY_MAX - 10, 10, JIF_FOREVER);
	cr_assert_eq(jif_wheel_drain(&wheel, NULL), 1);
	cr_assert_eq(ncalls, 1);
	cr_expect_eq(calls[0].missed, 0);
	cr_expect_eq(jif_timer_expires(&wheel, &p.timer),
		     at(20) + JIF_DELAY_MAX);
}

static void drain_all(struct jif_periodic *who)
{
	if (who == &q)
		jif_wheel_drain(&wheel, NULL);
}

Test(periodic, drained_in_a_run_stands_for_the_rest_of_it)
{
	init(JIF_CATCHUP_SKIP);
	in_call = drain_all;
	start(20, 10, JIF_FOREVER);
	(void)!jif_periodic_start(&wheel, &q, 10, 1, 1);
	run_to(100);
	cr_assert_eq(ncalls, 2);
	cr_expect_eq(calls[1].who, &p);
	cr_expect_eq(calls[1].after, 10);
	cr_expect_eq(calls[1].missed, 8, "30 to 100");
	expect_ncalls(110, 3);
}

static int start_at(uint32_t after, uint32_t period, uint32_t n)
{
	return jif_periodic_start_at(&wheel, &p, at(after), period, n);
}

Test(periodic, start_at_counts_from_now_on_a_wheel_that_is_behind)
{
	init(JIF_CATCHUP_EACH);
	jif_wheel_set_time(&wheel, jif_wheel_clock);
	set_jiffies(5000);
	cr_assert_eq(start_at(5000 + 1000, 1000, JIF_FOREVER), 0);
	cr_assert_eq(jif_periodic_start(&wheel, &q, 1000, DAY, JIF_FOREVER), 0);
	run_to(5000);
	cr_expect_eq(ncalls, 1, "a first delay of 1000 is over at once");
	cr_expect_eq(calls[0].who, &q);
	run_to(5999);
	cr_expect_eq(ncalls, 1);
	run_to(6000);
	cr_expect_eq(ncalls, 2);
	cr_expect_eq(calls[1].who, &p);
}

Test(periodic, start_at_of_the_past_is_the_next_tick_and_its_grid)
{
	static const uint32_t past[] = { 50, 49, 0, 50 + LONGEST + 1 };

	for (unsigned i = 0; i < 4; i++) {
		unit_init();
		init(JIF_CATCHUP_SKIP);
		jif_warn = unit_no_warning;
		run_to(50);
		cr_assert_eq(start_at(past[i], 10, JIF_FOREVER), 0);
		tick_to(75);
		cr_assert_eq(ncalls, 3);
		cr_expect_eq(calls[0].after, 51);
		cr_expect_eq(calls[0].missed, 0);
		cr_expect_eq(calls[2].after, 71);
	}
}

Test(periodic, start_at_reaches_as_far_as_any_timer)
{
	init(JIF_CATCHUP_EACH);
	cr_assert_eq(start_at(LONGEST, 10, 1), 0);
	run_to(LONGEST - 1);
	cr_expect_eq(ncalls, 0);
	run_to(LONGEST);
	cr_expect_eq(ncalls, 1);
}

static int start_after(struct jif_periodic *it, uint32_t first, uint32_t period,
		       uint32_t n)
{
	return jif_periodic_start(&wheel, it, first, period, n);
}

static int start_on(struct jif_periodic *it, uint32_t first, uint32_t period,
		    uint32_t n)
{
	return jif_periodic_start_at(&wheel, it, at(first), period, n);
}

Test(periodic, bad_arguments_are_refused_and_change_nothing)
{
	static int (*const starts[])(struct jif_periodic *, uint32_t, uint32_t,
				     uint32_t) = { start_after, start_on };
	struct jif_periodic zeroed;

	for (unsigned i = 0; i < 2; i++) {
		unit_init();
		init(JIF_CATCHUP_EACH);
		memset(&zeroed, 0, sizeof(zeroed));
		start(10, 10, JIF_FOREVER);
		cr_expect_eq(starts[i](&p, 5, 0, JIF_FOREVER), -JIF_EINVAL);
		cr_expect_eq(starts[i](&p, 5, LONGEST + 1, 2), -JIF_ERANGE);
		cr_expect_eq(starts[i](&p, 5, 5, 0), -JIF_EINVAL);
		cr_expect_eq(starts[i](&zeroed, 5, 5, 2), -JIF_EINVAL);
		zeroed.fn = call;
		cr_expect_eq(starts[i](&zeroed, 5, 5, 2), -JIF_EINVAL);
		jif_periodic_init(&q, NULL, JIF_CATCHUP_EACH);
		cr_expect_eq(starts[i](&q, 5, 5, 2), -JIF_EINVAL);
		jif_periodic_init(&q, call, (enum jif_catchup)7);
		cr_expect_eq(starts[i](&q, 5, 5, 2), -JIF_EINVAL);
		run_to(35);
		cr_expect_eq(ncalls, 3, "start %u: the running one", i);
	}
	cr_expect_eq(start_after(&p, LONGEST + 1, 5, 2), -JIF_ERANGE);
}
