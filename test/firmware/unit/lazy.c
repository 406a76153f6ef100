/* SPDX-License-Identifier: MIT */
/* Expiries that may be late, and timers that do not wake */
#include <jif/lazy.h>
#include <jif/port.h>

#include "../../wheel/unit/unit.h"

static struct jif_wheel second;
static struct jif_lazy lazy;
static unsigned runs;
static uint32_t ran_at;

static void note(struct jif_lazy *which)
{
	runs++;
	ran_at = now();
}

static void init(void)
{
	unit_init();
	jif_ticks(START - jif_now());
	unit_wheel(&second, START);
	memset(&lazy, 0xa5, sizeof(lazy));
	jif_lazy_init(&wheel, &second, &lazy, note);
	runs = 0;
}

TestSuite(lazy, .init = init, .fini = unit_fini);

/* With spreading, a machine also wakes up to move entries, and more joins. */
#define WAKE_UP_TEST(name) Test(lazy, name, .disabled = CONFIG_JIF_SPREAD != 0)

/* Of the times that are allowed, the first one that is a multiple of most. */
static uint32_t roundest(uint32_t expires, uint32_t slack)
{
	for (uint32_t unit = UINT32_C(1) << 31; unit; unit /= 2)
		for (uint32_t i = 0; i <= slack; i++)
			if ((expires + i) % unit == 0)
				return expires + i;
	return expires;
}

Test(lazy, roundest_time_is_chosen_for_all_small_slacks_and_at_the_wrap)
{
	for (uint32_t slack = 0; slack <= 40; slack++) {
		for (uint32_t i = 0; i < 100; i++) {
			cr_assert_eq(jif_time_coalesce(i, slack),
				     roundest(i, slack));
			cr_assert_eq(jif_time_coalesce(i - 50, slack),
				     roundest(i - 50, slack));
		}
	}
}

Test(lazy, none_changes_nothing)
{
	cr_assert_eq(jif_time_coalesce(12345, 0), 12345);
	cr_assert_eq(jif_time_coalesce(UINT32_MAX, 0), UINT32_MAX);
}

Test(lazy, time_is_never_early_nor_later_than_allowed)
{
	for (uint32_t bit = 0; bit < 31; bit++) {
		for (uint32_t e = 0; e < 64; e++) {
			uint32_t slack = (UINT32_C(1) << bit) + bit;
			uint32_t expires = e * UINT32_C(0x03ffffff) + e;

			cr_assert_leq(jif_time_coalesce(expires, slack) -
					      expires,
				      slack);
		}
	}
	cr_assert_leq(jif_time_coalesce(UINT32_C(0x80000001), LONGEST) -
			      UINT32_C(0x80000001),
		      LONGEST);
}

Test(lazy, timers_of_different_delays_expire_on_one_tick)
{
	arm(0, jif_time_coalesce(at(1000), 125) - START);
	arm(1, jif_time_coalesce(at(1010), 100) - START);
	arm(2, jif_time_coalesce(at(1023), 30) - START);
	run_to(1023);
	cr_assert_eq(nfired, 0);
	run_to(1024);
	cr_assert_eq(nfired, 3);
	cr_assert_eq(at(1024) % 256, 0);
}

static void rearm(unsigned i)
{
	if (i == 0)
		arm(0, now() + 100);
	else
		cr_assert_not(
			jif_timer_add(&second, &timers[i], at(now() + 10)));
}

/* A main loop with a second wheel, for which it does not wake up. */
static void loop_until(uint32_t after)
{
	while (jif_now() - START < after) {
		jif_wheel_run(&wheel, jif_now());
		jif_wheel_run(&second, jif_now());
		jif_wheel_sleep(&wheel, jif_port_idle);
	}
	jif_wheel_run(&wheel, jif_now());
	jif_wheel_run(&second, jif_now());
}

WAKE_UP_TEST(second_wheel_wakes_nobody_and_is_run_when_the_first_does)
{
	unit_callback = rearm;
	arm(0, 100);
	cr_assert_eq(jif_timer_add(&second, &timers[1], at(10)), 0);
	loop_until(1000);
	cr_assert_eq(jif_sim.sleeps, 10);
	cr_assert_eq(count(0), 10);
	cr_assert_eq(count(1), 10);
	for (unsigned i = 0; i < nfired; i++)
		cr_assert_eq(fired[i].after % 100, 0);
}

/* An interrupt comes after so many ticks of each sleep. */
static uint32_t sleep_short(uint32_t ticks)
{
	return ticks < 7 ? ticks : 7;
}

Test(lazy, second_wheel_is_run_when_an_interrupt_wakes)
{
	jif_sim.sleep = sleep_short;
	arm(0, 100);
	cr_assert_eq(jif_timer_add(&second, &timers[1], at(10)), 0);
	loop_until(20);
	cr_assert_eq(count(1), 1);
	cr_assert_eq(count(0), 0);
	jif_timer_del(&wheel, &timers[0]);
}

WAKE_UP_TEST(with_slack_joins_a_wake_up_within_it)
{
	arm(0, 110);
	cr_assert_eq(jif_lazy_mod(&lazy, at(100), 20), 0);
	cr_assert(jif_lazy_pending(&lazy));
	loop_until(110);
	cr_assert_eq(runs, 1);
	cr_assert_eq(ran_at, 110);
	cr_assert_eq(jif_sim.sleeps, 1);
	cr_assert_not(jif_lazy_pending(&lazy));
	cr_assert(jif_wheel_empty(&wheel));
	cr_assert(jif_wheel_empty(&second));
}

WAKE_UP_TEST(with_slack_wakes_up_at_its_end)
{
	arm(0, 90);
	arm(1, 130);
	jif_lazy_mod(&lazy, at(100), 20);
	loop_until(130);
	cr_assert_eq(runs, 1);
	cr_assert_eq(ran_at, 120);
	cr_assert_eq(jif_sim.sleeps, 3);
}

Test(lazy, with_slack_runs_in_time_while_the_machine_is_awake)
{
	jif_lazy_mod(&lazy, at(100), 20);
	for (uint32_t after = 1; after <= 200; after++) {
		jif_wheel_run(&wheel, at(after));
		jif_wheel_run(&second, at(after));
	}
	cr_assert_eq(runs, 1);
	cr_assert_eq(ran_at, 100);
}

Test(lazy, without_slack_wakes_up_in_time)
{
	jif_lazy_mod(&lazy, at(100), 0);
	cr_assert(jif_wheel_empty(&second));
	loop_until(200);
	cr_assert_eq(runs, 1);
	cr_assert_eq(ran_at, 100);
}

WAKE_UP_TEST(deferrable_waits_for_whatever_wakes)
{
	arm(0, 1000);
	jif_lazy_mod(&lazy, at(100), JIF_FOREVER);
	loop_until(1000);
	cr_assert_eq(jif_sim.sleeps, 1);
	cr_assert_eq(runs, 1);
	cr_assert_eq(ran_at, 1000);
}

Test(lazy, armed_anew_forgets_its_old_time)
{
	jif_lazy_mod(&lazy, at(100), 20);
	cr_assert_eq(jif_lazy_mod(&lazy, at(300), JIF_FOREVER), 1);
	arm(0, 200);
	loop_until(200);
	cr_assert_eq(runs, 0);
	arm(0, 400);
	loop_until(400);
	cr_assert_eq(runs, 1);
}

Test(lazy, deleted_does_not_run)
{
	cr_assert_not(jif_lazy_del(&lazy));
	jif_lazy_mod(&lazy, at(100), 20);
	cr_assert(jif_lazy_del(&lazy));
	cr_assert_not(jif_lazy_del(&lazy));
	cr_assert(jif_wheel_empty(&wheel));
	cr_assert(jif_wheel_empty(&second));
}

static void arm_again(struct jif_lazy *which)
{
	note(which);
	cr_assert_not(jif_lazy_pending(which));
	cr_assert_eq(jif_lazy_mod(which, at(now() + 50), 10), 0);
}

Test(lazy, may_be_armed_in_its_callback)
{
	jif_lazy_init(&wheel, &second, &lazy, arm_again);
	jif_lazy_mod(&lazy, at(50), 10);
	loop_until(300);
	cr_assert_eq(runs, 5, "at 60, 120, 180, 240 and 300");
	cr_assert(jif_lazy_del(&lazy));
}

/*
 * A handler that comes right after a timer was taken off for its callback: the
 * soft one of the second wheel, or the hard one of the first. What it arms may
 * be without that timer, and is on the wheel that runs it.
 */
static const struct moment {
	const char *name;
	const struct jif_timer *taken_off;
	uint32_t slack;
	const struct jif_timer *then;
} moments[] = {
	{ "with slack", &lazy.soft, 20, &lazy.soft },
	{ "without slack", &lazy.soft, 0, &lazy.hard },
	{ "deferrable", &lazy.hard, JIF_FOREVER, &lazy.soft },
	{ "deleted", &lazy.hard, 0, NULL },
};
static const struct moment *moment;

static void act_in_window(void)
{
	if (!jif_lazy_pending(&lazy) || jif_timer_pending(moment->taken_off))
		return;
	jif_sim.irq = NULL;
	if (moment->then)
		cr_expect_eq(jif_lazy_mod(&lazy, at(170), moment->slack), 1);
	else
		cr_expect(jif_lazy_del(&lazy), "%s", moment->name);
}

static void run_wheel_of(const struct jif_timer *timer, uint32_t after)
{
	jif_wheel_run(timer == &lazy.soft ? &second : &wheel, at(after));
}

Test(lazy, acted_on_between_expiry_and_callback_does_as_it_was_told)
{
	for (unsigned i = 0; i < 4; i++) {
		init();
		moment = &moments[i];
		jif_lazy_mod(&lazy, at(100), 20);
		jif_sim.irq = act_in_window;
		run_wheel_of(moment->taken_off,
			     moment->taken_off == &lazy.soft ? 100 : 120);
		cr_expect(!jif_sim.irq, "%s: no such moment", moment->name);
		cr_expect_eq(runs, 0, "%s", moment->name);
		if (moment->then) {
			run_wheel_of(moment->then, 169);
			cr_expect_eq(runs, 0, "%s: early", moment->name);
			run_wheel_of(moment->then, 170);
		}
		cr_expect_eq(runs, moment->then != NULL, "%s", moment->name);
		cr_expect(jif_wheel_empty(&wheel), "%s", moment->name);
		cr_expect(jif_wheel_empty(&second), "%s", moment->name);
	}
}

/* As far as the first wheel reaches, and no further. */
Test(lazy, more_slack_than_there_is_reach_is_used_as_far_as_it_goes)
{
	cr_assert_eq(jif_lazy_mod(&lazy, at(LONGEST - 10), 11), 0);
	cr_assert_eq(jif_timer_expires(&wheel, &lazy.hard), at(LONGEST));
	cr_assert_eq(jif_lazy_mod(&lazy, at(LONGEST - 10), 10), 1);
	cr_assert_eq(jif_timer_expires(&wheel, &lazy.hard), at(LONGEST));
	cr_assert_eq(jif_lazy_mod(&lazy, at(LONGEST - 10), 9), 1);
	cr_assert_eq(jif_timer_expires(&wheel, &lazy.hard), at(LONGEST - 1));
	jif_lazy_mod(&lazy, at(100), JIF_FOREVER - 1);
	run_wheel_of(&lazy.hard, LONGEST - 1);
	cr_assert_eq(runs, 0);
	run_wheel_of(&lazy.hard, LONGEST);
	cr_assert_eq(runs, 1);
}

/* It is due, and may be late by some time more. */
Test(lazy, past_time_has_its_slack)
{
	jif_wheel_run(&wheel, at(50));
	jif_wheel_run(&second, at(50));
	jif_lazy_mod(&lazy, at(40), 30);
	cr_assert_eq(jif_timer_expires(&wheel, &lazy.hard), at(70));
	run_wheel_of(&lazy.soft, 51);
	cr_assert_eq(runs, 1);
}

/* After a sleep of a thousand ticks: how many each wheel is behind. */
static const struct {
	uint32_t left;
	uint32_t slack;
	uint32_t first, second;
	int err;
} rows[] = {
	{ LONGEST - 1000, 0, 1000, 1000, 1 },
	{ LONGEST - 999, 0, 1000, 1000, -JIF_ERANGE },
	{ LONGEST - 999, JIF_FOREVER, 1000, 1000, -JIF_ERANGE },
	{ LONGEST - 1000, JIF_FOREVER, 1000, 1000, 1 },
	{ LONGEST - 1000, 1, 0, 1000, 1 },
	{ LONGEST - 999, 1, 0, 1000, -JIF_ERANGE },
	{ LONGEST, 0, 0, 1000, 1 },
	{ LONGEST, JIF_FOREVER, 0, 0, 1 },
};

Test(lazy, too_far_for_a_wheel_that_is_behind_is_refused_and_stays_as_it_was)
{
	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		init();
		if (CONFIG_JIF_DEBUG)
			jif_warn = unit_no_warning;
		jif_wheel_set_time(&wheel, jif_time_jiffies);
		jif_ticks(1000);
		jif_wheel_run(&wheel, at(1000 - rows[i].first));
		jif_wheel_run(&second, at(1000 - rows[i].second));
		jif_lazy_mod(&lazy, at(1500), 0);
		cr_expect_eq(jif_lazy_mod(&lazy, at(1000) + rows[i].left,
					  rows[i].slack),
			     rows[i].err, "row %u", i);
		if (rows[i].err < 0)
			cr_expect_eq(jif_timer_expires(&wheel, &lazy.hard),
				     at(1500), "row %u", i);
		jif_wheel_run(&wheel, at(1001));
		jif_wheel_run(&second, at(1001));
		cr_expect_eq(runs, 0, "row %u", i);
		jif_lazy_del(&lazy);
	}
	if (CONFIG_JIF_DEBUG)
		jif_warn = NULL;
}

/* The second wheel is run before the first one, which has been asleep. */
static void arm_a_minute_after_the_clock(struct jif_lazy *which)
{
	note(which);
	jif_lazy_mod(which, jif_wheel_clock(&wheel) + MINUTE, 5);
}

WAKE_UP_TEST(armed_by_the_clock_after_a_sleep_keeps_its_rate)
{
	jif_lazy_init(&wheel, &second, &lazy, arm_a_minute_after_the_clock);
	jif_lazy_mod(&lazy, at(MINUTE), 5);
	arm(0, 60 * MINUTE);
	while (jif_now() - START < 60 * MINUTE) {
		jif_wheel_run(&second, jif_now());
		jif_wheel_run(&wheel, jif_now());
		jif_wheel_sleep(&wheel, jif_port_idle);
	}
	cr_assert_geq(runs, 55, "every 65 ticks");
	cr_assert_leq(runs, 60, "and not twice as often");
	jif_lazy_del(&lazy);
	jif_wheel_run(&wheel, jif_now());
}

Test(lazy, past_time_is_not_taken_for_one_that_is_too_far)
{
	jif_warn = unit_no_warning;
	jif_wheel_set_time(&wheel, jif_time_jiffies);
	jif_ticks(1000);
	jif_wheel_run(&wheel, jif_now());
	jif_wheel_run(&second, jif_now());
	cr_assert_eq(jif_lazy_mod(&lazy, at(990), 5), 0);
	run_wheel_of(&lazy.hard, 1001);
	cr_assert_eq(runs, 1);
}

Test(lazy, next_is_from_when_on_it_may_run_and_by_when_it_has_to)
{
	uint32_t earliest = 7, latest = 8;

	cr_expect_not(jif_lazy_next(&lazy, &earliest, &latest));
	cr_expect_eq(earliest, 7);
	cr_expect_eq(latest, 8);
	jif_lazy_mod(&lazy, at(100), 50);
	cr_expect(jif_lazy_next(&lazy, &earliest, &latest));
	cr_expect_eq(earliest, at(100));
	cr_expect_eq(latest, at(150));
	jif_lazy_mod(&lazy, at(100), 0);
	cr_expect(jif_lazy_next(&lazy, &earliest, &latest));
	cr_expect_eq(earliest, at(100));
	cr_expect_eq(latest, at(100));
	jif_lazy_mod(&lazy, at(100), JIF_FOREVER);
	cr_expect(jif_lazy_next(&lazy, &earliest, &latest));
	cr_expect_eq(earliest, at(100));
	cr_expect_eq(latest - earliest, JIF_FOREVER);
	jif_lazy_del(&lazy);
	cr_expect_not(jif_lazy_next(&lazy, &earliest, &latest));
}

/* Which time is to come, only a time source would tell. */
Test(lazy, due_on_the_second_wheel_that_was_run_first_is_armed)
{
	jif_wheel_run(&second, at(100));
	cr_assert_eq(jif_lazy_mod(&lazy, at(50), 10), 0);
	run_wheel_of(&lazy.soft, 101);
	cr_assert_eq(runs, 1);
}
