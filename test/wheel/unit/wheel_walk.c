/* SPDX-License-Identifier: MIT */
/* Looking at each pending timer */
#include "unit.h"

TestSuite(wheel_walk, .init = unit_init, .fini = unit_fini);

static unsigned seen[UNIT_TIMERS];
static unsigned nseen;

static int see(void *arg, const struct jif_timer *timer, unsigned level,
	       unsigned slot, uint32_t remaining)
{
	seen[timer - timers]++;
	nseen++;
	return arg && nseen == *(unsigned *)arg ? 42 : 0;
}

static void start_over(void)
{
	for (unsigned i = 0; i < UNIT_TIMERS; i++)
		seen[i] = 0;
	nseen = 0;
}

Test(wheel_walk, sees_each_pending_timer_once)
{
	start_over();
	for (unsigned i = 0; i < UNIT_TIMERS; i++)
		arm(i, 1 + i * i * i * 17);
	cr_assert_eq(jif_wheel_walk(&wheel, see, NULL), 0);
	for (unsigned i = 0; i < UNIT_TIMERS; i++)
		cr_expect_eq(seen[i], 1);
}

Test(wheel_walk, stops_at_the_first_result_and_returns_it)
{
	unsigned stop = 3;

	start_over();
	arm_all(10, 100);
	cr_assert_eq(jif_wheel_walk(&wheel, see, &stop), 42);
	cr_assert_eq(nseen, 3);
	cr_assert_eq(jif_wheel_check(&wheel), 0);
}

static unsigned windows;
static unsigned victim_at;
static bool of_those_seen;

static void del_one(void)
{
	if (windows++ < victim_at)
		return;
	for (unsigned i = 0; i < 10; i++)
		if ((seen[i] > 0) == of_those_seen &&
		    jif_timer_del(&wheel, &timers[i]))
			return;
}

/* W2: the entry that it has just looked at, or the next one. */
Test(wheel_walk, survives_an_interrupt_that_deletes)
{
	for (unsigned row = 0; row < 2 * 12; row++) {
		unsigned left = 0;

		of_those_seen = row < 12;
		victim_at = row % 12;
		unit_init();
		start_over();
		arm_all(10, 100);
		windows = 0;
		unit_window = del_one;
		cr_assert_eq(jif_wheel_walk(&wheel, see, NULL), 0);
		unit_window = NULL;
		cr_assert_eq(jif_wheel_check(&wheel), 0);
		for (unsigned i = 0; i < 10; i++) {
			left += jif_timer_pending(&timers[i]);
			cr_expect_leq(seen[i], 1, "row %u", row);
		}
		cr_expect_eq(nseen, of_those_seen ? 10 : left, "row %u", row);
	}
}

static unsigned depth;

static int look_again(void *arg, const struct jif_timer *timer, unsigned level,
		      unsigned slot, uint32_t remaining)
{
	uint32_t when;

	cr_assert(jif_timer_pending(timer));
	cr_expect_eq(jif_wheel_check(&wheel), 0);
	cr_expect(jif_wheel_next_expiry(&wheel, &when));
	cr_expect_eq(when, at(100));
	nseen++;
	if (depth++ == 0)
		cr_expect_eq(jif_wheel_walk(&wheel, look_again, NULL), 0);
	depth--;
	return 0;
}

Test(wheel_walk, within_a_walk_sees_timers_only)
{
	start_over();
	for (unsigned i = 0; i < 3; i++)
		arm(i, 100 + i);
	cr_assert_eq(jif_wheel_walk(&wheel, look_again, NULL), 0);
	cr_assert_eq(nseen, 3 + 3 * 3);
}

/* Bookmarks have what the last entry had left when they were put there. */
static int del_and_look(void *arg, const struct jif_timer *timer,
			unsigned level, unsigned slot, uint32_t remaining)
{
	uint32_t when;

	cr_assert(jif_timer_del(&wheel, &timers[2 - nseen++]));
	cr_expect(jif_wheel_next_expiry(&wheel, &when));
	cr_expect_eq(when, at(100 + nseen));
	return nseen == 2;
}

Test(wheel_walk, the_next_expiry_within_it_is_not_that_of_a_deleted_timer)
{
	start_over();
	for (unsigned i = 0; i < 3; i++)
		arm(i, 102 - i);
	cr_assert_eq(jif_wheel_walk(&wheel, del_and_look, NULL), 1);
	cr_assert_eq(jif_wheel_check(&wheel), 0);
}

static int mod_to_the_same(void *arg, const struct jif_timer *timer,
			   unsigned level, unsigned slot, uint32_t remaining)
{
	unsigned i = (unsigned)(timer - timers);

	nseen++;
	cr_expect(jif_timer_mod(&wheel, &timers[i], at(100)));
	cr_expect_eq(jif_wheel_run(&wheel, at(200)), 0);
	return 0;
}

Test(wheel_walk, ends_although_each_timer_is_armed_anew)
{
	start_over();
	arm_all(3, 100);
	cr_assert_eq(jif_wheel_walk(&wheel, mod_to_the_same, NULL), 0);
	cr_assert_eq(nseen, 3);
	cr_assert_eq(run_to(100), 3);
}

static unsigned ran_in;

static void count_window(void)
{
	windows++;
}

static void run_in_window(void)
{
	windows++;
	if (!jif_wheel_run(&wheel, at(10000)))
		return;
	ran_in = windows;
	unit_window = NULL;
}

static unsigned windows_of_walk(void (*window)(void))
{
	start_over();
	windows = 0;
	unit_window = window;
	jif_wheel_walk(&wheel, see, NULL);
	unit_window = NULL;
	return windows;
}

/* In the last window, it has ended. */
Test(wheel_walk, keeps_a_tick_isr_from_running_the_wheel)
{
	unsigned last;

	for (unsigned i = 0; i < 10; i++)
		arm(i, 100 + i);
	last = windows_of_walk(count_window);
	cr_assert_gt(last, 10);
	cr_assert_eq(windows_of_walk(run_in_window), last);
	cr_assert_eq(ran_in, last);
	cr_assert_eq(nseen, 10);
	cr_assert_eq(now(), 10000);
	cr_assert_eq(nfired, 10);
}

static void walk_the_other(unsigned timer)
{
	start_over();
	jif_wheel_walk(&wheel, see, NULL);
	cr_expect_eq(nseen, 1 - timer);
}

static void run_the_wheel(void)
{
	unit_window = NULL;
	run_to(50);
}

/* Where a tick ISR runs the wheel, its callbacks are in the interrupt. */
Test(wheel_walk, in_a_callback_that_an_interrupt_runs)
{
	arm(0, 50);
	arm(1, 50);
	unit_callback = walk_the_other;
	unit_window = run_the_wheel;
	jif_sim_irq();
	cr_assert_eq(nfired, 2);
}
