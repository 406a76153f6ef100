/* SPDX-License-Identifier: MIT */
/* Expiries that may be late, and timers on a second wheel that do not wake */
#include <jif/port.h>

#include "../../wheel/unit/unit.h"

static struct jif_wheel second;

static void init(void)
{
	unit_init();
	set_jiffies(0);
	unit_wheel(&second, START);
}

TestSuite(coalesce, .init = init, .fini = unit_fini);

/* Of the times that are allowed, the first one that is a multiple of most. */
static uint32_t roundest(uint32_t expires, uint32_t slack)
{
	for (uint32_t unit = UINT32_C(1) << 31; unit; unit /= 2)
		for (uint32_t i = 0; i <= slack; i++)
			if ((expires + i) % unit == 0)
				return expires + i;
	return expires;
}

Test(coalesce, roundest_time_is_chosen_for_all_small_slacks_and_at_the_wrap)
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

Test(coalesce, none_changes_nothing)
{
	cr_assert_eq(jif_time_coalesce(12345, 0), 12345);
	cr_assert_eq(jif_time_coalesce(UINT32_MAX, 0), UINT32_MAX);
}

Test(coalesce, time_is_never_early_nor_later_than_allowed)
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

Test(coalesce, timers_of_different_delays_expire_on_one_tick)
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
		cr_assert_eq(jif_timer_add(&second, &timers[i], at(now() + 10)),
			     0);
}

/* The loop of docs/timers.md. */
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

/* With spreading, a machine also wakes up to move entries. */
Test(coalesce, second_wheel_wakes_nobody_and_is_run_when_the_first_does,
     .disabled = CONFIG_JIF_SPREAD != 0)
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

Test(coalesce, second_wheel_is_run_when_an_interrupt_wakes)
{
	jif_sim.sleep = sleep_short;
	arm(0, 100);
	cr_assert_eq(jif_timer_add(&second, &timers[1], at(10)), 0);
	loop_until(20);
	cr_assert_eq(count(1), 1);
	cr_assert_eq(count(0), 0);
	jif_timer_del(&wheel, &timers[0]);
}
