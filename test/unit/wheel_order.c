/* SPDX-License-Identifier: MIT */
/* Timers of one tick run in arming order */
#include <criterion/criterion.h>

#include "unit.h"

TestSuite(wheel_order, .init = unit_init, .fini = unit_fini);

/* W5 */
Test(wheel_order, same_tick_fires_in_arming_order)
{
	arm(0, 5000); /* sits with the hours */
	run_to(1500);
	arm(1, 5000); /* sits with the minutes */
	run_to(4990);
	arm(2, 5000); /* sits with the seconds */
	run_to(5000);
	expect_order(3);
}

/* W5 */
Test(wheel_order, a_whole_slot_keeps_its_order_on_every_level)
{
	static const uint32_t deadline[] = { 90, 5000, 100000, 700000 };

	for (unsigned k = 0; k < 4; k++) {
		unit_init();
		arm_all(20, deadline[k]);
		run_to(deadline[k]);
		expect_order(20);
	}
}

/* W5 */
Test(wheel_order, reduce_that_changes_nothing_keeps_the_place)
{
	arm(0, 30);
	arm(1, 30);
	cr_assert(jif_timer_reduce(&wheel, &timers[0], at(30)));
	cr_assert(jif_timer_reduce(&wheel, &timers[0], at(50)));
	run_to(30);
	expect_order(2);
}

/* W5 */
Test(wheel_order, armed_for_the_past_goes_behind_what_waits_for_the_next_tick)
{
	arm(0, 1);
	arm(1, 0);
	arm(2, (uint32_t)-5);
	run_to(1);
	expect_order(3);
}

static void arm_next(unsigned timer)
{
	if (timer == 0)
		arm(2, now());
}

/* W5 */
Test(wheel_order, armed_in_a_callback_for_this_tick_runs_in_the_next)
{
	unit_callback = arm_next;
	arm(0, 10);
	arm(1, 10);
	arm(3, 11);
	run_to(11);
	/* Timer 3 was armed for tick 11 before. */
	expect_fired(4, { 0, 10 }, { 1, 10 }, { 3, 11 }, { 2, 11 });
}

static struct {
	unsigned skip;
	uint32_t after;
	bool done;
} interrupt;

/* An interrupt, some windows from now, arms timer 20. */
static void arm_in_window(void)
{
	if (interrupt.done || interrupt.skip--)
		return;
	interrupt.done = true;
	cr_assert_eq(jif_timer_add(&wheel, &timers[20], at(interrupt.after)),
		     0);
}

static void interrupt_after(unsigned skip, uint32_t after)
{
	interrupt.skip = skip;
	interrupt.after = after;
	interrupt.done = false;
	unit_window = arm_in_window;
}

/* W5 */
Test(wheel_order, an_interrupt_in_the_midnight_cascade_does_not_overtake,
     .disabled = CONFIG_JIF_SPREAD)
{
	/* 20 entries go from days to hours to minutes to seconds. */
	for (unsigned skip = 0; skip < 60; skip++) {
		unit_init();
		arm_all(20, 2 * DAY + 30);
		run_to(2 * DAY - 1);
		interrupt_after(skip, 2 * DAY + 30);
		run_to(2 * DAY);
		cr_assert(interrupt.done);
		run_to(2 * DAY + 30);
		expect_order(21);
	}
}
