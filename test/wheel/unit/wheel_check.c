/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/unit/wheel_check.c - each invariant, once broken, is found
 *
 * The suite breaks the wheel by hand: see damage.h.
 */
#include "damage.h"
#include "unit.h"

TestSuite(wheel_check, .init = unit_init);

static int check(void)
{
	return jif_wheel_check(&wheel);
}

static void arm_some(void)
{
	static const uint32_t when[] = { 5,	 5,	5,	70,
					 70,	 4000,	4000,	90000,
					 700000, 90000, 2000000 };

	for (unsigned i = 0; i < 11; i++)
		arm(i, when[i]);
	cr_assert_eq(check(), 0);
}

Test(wheel_check, accepts_an_empty_and_a_full_wheel)
{
	cr_assert_eq(check(), 0);
	arm_some();
	run_to(12345);
	cr_assert_eq(check(), 0);
}

Test(wheel_check, accepts_a_paused_cascade)
{
	for (unsigned i = 0; i < 20; i++)
		arm(i, DAY + i);
	while (!jif_wheel_run_budget(&wheel, at(DAY), 1))
		cr_assert_eq(check(), 0);
	cr_assert_eq(check(), 0);
}

Test(wheel_check, accepts_a_postponed_timer)
{
	arm(0, 20);
	jif_timer_postpone(&wheel, &timers[0], at(5000000));
	cr_assert_eq(check(), 0);
}

/* What waits under a hand for it to come round, while a tick is not over. */
Test(wheel_check, accepts_a_paused_tick)
{
	run_to(30);
	arm(0, HOUR + 10);
	arm(1, 40);
	arm(2, 40);
	cr_assert_not(jif_wheel_run_budget(&wheel, at(40), 1));
	cr_assert_eq(check(), 0);
}

Test(wheel_check, accepts_the_longest_delay_and_no_longer_one)
{
	arm(0, LONGEST);
	cr_assert_eq(check(), 0);
	add_remaining(&timers[0], 1);
	cr_assert_eq(check(), 3);
}

Test(wheel_check, w2_timer_that_was_overwritten)
{
	arm(0, 40);
	take_function(&timers[0]);
	cr_expect_eq(check(), 2, "its function");
	unit_init();
	arm(0, 40);
	set_prev(&timers[0], NULL);
	cr_expect_eq(check(), 2, "a link");
	unit_init();
}

Test(wheel_check, w1_hand_outside_its_ring)
{
	enum { TURNS = CONFIG_JIF_SPREAD ? 2 : 1 };
	static const unsigned slots[] = {
		TURNS * 60, TURNS * 60, TURNS * 24, TURNS * 7, TURNS + 1,
	};

	for (unsigned level = 0; level < 5; level++) {
		unit_init();
		turn_hand(&wheel, level, (int)slots[level]);
		cr_expect_eq(check(), 1, "level %u", level);
		unit_init();
		turn_hand(&wheel, level, -1);
		cr_expect_eq(check(), 1, "level %u", level);
	}
}

Test(wheel_check, w1_more_levels_due_than_there_are)
{
	set_levels_due(&wheel, 6);
	cr_assert_eq(check(), 1);
}

/* Three timers wait for 5, of which 1 is in the middle; timer 20 is idle. */
static const struct broken {
	const char *how;
	void (*lead)(struct jif_timer *timer, struct jif_timer *to);
	struct jif_timer *timer;
	struct jif_timer *to;
} links[] = {
	{ "back to itself", set_prev, &timers[1], &timers[1] },
	{ "to nowhere", set_next, &timers[1], NULL },
	{ "back past another entry", set_prev, &timers[2], &timers[0] },
	{ "back to one that was taken off", set_prev, &timers[2], &timers[20] },
	{ "the last one back to nowhere", set_prev, &timers[2], NULL },
};

Test(wheel_check, w2_link)
{
	for (unsigned i = 0; i < sizeof(links) / sizeof(*links); i++) {
		unit_init();
		arm_some();
		set_next(&timers[20], &timers[2]);
		links[i].lead(links[i].timer, links[i].to);
		cr_expect_eq(check(), 2, "%s", links[i].how);
	}
}

Test(wheel_check, w2_place)
{
	arm_some();
	set_slot(&timers[1], slot_of(&timers[1]) + 1);
	cr_expect_eq(check(), 2, "in another slot");
	set_slot(&timers[1], JIF_TIMER_IDLE);
	cr_expect_eq(check(), 2, "idle");
}

Test(wheel_check, w2_entry_alone_that_leads_nowhere)
{
	arm(0, 5);
	set_prev(&timers[0], NULL);
	cr_assert_eq(check(), 2);
	set_prev(&timers[0], &timers[0]);
	cr_assert_eq(check(), 0);
	set_next(&timers[0], NULL);
	cr_assert_eq(check(), 2);
}

Test(wheel_check, w2_bit)
{
	arm_some();
	flip_bit(&wheel, 130);
	cr_expect_eq(check(), 2, "without entries");
	flip_bit(&wheel, 130);
	flip_bit(&wheel, 1 + 5);
	cr_expect_eq(check(), 2, "entries without it");
}

Test(wheel_check, w4_timer_under_a_hand_that_has_just_moved)
{
	arm(0, 5);
	turn_hand(&wheel, 0, 5);
	move_tick(&wheel, 0, 5);
	cr_expect_eq(check(), 4);
}

Test(wheel_check, w3_remaining_value_beyond_any_delay)
{
	arm_some();
	set_remaining(&timers[3], LONGEST);
	cr_assert_eq(check(), 3);
}

/* By the hand it is due now, by the engine when that has come round. */
Test(wheel_check, w3_visit_that_is_not_the_expiry)
{
	run_to(30);
	arm(0, HOUR + 10);
	cr_assert_eq(check(), 0);
	set_levels_due(&wheel, 2);
	cr_assert_eq(check(), CONFIG_JIF_SPREAD ? 0 : 3);
}

Test(wheel_check, w4_entry_under_a_higher_hand_that_has_just_moved)
{
	arm(0, 200);
	turn_hand(&wheel, 1, 3);
	if (CONFIG_JIF_SPREAD)
		turn_hand(&wheel, 0, 60);
	move_tick(&wheel, 0, 180);
	move_tick(&wheel, 1, 180);
	cr_assert_eq(check(), 4);
	if (!CONFIG_JIF_SPREAD)
		return;
	turn_hand(&wheel, 0, 5);
	move_tick(&wheel, 0, 5);
	cr_assert_eq(check(), 4);
}

Test(wheel_check, w1_hand_in_the_other_turn, .disabled = !CONFIG_JIF_SPREAD)
{
	static const unsigned slots[] = { 60, 60, 24, 7 };

	for (unsigned level = 0; level < 4; level++) {
		unit_init();
		turn_hand(&wheel, level, (int)slots[level]);
		cr_assert_eq(check(), 1);
	}
}

Test(wheel_check, w1_hand_that_moved_at_another_tick)
{
	run_to(MINUTE + 5);
	move_tick(&wheel, 1, 1);
	cr_assert_eq(check(), 1);
}

/* As if it had been postponed, but it was not. */
Test(wheel_check, w9_more_left_than_a_slot_is_worth)
{
	arm(0, 200);
	add_remaining(&timers[0], 40);
	cr_assert_eq(check(), 9);
	say_postponed(&wheel);
	cr_assert_eq(check(), 0);
}

Test(wheel_check, w9_due_beyond_the_span_of_its_level,
     .disabled = CONFIG_JIF_SPREAD)
{
	run_to(30);
	arm(0, HOUR + 20);
	add_remaining(&timers[0], 10);
	cr_assert_eq(check(), 9);
}

Test(wheel_check, w9_due_sooner_than_the_wheel_knows)
{
	arm(0, 3 * WEEK);
	add_remaining(&timers[0], 0u - 1);
	cr_assert_eq(check(), 9);
}

Test(wheel_check, w10_left_on_the_list_of_this_week)
{
	for (unsigned hand = 0; hand <= JIF_WHEEL_TURNS; hand++) {
		unit_init();
		run_to(5);
		turn_hand(&wheel, 4, (int)hand);
		arm(0, 3 * WEEK);
		set_hand(&wheel, 4, slot_of(&timers[0]));
		cr_assert_eq(check(), 10);
	}
}

Test(wheel_check, w7_quiet_beyond_the_first_expiry)
{
	arm(0, 5);
	set_quiet(&wheel, 6);
	cr_assert_eq(check(), 7);
	arm(1, 1);
	set_quiet(&wheel, 2);
	cr_assert_eq(check(), 7);
}

Test(wheel_check, w7_quiet_past_the_end_of_the_minute)
{
	set_quiet(&wheel, 61);
	cr_assert_eq(check(), 7);
	run_to(30);
	set_quiet(&wheel, 60);
	cr_assert_eq(check(), 0);
	set_quiet(&wheel, 61);
	cr_assert_eq(check(), 7);
}
