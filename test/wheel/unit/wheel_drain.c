/* SPDX-License-Identifier: MIT */
/* Taking all timers off */
#include <signal.h>

#include "damage.h"
#include "panic.h"
#include "unit.h"

TestSuite(wheel_drain, .init = unit_init, .fini = unit_fini);

static unsigned drained[UNIT_TIMERS];
static unsigned ndrained;

static void note(struct jif_timer *timer)
{
	cr_expect_not(jif_timer_pending(timer));
	drained[ndrained++] = (unsigned)(timer - timers);
}

static unsigned long windows_of(unsigned n)
{
	unsigned long before = jif_sim.windows;

	ndrained = 0;
	arm_all(n, 64);
	cr_assert_eq(jif_wheel_drain(&wheel, note), n);
	return jif_sim.windows - before;
}

/* It is gathered, sorted by seven bits and one more, and delivered. */
Test(wheel_drain, interrupts_are_let_in_after_each_entry)
{
	unsigned long few = windows_of(2);

	cr_assert_geq(windows_of(12) - few, 10 * (1 + 8 + 1));
}

static int was_in[12];
static unsigned most_moved;

static void count_moved(void)
{
	unsigned moved = 0;

	for (unsigned i = 0; i < 12; i++) {
		moved += slot_of(&timers[i]) != was_in[i];
		was_in[i] = slot_of(&timers[i]);
	}
	if (moved > most_moved)
		most_moved = moved;
}

/* W8 */
Test(wheel_drain, moves_one_entry_at_a_time)
{
	for (unsigned i = 0; i < 12; i++) {
		arm(i, 64);
		was_in[i] = slot_of(&timers[i]);
	}
	most_moved = 0;
	unit_window = count_moved;
	cr_assert_eq(jif_wheel_drain(&wheel, NULL), 12);
	unit_window = NULL;
	cr_assert_eq(most_moved, 1);
}

Test(wheel_drain, without_a_function_calls_each_ones_own)
{
	arm(0, 50);
	arm(1, 5000);
	cr_assert_eq(jif_wheel_drain(&wheel, NULL), 2);
	/* Long before their time. */
	expect_fired(2, { 0, 0 }, { 1, 0 });
}

static void note_and_rearm(struct jif_timer *timer)
{
	note(timer);
	cr_assert_eq(jif_timer_add(&wheel, timer, at(70)), 0);
}

static void note_and_zero_the_last(struct jif_timer *timer)
{
	note(timer);
	memset(&timers[1], 0, sizeof(timers[1]));
}

Test(wheel_drain, what_is_zeroed_meanwhile_is_told,
     .disabled = !CONFIG_JIF_DEBUG, .signal = SIGABRT)
{
	panic_with("W2: a pending timer was zeroed");
	arm(0, 100);
	arm(1, 160);
	jif_wheel_drain(&wheel, note_and_zero_the_last);
}

Test(wheel_drain, what_is_armed_meanwhile_stays)
{
	ndrained = 0;
	for (unsigned i = 0; i < 5; i++)
		arm(i, 10 + 100 * i);
	cr_assert_eq(jif_wheel_drain(&wheel, note_and_rearm), 5);
	expect_exact(70, 5);
	expect_order(5);
}

static void note_and_del_last(struct jif_timer *timer)
{
	note(timer);
	jif_timer_del(&wheel, &timers[4]);
	jif_timer_mod(&wheel, &timers[3], at(33));
}

Test(wheel_drain, what_is_deleted_or_moved_meanwhile_is_not_taken)
{
	ndrained = 0;
	for (unsigned i = 0; i < 5; i++)
		arm(i, 10 + 100 * i);
	cr_assert_eq(jif_wheel_drain(&wheel, note_and_del_last), 3);
	run_to(1000);
	expect_fired(1, { 3, 33 });
}

static void drain_all(unsigned timer)
{
	if (timer == 0)
		cr_expect_eq(jif_wheel_drain(&wheel, note), 4);
}

Test(wheel_drain, in_a_callback_takes_the_rest_of_the_tick_too)
{
	ndrained = 0;
	arm_all(4, 60);
	arm(4, 6000);
	unit_callback = drain_all;
	cr_assert_eq(run_to(10000), 1);
	cr_assert_eq(ndrained, 4);
	for (unsigned i = 0; i < 4; i++)
		cr_expect_eq(drained[i], i + 1);
	unit_callback = NULL;
	arm(0, 20000);
	cr_assert_eq(run_to(20000), 1, "and the wheel goes on");
}

static void arm_and_drain(struct jif_timer *timer)
{
	note(timer);
	arm((unsigned)(timer - timers), 43);
	cr_expect_eq(jif_wheel_drain(&wheel, note), 3);
}

/* W5: the drain around has gathered two that wait still. */
Test(wheel_drain, in_a_drain_takes_what_was_armed_earlier_first)
{
	static const unsigned order[] = { 0, 1, 2, 0 };

	ndrained = 0;
	arm_all(3, 43);
	cr_assert_eq(jif_wheel_drain(&wheel, arm_and_drain), 1);
	cr_assert_eq(ndrained, 4);
	cr_assert_arr_eq(drained, order, sizeof(order));
}

Test(wheel_drain, of_a_paused_midnight_takes_all)
{
	ndrained = 0;
	for (unsigned i = 0; i < 8; i++)
		arm(i, DAY + 100 - i);
	cr_assert_not(jif_wheel_run_budget(&wheel, at(DAY + 50), 11));
	cr_assert_eq(jif_wheel_drain(&wheel, note), 8);
	for (unsigned i = 0; i < 8; i++)
		cr_expect_eq(drained[i], 7 - i);
	arm(0, DAY + 5);
	cr_assert_eq(run_to(DAY + 5), 1);
}

/* W5: one is to be moved from the minutes yet, the other one waits already. */
Test(wheel_drain, of_a_paused_minute_takes_what_is_due_in_arming_order)
{
	ndrained = 0;
	arm(0, 60);
	run_to(2);
	arm(1, 60);
	arm(2, 61);
	cr_assert_not(jif_wheel_run_budget(&wheel, at(60), 0));
	cr_assert_eq(jif_wheel_drain(&wheel, note), 3);
	for (unsigned i = 0; i < 3; i++)
		cr_expect_eq(drained[i], i);
}

/* W5: some wait on the list of this week, the others on that of a later one. */
Test(wheel_drain, of_a_paused_week_takes_all_in_arming_order)
{
	ndrained = 0;
	arm_all(8, 3 * WEEK + 100);
	arm(8, WEEK + 60);
	cr_assert_eq(jif_wheel_run_budget(&wheel, at(WEEK + 50), 3),
		     CONFIG_JIF_SPREAD > 0, "those go down a week later");
	cr_assert_eq(jif_wheel_drain(&wheel, note), 9);
	cr_expect_eq(drained[0], 8);
	for (unsigned i = 0; i < 8; i++)
		cr_expect_eq(drained[1 + i], i);
}
