/* SPDX-License-Identifier: MIT */
/* A bare main loop sleeps, and misses nothing */
#include "../../../lib/wheel_sleep.h"
#include "unit.h"

static uint32_t slept;
static unsigned sleeps;

static void idle(uint32_t ticks)
{
	cr_expect_neq(jif_sim.off, 0, "interrupts are off");
	slept = ticks;
	sleeps++;
}

/* A wheel that follows jiffies, unlike that of the other suites. */
static void start(void)
{
	unit_init();
	jif_wheel_init(&wheel, jif_now());
	slept = sleeps = 0;
}

TestSuite(wheel_sleep, .init = start);

static void arm_in(unsigned i, uint32_t delay)
{
	cr_assert_eq(jif_timer_add(&wheel, &timers[i], jif_now() + delay), 0);
}

static void stall(uint32_t ticks)
{
	jif_ticks(ticks);
	jif_wheel_run(&wheel, jif_now());
}

static void expect_sleep(uint32_t ticks)
{
	cr_assert(jif_wheel_sleep(&wheel, idle));
	cr_assert_eq(slept, ticks, "%u", (unsigned)slept);
}

Test(wheel_sleep, lasts_until_the_stop_at_which_entries_are_spread,
     .disabled = !CONFIG_JIF_SPREAD)
{
	uint32_t stop;

	arm_in(0, 5000);
	cr_assert(jif_wheel_next_stop(&wheel, &stop));
	cr_assert_lt(stop - jif_now(), 5000);
	expect_sleep(stop - jif_now());
}

Test(wheel_sleep, has_an_end_before_a_far_timer)
{
	arm_in(0, LONGEST);
	expect_sleep(JIF_SLEEP_MAX);
}

Test(wheel_sleep, is_no_longer_than_until_an_almost_as_far_timer,
     .disabled = CONFIG_JIF_SPREAD)
{
	arm_in(0, JIF_SLEEP_MAX - 1);
	expect_sleep(JIF_SLEEP_MAX - 1);
}

/* So the search is bounded: with 24 entries it ends where they go down. */
Test(wheel_sleep, ends_early_if_there_are_many_in_a_slot,
     .disabled = CONFIG_JIF_SPREAD)
{
	for (unsigned i = 0; i < 23; i++)
		arm_in(10 + i, 2 * MINUTE + 10 + i);
	expect_sleep(2 * MINUTE + 10);
	arm_in(33, 2 * MINUTE + 33);
	expect_sleep(2 * MINUTE);
}

/* Those of a minute are looked at first, and an hour begins sooner. */
Test(wheel_sleep, search_is_bounded_over_all_slots,
     .disabled = CONFIG_JIF_SPREAD)
{
	for (unsigned i = 10; i < 30; i++)
		arm_in(i, HOUR + 100 + i);
	stall(50 * MINUTE);
	for (unsigned i = 30; i < 54; i++)
		arm_in(i, 55 * MINUTE + i - 29);
	expect_sleep(10 * MINUTE);
}

/* Some are due after 75 minutes, of which 50 go by; an hour begins before. */
static void arm_in_next_hour(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		arm_in(i, 75 * MINUTE + i);
	stall(50 * MINUTE);
}

/* Looks in vain would be missed in that hour. */
Test(wheel_sleep, search_leaves_a_slot_in_which_nothing_can_be_sooner,
     .disabled = CONFIG_JIF_SPREAD)
{
	arm_in_next_hour(1);
	for (unsigned i = 30; i < 54; i++)
		arm_in(i, 30 * MINUTE);
	expect_sleep(25 * MINUTE);
}

Test(wheel_sleep, search_passes_slots_that_are_reached_no_sooner,
     .disabled = CONFIG_JIF_SPREAD)
{
	arm_in_next_hour(22);
	arm_in(30, 5 * MINUTE);
	jif_timer_postpone(&wheel, &timers[30], jif_now() + 30 * MINUTE);
	for (unsigned i = 31; i < 35; i++)
		arm_in(i, 30 * MINUTE + i);
	expect_sleep(25 * MINUTE);
}

/* One is in a slot that the hand has passed, 13 in the next one. */
Test(wheel_sleep, search_looks_at_the_slots_up_to_the_hand_once,
     .disabled = CONFIG_JIF_SPREAD)
{
	stall(30 * MINUTE);
	for (unsigned i = 0; i < 14; i++) {
		arm_in(i, i ? MINUTE + i : 35 * MINUTE);
		jif_timer_postpone(&wheel, &timers[i], jif_now() + 3 * HOUR);
	}
	expect_sleep(3 * HOUR);
}

/* Some of them might be due now. */
Test(wheel_sleep, search_ends_now_while_a_budget_has_left_many,
     .disabled = CONFIG_JIF_SPREAD)
{
	for (unsigned i = 0; i < 30; i++)
		arm_in(i, MINUTE + 5);
	jif_ticks(MINUTE);
	cr_assert(!jif_wheel_run_budget(&wheel, jif_now(), 0));
	cr_assert_eq(jif_wheel_sleep_until(&wheel), jif_now());
}

/* Else ten of them would be too many. */
Test(wheel_sleep, search_looks_at_each_postponed_entry_once,
     .disabled = CONFIG_JIF_SPREAD)
{
	for (unsigned i = 0; i < 10; i++) {
		arm_in(i, (2 + i) * MINUTE);
		cr_assert(jif_timer_postpone(&wheel, &timers[i],
					     jif_now() + HOUR + i));
	}
	expect_sleep(HOUR);
}

/* They are not looked at, when looks run out either. */
Test(wheel_sleep, is_not_for_what_is_far_but_until_the_first_of_it,
     .disabled = CONFIG_JIF_SPREAD)
{
	for (unsigned i = 30; i < 60; i++)
		arm_in(i, 2 * WEEK + i);
	expect_sleep(2 * WEEK + 30);
	stall(WEEK - 1000);
	for (unsigned i = 0; i < 21; i++)
		arm_in(i, 5000 + i);
	expect_sleep(5000);
}

/* The hour begins before any of them is due. */
Test(wheel_sleep, is_until_the_first_although_more_are_due_in_a_later_hour,
     .disabled = CONFIG_JIF_SPREAD)
{
	stall(50 * MINUTE);
	for (unsigned i = 0; i < 21; i++)
		arm_in(i, 30 * MINUTE + 10 + i);
	for (unsigned i = 30; i < 60; i++)
		arm_in(i, 2 * HOUR + i);
	expect_sleep(30 * MINUTE + 10);
}

Test(wheel_sleep, does_not_happen_while_a_run_has_left_work)
{
	arm_in(0, 50);
	arm_in(1, 50);
	arm_in(2, 59);
	jif_ticks(50);
	cr_assert_not(jif_wheel_run_budget(&wheel, jif_now(), 1));
	jif_timer_del(&wheel, &timers[1]);
	cr_assert_not(jif_wheel_sleep(&wheel, idle));
	cr_assert(jif_wheel_run_budget(&wheel, jif_now(), 1));
	expect_sleep(9);
}

static struct jif_timer many[1000];
static unsigned expiries;

static void count_expiry(struct jif_timer *timer)
{
	expiries++;
}

static void sleep_on(uint32_t ticks)
{
	jif_ticks(ticks);
	sleeps++;
}

/* And once when the day is reached, and each of the hours that are full. */
Test(wheel_sleep, ends_once_for_each_of_many_timers_on_one_slot_of_days,
     .disabled = CONFIG_JIF_SPREAD)
{
	uint32_t first = jif_now() + 3 * DAY;

	expiries = 0;
	for (unsigned i = 0; i < 1000; i++) {
		jif_timer_init(&many[i], count_expiry);
		cr_assert_not(jif_timer_add(&wheel, &many[i],
					    first + 43 * (i * 7 % 1000)));
	}
	while (!jif_wheel_empty(&wheel)) {
		jif_wheel_sleep(&wheel, sleep_on);
		jif_wheel_run(&wheel, jif_now());
	}
	cr_assert_eq(expiries, 1000);
	cr_assert_leq(sleeps, 1000 + 1 + 12);
	cr_assert_eq(jif_now(), first + 43 * 999);
}

/* The clock has moved on, up to the first stop after that; nothing has run. */
Test(wheel_sleep, what_is_armed_after_it_reaches_as_far_as_ever,
     .disabled = CONFIG_JIF_SPREAD)
{
	uint32_t begin = jif_now();

	arm_in(0, JIF_SLEEP_MAX);
	cr_assert(jif_wheel_sleep(&wheel, sleep_on));
	cr_assert_eq(jif_now(), begin + JIF_SLEEP_MAX);
	cr_assert_lt(jif_now() - jif_wheel_clock(&wheel), 2 * WEEK);
	cr_assert_eq(nfired, 0);
	cr_assert_eq(jif_timer_mod_in(&wheel, &timers[1], LONGEST - 2 * WEEK),
		     0);
	jif_wheel_run(&wheel, jif_now());
	cr_assert_eq(nfired, 1);
	jif_timer_del(&wheel, &timers[0]);
	cr_assert(jif_wheel_sleep(&wheel, sleep_on));
	cr_assert_eq(jif_wheel_clock(&wheel), jif_now(), "there is no stop");
	cr_assert_eq(jif_timer_add_in(&wheel, &timers[2], LONGEST - 1), 0);
}

static void sleep_by_counter(uint32_t ticks)
{
	slept = ticks;
	sleeps++;
	unit_time += ticks;
}

Test(wheel_sleep, lasts_as_long_by_another_counter)
{
	uint32_t jiffies = jif_now();

	unit_time = 5000;
	jif_warn = unit_no_warning;
	jif_wheel_init_time(&wheel, unit_tell_time);
	cr_assert_eq(jif_timer_add_in(&wheel, &timers[0], 30), 0);
	cr_assert(jif_wheel_sleep(&wheel, sleep_by_counter));
	cr_assert_eq(slept, 31);
	cr_assert_eq(jif_wheel_poll(&wheel), 1);
	cr_assert_eq(now(), 5031);
	cr_assert(jif_wheel_sleep(&wheel, sleep_by_counter));
	cr_assert_eq(slept, JIF_SLEEP_MAX);
	cr_assert_eq(now(), 5031 + JIF_SLEEP_MAX);
	cr_assert_eq(jif_now(), jiffies, "they stand still");
}