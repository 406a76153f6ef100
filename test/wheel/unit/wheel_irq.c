/* SPDX-License-Identifier: MIT */
/* What interrupts may do, and when they are let in */
#include "unit.h"

TestSuite(wheel_irq, .init = unit_init, .fini = unit_fini);

static unsigned windows;

static void count_window(void)
{
	windows++;
	cr_expect_eq(jif_wheel_check(&wheel), 0, "in window %u", windows);
}

/* W8 */
Test(wheel_irq, are_let_in_after_each_cascaded_entry)
{
	arm_all(30, 200);
	run_to(119);
	windows = 0;
	run_under(count_window, 180);
	cr_assert_geq(windows, 30);
}

/* W8 */
Test(wheel_irq, are_let_in_after_each_tick_caught_up)
{
	for (unsigned i = 0; i < 30; i++)
		arm(i, 10 + i);
	windows = 0;
	run_under(count_window, 50);
	cr_assert_geq(windows, 60, "each tick, and each expiry");
}

static void make_it_sooner(void)
{
	jif_sim.irq = NULL;
	jif_timer_mod(&wheel, &timers[0], at(122));
}

/* All three times are of one slot. */
Test(wheel_irq, may_make_a_timer_sooner_while_it_is_reduced)
{
	arm(0, 130);
	jif_sim.irq = make_it_sooner;
	jif_timer_reduce(&wheel, &timers[0], at(125));
	expect_exact(122, 1);
}

static void pass_its_time(void)
{
	jif_sim.irq = NULL;
	jif_wheel_run(&wheel, at(40));
}

Test(wheel_irq, may_pass_the_time_that_a_timer_is_reduced_to)
{
	arm(0, 130);
	jif_sim.irq = pass_its_time;
	jif_timer_reduce(&wheel, &timers[0], at(30));
	cr_assert_eq(run_to(41), 1);
}

static void expect_on(unsigned timer)
{
	cr_expect_eq(jif_sim.off, 0);
}

Test(wheel_irq, are_on_in_callbacks)
{
	unit_callback = expect_on;
	arm(0, 5);
	run_to(5);
	cr_assert_eq(nfired, 1);
}

static void expect_off(unsigned timer)
{
	cr_expect_eq(jif_sim.off, 1);
}

Test(wheel_irq, are_off_in_callbacks_of_a_caller_that_had_them_off)
{
	unit_callback = expect_off;
	arm(0, 5);
	jif_sim.off = 1;
	run_to(5);
	cr_assert_eq(jif_sim.off, 1);
	jif_sim.off = 0;
	cr_assert_eq(nfired, 1);
}

static unsigned inits, fired_anew;

static void fire_anew(struct jif_timer *timer)
{
	fired_anew++;
}

static void init_under_way(void)
{
	if (now() != 10 || jif_timer_pending(&timers[0]) || inits++)
		return;
	jif_timer_init(&timers[0], fire_anew);
}

/* W6 */
Test(wheel_irq, init_after_the_moment_of_expiry_is_for_the_next_arming)
{
	inits = 0;
	fired_anew = 0;
	arm(0, 10);
	run_under(init_under_way, 20);
	cr_assert_gt(inits, 0);
	expect_fired(1, { 0, 10 });
	cr_assert_eq(fired_anew, 0);
	arm(0, 30);
	cr_assert_eq(run_to(30), 1);
	cr_assert_eq(nfired, 1);
	cr_assert_eq(fired_anew, 1);
}

static void arm_in_window(void)
{
	jif_timer_mod(&wheel, &timers[0], at(now() + HOUR));
}

static void run_in_window(void)
{
	if (now() < 100)
		jif_wheel_run(&wheel, at(now() + 1));
}

static void (*act)(void);

static void act_in_every_window(void)
{
	act();
	if (++windows == 1000)
		unit_window = NULL;
}

/* W6 */
Test(wheel_irq, may_arm_or_run_in_every_window_and_time_goes_on_as_it_was_told)
{
	static void (*const acts[])(void) = { arm_in_window, run_in_window };

	for (unsigned i = 0; i < 2; i++) {
		unit_init();
		act = acts[i];
		windows = 0;
		run_under(act_in_every_window, 100);
		cr_expect_eq(now(), 100, "act %u", i);
		cr_assert_lt(windows, 1000, "act %u", i);
		cr_expect_eq(nfired, 0, "act %u", i);
	}
}

static unsigned moved_with_irqs_off;
static unsigned most_moved;

static void note_move(unsigned what, const struct jif_wheel *on,
		      const struct jif_timer *timer, uint32_t value)
{
	if (JIF_TRACE_EVENT(what) == JIF_TRACE_CASCADE &&
	    ++moved_with_irqs_off > most_moved)
		most_moved = moved_with_irqs_off;
}

static void forget_moves(void)
{
	moved_with_irqs_off = 0;
}

/* W8 */
Test(wheel_irq, never_wait_for_more_than_one_entry)
{
	arm_all(UNIT_TIMERS, DAY + 100);
	run_to(DAY - 1);
	moved_with_irqs_off = 0;
	most_moved = 0;
	jif_trace = note_move;
	run_under(forget_moves, 2 * DAY);
	cr_assert_eq(nfired, UNIT_TIMERS);
	cr_assert_eq(most_moved, 1);
}

static void arm_in_cascade(void)
{
	if (moved_with_irqs_off == 15 && !jif_timer_pending(&timers[30]))
		arm(30, 200);
}

/* W5, W6 */
Test(wheel_irq, may_arm_while_entries_cascade_for_a_tick_that_those_share,
     .disabled = CONFIG_JIF_SPREAD)
{
	arm_all(30, 200);
	run_to(179);
	moved_with_irqs_off = 0;
	jif_trace = note_move;
	run_under(arm_in_cascade, 180);
	cr_expect_eq(moved_with_irqs_off, 30);
	cr_assert(jif_timer_pending(&timers[30]));
	run_to(200);
	cr_assert_eq(nfired, 31);
	for (unsigned i = 0; i < nfired; i++) {
		cr_expect_eq(fired[i].timer, i);
		cr_expect_eq(fired[i].after, 200);
	}
}
