/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/unit/rivals.c - mistakes of other timers, which this one does not
 * make
 *
 * Each as its users or authors have told it; test/wheel/unit/README.md lists
 * these and those that are tested elsewhere.
 */
#include <jif/periodic.h>

#include "unit.h"

#define ARMINGS 20

TestSuite(rivals, .init = unit_init, .fini = unit_fini);

static bool cancelled;

static void cancel_and_arm_another(unsigned timer)
{
	if (timer)
		return;
	cancelled = jif_timer_del(&wheel, &timers[0]);
	arm(1, now() + 5);
}

/* arduino-timer#71: a task that cancelled itself took the new one with it. */
Test(rivals, cancelled_in_its_callback_it_takes_no_other_with_it)
{
	cancelled = true;
	unit_callback = cancel_and_arm_another;
	arm(0, 10);
	run_to(100);
	cr_assert_not(cancelled, "it has expired");
	expect_fired(2, { 0, 10 }, { 1, 15 });
}

static unsigned armings;

static void arm_one_per_window(void)
{
	if (armings < ARMINGS) {
		arm(1 + armings, 1000 + armings);
		armings++;
	}
}

/* FreeRTOS: of 20 starts, its queue took 10 while nobody read from it. */
Test(rivals, what_handlers_arm_while_nothing_runs_is_not_refused)
{
	armings = 0;
	unit_window = arm_one_per_window;
	for (unsigned i = 0; i < ARMINGS; i++)
		jif_timer_del(&wheel, &timers[0]);
	unit_window = NULL;
	cr_assert_eq(armings, ARMINGS);
	cr_assert_eq(now(), 0);
	run_to(2000);
	cr_assert_eq(nfired, ARMINGS);
	for (unsigned i = 0; i < ARMINGS; i++)
		cr_expect_eq(fired[i].after, 1000 + i);
}

/* RT-Thread#5623: the largest expiry stood for none, and all timers stopped. */
Test(rivals, expiry_at_all_ones_is_not_taken_for_none)
{
	uint32_t when = 0;

	cr_assert_eq(jif_timer_add(&wheel, &timers[0], UINT32_MAX), 0);
	cr_assert(jif_wheel_next_expiry(&wheel, &when));
	cr_assert_eq(when, UINT32_MAX);
	cr_assert_not(jif_wheel_empty(&wheel));
	jif_wheel_run(&wheel, when);
	cr_assert_eq(nfired, 1);
}

/*
 * Linux until 5.8: a timer armed for the past set the clock of its base back,
 * and others expired early.
 */
Test(rivals, arming_for_the_past_does_not_turn_the_clock_back)
{
	arm(0, 2 * HOUR);
	run_to(HOUR);
	arm(1, 10);
	cr_assert_eq(now(), HOUR);
	arm(2, HOUR + 30);
	run_to(2 * HOUR);
	expect_fired(3, { 1, HOUR + 1 }, { 2, HOUR + 30 }, { 0, 2 * HOUR });
}

/* Linux: the next expiry of a base was still that of a deleted timer. */
Test(rivals, next_expiry_forgets_what_was_deleted_or_moved)
{
	arm(0, 10);
	arm(1, 20);
	arm(2, 5000);
	run_to(1);
	cr_assert_eq(next_expiry(), 10);
	jif_timer_del(&wheel, &timers[0]);
	cr_assert_eq(next_expiry(), 20);
	jif_timer_mod(&wheel, &timers[1], at(90000));
	cr_assert_eq(next_expiry(), 5000);
	jif_timer_del(&wheel, &timers[2]);
	jif_timer_postpone(&wheel, &timers[1], at(90001));
	cr_assert_eq(next_expiry(), 90001);
}

/*
 * tokio: after the top level had wrapped, a far timer was the next one, and
 * those of the other levels were late.
 */
Test(rivals, far_timer_is_not_next_before_near_ones_after_the_top_level_wraps)
{
	arm(0, 3 * WEEK + DAY);
	run_to(WEEK + HOUR);
	arm(1, WEEK + HOUR + 5);
	arm(2, WEEK + HOUR + 500);
	arm(3, WEEK + 3 * HOUR);
	for (unsigned i = 1; i <= 3; i++) {
		run_to(next_expiry());
		cr_assert_eq(nfired, i);
		cr_expect_eq(fired[i - 1].timer, i);
	}
	cr_assert_eq(now(), WEEK + 3 * HOUR);
	cr_assert_eq(next_expiry(), 3 * WEEK + DAY);
}

static unsigned shutdowns;

static void shut_down_under_way(void)
{
	if (!shutdowns && now() == 10 && !jif_timer_pending(&timers[0])) {
		shutdowns++;
		cr_expect_not(jif_timer_shutdown(&wheel, &timers[0]));
	}
}

/*
 * CVE-2025-68214: a timer that was shut down between its expiry and its call
 * had no function to call any more.
 */
Test(rivals, shut_down_between_expiry_and_call_it_has_its_call_and_no_other)
{
	shutdowns = 0;
	arm(0, 10);
	run_under(shut_down_under_way, 20);
	cr_assert_eq(shutdowns, 1);
	cr_assert_eq(nfired, 1);
	cr_assert_eq(jif_timer_add(&wheel, &timers[0], at(30)), -JIF_EINVAL);
	run_to(40);
	cr_assert_eq(nfired, 1);
}

static struct jif_periodic beat;
static unsigned beats, windows, skipped;
static uint32_t first_beat;

static void count_beat(struct jif_periodic *p)
{
	if (!beats++)
		first_beat = now();
}

static void start_in_one_window(void)
{
	if (windows++ == skipped)
		(void)!jif_periodic_start(&wheel, &beat, 7, 100, JIF_FOREVER);
}

/*
 * Zephyr PR 63491: a start that interrupted a start of the same timer failed
 * an assertion, or left the settings of both.
 */
Test(rivals, start_that_interrupts_a_start_of_the_same_timer_is_one_of_both)
{
	bool last;

	for (skipped = 0;; skipped++) {
		unit_init();
		memset(&beat, 0xa5, sizeof(beat));
		jif_periodic_init(&beat, count_beat, JIF_CATCHUP_EACH);
		beats = windows = 0;
		unit_window = start_in_one_window;
		(void)!jif_periodic_start(&wheel, &beat, 3, 50, JIF_FOREVER);
		unit_window = NULL;
		if (windows <= skipped)
			break;
		run_to(350);
		/* In the last window, the other one has had its effect. */
		last = windows == skipped + 1;
		cr_expect_eq(first_beat, last ? 7 : 3, "window %u", skipped);
		cr_expect_eq(beats, last ? 4 : 7, "window %u", skipped);
		cr_expect_eq(jif_wheel_check(&wheel), 0);
	}
	cr_assert_gt(skipped, 0, "there is no window");
	run_to(3);
	cr_assert_eq(beats, 1);
}
