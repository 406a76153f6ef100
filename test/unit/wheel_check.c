/* SPDX-License-Identifier: MIT */
/*
 * test/unit/wheel_check.c - each invariant, once broken, is found
 *
 * The suite reaches into the wheel and breaks it by hand.
 */
#include <criterion/criterion.h>

#include "unit.h"

TestSuite(wheel_check, .init = unit_init);

#define BIT(slot)  ((jif_word_t)1 << (slot) % JIF_WORD_BITS)
#define WORD(slot) ((slot) / JIF_WORD_BITS)

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

Test(wheel_check, w1_hand_outside_its_ring)
{
	enum { TURNS = CONFIG_JIF_SPREAD ? 2 : 1 };
	static const unsigned tuned[] = {
		128 + 60,
		192 + 24 * 2,
		256 + 14 * 4,
	};
	static const unsigned plain[] = {
		1 + TURNS * (60 + 60),
		1 + TURNS * (60 + 60 + 24),
		1 + TURNS * (60 + 60 + 24) + 14,
	};
	const unsigned *ends = CONFIG_JIF_HOST ? tuned : plain;

	for (unsigned i = 0; i < 3; i++) {
		unit_init();
		wheel.hand[i] = (jif_number_t)ends[i];
		cr_expect_eq(check(), 1, "level %u", i + 1);
	}
	unit_init();
	wheel.at[0] += 60;
	cr_expect_eq(check(), 1, "sixty seconds");
}

Test(wheel_check, w1_hand_that_did_not_move_when_the_lower_ones_say)
{
	for (unsigned level = 1; level < 4; level++) {
		unit_init();
		run_to(100000);
		wheel.at[level]++;
		cr_expect_eq(check(), 1, "level %u", level);
	}
}

Test(wheel_check, w2_entry_that_thinks_it_is_elsewhere)
{
	arm_some();
	timers[1].where++;
	cr_assert_eq(check(), 2);
}

Test(wheel_check, w2_broken_link)
{
	arm_some();
	timers[1].prev = &timers[1];
	cr_assert_eq(check(), 2);
}

Test(wheel_check, w2_link_to_nowhere)
{
	arm_some();
	timers[1].next = NULL;
	cr_assert_eq(check(), 2);
}

Test(wheel_check, w2_idle_entry_in_a_list)
{
	arm(0, 5);
	timers[0].where = JIF_TIMER_IDLE;
	cr_assert_eq(check(), 2);
}

Test(wheel_check, w2_bit_without_entries)
{
	arm_some();
	wheel.occupied[WORD(130)] |= BIT(130);
	cr_assert_eq(check(), 2);
}

Test(wheel_check, w2_entries_without_bit)
{
	/* Second 5: behind the bucket, or in the second word of the map. */
	const unsigned five = CONFIG_JIF_HOST ? 64 + 5 : 1 + 5;

	arm_some();
	wheel.occupied[WORD(five)] &= ~BIT(five);
	cr_assert_eq(check(), 2);
}

Test(wheel_check, w1_hand_on_another_list_than_the_first,
     .disabled = !CONFIG_JIF_HOST)
{
	for (unsigned i = 1; i < 3; i++) {
		unit_init();
		wheel.hand[i]++;
		cr_expect_eq(check(), 1, "level %u", i + 1);
	}
}

Test(wheel_check, w2_bucket_of_another_slot)
{
	for (unsigned i = 0; i < 3; i++)
		arm(i, 50);
	jif_wheel_run_budget(&wheel, at(50), 1);
	wheel.taken++;
	cr_assert_eq(check(), 2);
}

Test(wheel_check, w3_remaining_value_beyond_any_delay)
{
	arm_some();
	timers[3].remaining = LONGEST;
	cr_assert_eq(check(), 3);
}

Test(wheel_check, w4_entry_in_the_second_slot_under_the_hand)
{
	arm(0, 5);
	run_to(4);
	wheel.at[0]++;
	cr_assert_eq(check(), 4);
}

Test(wheel_check, w7_stop_after_the_first_expiry)
{
	arm(0, 5);
	wheel.stop = 6;
	cr_assert_eq(check(), 7);
}

Test(wheel_check, w7_stop_past_the_end_of_the_minute)
{
	wheel.stop = 61;
	cr_assert_eq(check(), 7);
}
