/* SPDX-License-Identifier: MIT */
/*
 * test/unit/wheel_tuned.c - several lists in a slot, and timers that are alone
 *
 * With CONFIG_JIF_HOST a slot of hours has 2 lists and one of days 4: a timer
 * is on the list that its expiry says. One that is alone before any other slot
 * is reached goes to its tick in one step, and not from level to level.
 */
#include <criterion/criterion.h>

#include "unit.h"

TestSuite(wheel_tuned, .init = unit_init, .fini = unit_fini,
	  .disabled = !CONFIG_JIF_HOST);

static uint32_t next(void)
{
	uint32_t when;

	cr_assert(jif_wheel_next(&wheel, &when));
	return when - START;
}

static uint32_t next_expiry(void)
{
	uint32_t when;

	cr_assert(jif_wheel_next_expiry(&wheel, &when));
	return when - START;
}

static void expect_fired(unsigned place, unsigned timer, uint32_t after)
{
	cr_assert_lt(place, nfired);
	cr_expect_eq(fired[place].timer, timer, "at place %u: timer %u", place,
		     fired[place].timer);
	cr_expect_eq(fired[place].after, after, "timer %u at %u", timer,
		     fired[place].after);
}

/* Four neighbouring ticks of one slot, so all of its lists, armed in turn. */
static void arm_on_all_lists(uint32_t deadline, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		arm(i, deadline + i % 4);
}

/* Timers 0, 4, 8, ... come first, then 1, 5, 9, ..., and so on. */
static void expect_all_lists_in_order(uint32_t deadline, unsigned n)
{
	cr_assert_eq(nfired, n);
	for (unsigned i = 0; i < n; i++)
		expect_fired(i / 4 + i % 4 * (n / 4), i, deadline + i % 4);
}

static const uint32_t deadlines[] = { 5000, 80000, 100000, 600000, 2000000 };

#define DEADLINES (sizeof(deadlines) / sizeof(deadlines[0]))

Test(wheel_tuned, all_lists_of_a_slot_keep_the_order_of_each_tick)
{
	for (unsigned k = 0; k < DEADLINES; k++) {
		unit_init();
		arm_on_all_lists(deadlines[k], 40);
		run_to(deadlines[k] + 4);
		expect_all_lists_in_order(deadlines[k], 40);
	}
}

Test(wheel_tuned, what_is_armed_later_on_lower_levels_comes_behind)
{
	/* By the days, the hours, the minutes and the seconds. */
	for (unsigned list = 0; list < 4; list++) {
		uint32_t deadline = 2 * DAY + list;

		unit_init();
		arm(0, deadline);
		arm(10, deadline + 1);
		run_to(2 * DAY - 2 * HOUR);
		arm(1, deadline);
		arm(11, deadline + 1);
		run_to(2 * DAY - 2 * MINUTE);
		arm(2, deadline);
		run_to(2 * DAY - 2);
		arm(3, deadline);
		run_to(3 * DAY);
		cr_assert_eq(nfired, 6);
		for (unsigned i = 0; i < 4; i++)
			expect_fired(i, i, deadline);
		expect_fired(4, 10, deadline + 1);
		expect_fired(5, 11, deadline + 1);
	}
}

static struct {
	unsigned skip;
	uint32_t after;
	bool done;
} interrupt;

static void arm_in_window(void)
{
	if (interrupt.done || interrupt.skip--)
		return;
	interrupt.done = true;
	arm(60, interrupt.after);
}

static void interrupt_after(unsigned skip, uint32_t after)
{
	interrupt.skip = skip;
	interrupt.after = after;
	interrupt.done = false;
	unit_window = arm_in_window;
}

Test(wheel_tuned, an_interrupt_in_a_cascade_of_all_lists_does_not_overtake)
{
	const uint32_t deadline = 2 * DAY + 30;

	/* 16 entries on 4 lists, three levels down. */
	for (unsigned skip = 0; skip < 48; skip++) {
		unit_init();
		arm_on_all_lists(deadline, 16);
		run_to(2 * DAY - 1);
		interrupt_after(skip, deadline + skip % 4);
		run_to(2 * DAY);
		cr_assert(interrupt.done);
		unit_window = NULL;
		run_to(deadline + 4);
		cr_assert_eq(nfired, 17);
		cr_expect_eq(fired[skip % 4 * 4 + 4].timer, 60,
			     "behind the four of its tick");
	}
}

static unsigned windows;

static void check_in_window(void)
{
	windows++;
	cr_expect_eq(jif_wheel_check(&wheel), 0, "in window %u", windows);
}

Test(wheel_tuned, is_consistent_between_any_two_entries)
{
	windows = 0;
	arm_on_all_lists(3 * DAY + 7000, 40);
	arm(40, 3 * DAY);
	arm(41, 3 * DAY + 1);
	unit_window = check_in_window;
	run_to(4 * DAY);
	unit_window = NULL;
	cr_assert_eq(nfired, 42);
	cr_assert_geq(windows, 3 * 40);
}

/* Each budgeted call ends with some lists of the bucket empty, some not. */
Test(wheel_tuned, a_budget_ends_within_a_cascade_of_all_lists)
{
	for (unsigned max = 1; max < 18; max++) {
		unsigned calls = 1;

		unit_init();
		arm_on_all_lists(2 * DAY, 16);
		run_to(2 * DAY - 1);
		while (!jif_wheel_run_budget(&wheel, at(2 * DAY + 3), max)) {
			cr_assert_eq(jif_wheel_check(&wheel), 0);
			cr_assert_not(jif_wheel_empty(&wheel));
			cr_expect_eq(next(), now(), "there is work left");
			cr_expect_eq(next_expiry(),
				     nfired < 4 ? 2 * DAY :
						  2 * DAY + nfired / 4);
			calls++;
		}
		expect_all_lists_in_order(2 * DAY, 16);
		/* To hours, to minutes, to seconds, and a callback each. */
		cr_assert_eq(calls, (16 * 4 + max - 1) / max);
	}
}

Test(wheel_tuned, what_is_left_in_the_bucket_may_go_from_any_list)
{
	for (unsigned max = 0; max < 16; max++) {
		for (unsigned i = 0; i < 16; i++) {
			unit_init();
			arm_on_all_lists(2 * DAY + 100, 16);
			jif_wheel_run_budget(&wheel, at(2 * DAY), max);
			cr_assert(jif_timer_del(&wheel, &timers[i]));
			cr_assert_eq(jif_wheel_check(&wheel), 0);
			cr_assert(jif_timer_mod(&wheel, &timers[(i + 1) % 16],
						at(2 * DAY + 50)));
			jif_timer_postpone(&wheel, &timers[(i + 2) % 16],
					   at(2 * DAY + 5000));
			cr_assert_eq(jif_wheel_check(&wheel), 0);
			cr_assert_eq(run_to(2 * DAY + 49), 0);
			cr_assert_eq(run_to(2 * DAY + 50), 1);
			cr_assert_eq(run_to(2 * DAY + 4999), 13);
			cr_assert_eq(run_to(2 * DAY + 5000), 1);
		}
	}
}

Test(wheel_tuned, all_that_is_left_in_the_bucket_may_be_deleted)
{
	for (unsigned max = 0; max < 16; max++) {
		unit_init();
		arm_on_all_lists(2 * DAY, 16);
		cr_assert_not(jif_wheel_run_budget(&wheel, at(2 * DAY), max));
		for (unsigned i = 0; i < 16; i++)
			cr_assert(jif_timer_del(&wheel, &timers[i]));
		cr_assert(jif_wheel_empty(&wheel));
		cr_assert(jif_wheel_run_budget(&wheel, at(2 * DAY), 1));
		arm(0, 2 * DAY + 5000);
		cr_assert_eq(run_to(3 * DAY), 1);
		expect_fired(0, 0, 2 * DAY + 5000);
	}
}

static unsigned taken[UNIT_TIMERS];
static unsigned ntaken;

static void take(struct jif_timer *timer)
{
	taken[ntaken++] = (unsigned)(timer - timers);
}

static void expect_drain_in_order(unsigned n)
{
	ntaken = 0;
	cr_assert_eq(jif_wheel_drain(&wheel, take), n);
	cr_assert(jif_wheel_empty(&wheel));
	for (unsigned i = 0; i < n; i++)
		cr_expect_eq(taken[i / 4 + i % 4 * (n / 4)], i);
}

Test(wheel_tuned, a_drain_takes_all_lists_in_order)
{
	for (unsigned k = 0; k < DEADLINES; k++) {
		unit_init();
		arm_on_all_lists(deadlines[k], 32);
		expect_drain_in_order(32);
	}
}

Test(wheel_tuned, a_drain_takes_what_a_budget_left_in_order)
{
	for (unsigned max = 0; max < 48; max++) {
		unit_init();
		arm_on_all_lists(2 * DAY + 100, 16);
		jif_wheel_run_budget(&wheel, at(2 * DAY), max);
		expect_drain_in_order(16);
		arm(0, 2 * DAY + 5);
		cr_assert_eq(run_to(3 * DAY), 1);
		expect_fired(0, 0, 2 * DAY + 5);
	}
}

static unsigned seen[UNIT_TIMERS];

/* 2 days and 100 to 103 ticks: in the slot of the day, with what is left. */
static int see(void *arg, const struct jif_timer *timer, unsigned level,
	       unsigned slot, uint32_t remaining)
{
	unsigned i = (unsigned)(timer - timers);

	(void)arg;
	seen[i]++;
	if (level == 3)
		cr_expect(slot == 2 && remaining == 100 + i % 4);
	else
		cr_expect(level == 2 && slot == 0 && remaining == 100 + i % 4);
	return 0;
}

Test(wheel_tuned, a_walk_sees_all_lists_and_their_one_slot)
{
	for (unsigned max = 0; max < 16; max++) {
		unit_init();
		for (unsigned i = 0; i < 16; i++)
			seen[i] = 0;
		arm_on_all_lists(2 * DAY + 100, 16);
		cr_assert_eq(jif_wheel_walk(&wheel, see, NULL), 0);
		jif_wheel_run_budget(&wheel, at(2 * DAY), max);
		cr_assert_eq(jif_wheel_walk(&wheel, see, NULL), 0);
		for (unsigned i = 0; i < 16; i++)
			cr_expect_eq(seen[i], 2);
	}
}

Test(wheel_tuned, next_looks_at_all_lists)
{
	for (unsigned i = 0; i < 4; i++) {
		unit_init();
		arm(i, 2 * DAY + 7000 + i);
		cr_expect_eq(next(), 2 * DAY);
		cr_expect_eq(next_expiry(), 2 * DAY + 7000 + i);
		arm(4 + i, 2 * DAY + 6001 - i);
		cr_expect_eq(next_expiry(), 2 * DAY + 6001 - i);
	}
}

/* Where one goes that is armed on each level, due at 4 d 23:59:30. */
static const struct unit_place far_ones[] = {
	{ -1, 3, 4, 86370 },
	{ 3, 0, 30, 0 },
};

Test(wheel_tuned, one_that_is_alone_goes_to_its_tick_in_one_step)
{
	const uint32_t deadline = 5 * DAY - 30;

	arm(0, deadline);
	cr_assert_eq(run_to(deadline), 1);
	expect_fired(0, 0, deadline);
	cr_assert_eq(nplaces, 2);
	for (unsigned i = 0; i < 2; i++) {
		cr_expect_eq(places[i].from, far_ones[i].from);
		cr_expect_eq(places[i].level, far_ones[i].level);
		cr_expect_eq(places[i].slot, far_ones[i].slot);
		cr_expect_eq(places[i].remaining, far_ones[i].remaining);
	}
}

Test(wheel_tuned, one_that_is_far_is_alone_for_weeks)
{
	arm(0, 3 * WEEK + 12345);
	cr_assert_eq(run_to(LONGEST), 1);
	expect_fired(0, 0, 3 * WEEK + 12345);
	cr_assert_eq(nplaces, 2);
}

Test(wheel_tuned, two_in_a_slot_are_not_alone)
{
	arm(0, 5 * DAY - 30);
	arm(1, 5 * DAY - 30);
	cr_assert_eq(run_to(5 * DAY), 2);
	cr_assert_eq(nplaces, 4, "hours, minutes and seconds, one by one");
	expect_fired(0, 0, 5 * DAY - 30);
	expect_fired(1, 1, 5 * DAY - 30);
}

Test(wheel_tuned, two_on_lists_of_one_slot_are_not_alone_before_the_first)
{
	arm(0, 5 * DAY - 30);
	arm(1, 5 * DAY - 31);
	cr_assert_eq(run_to(5 * DAY), 2);
	cr_assert_eq(nplaces, 4);
	expect_fired(0, 1, 5 * DAY - 31);
	expect_fired(1, 0, 5 * DAY - 30);
}

Test(wheel_tuned, another_slot_reached_in_its_tick_or_before_comes_first)
{
	/* Hour 1 has one; the slot of its tick has another, or that before. */
	static const uint32_t others[] = { 3 * HOUR, 3 * HOUR - MINUTE,
					   3 * HOUR + 1, 3 * HOUR - 1 };

	for (unsigned i = 0; i < 4; i++) {
		unit_init();
		arm(0, 3 * HOUR);
		run_to(HOUR + 5);
		arm(1, others[i]);
		run_to(4 * HOUR);
		cr_assert_eq(nfired, 2);
		expect_fired(others[i] < 3 * HOUR, 0, 3 * HOUR);
		expect_fired(others[i] >= 3 * HOUR, 1, others[i]);
	}
}

Test(wheel_tuned, a_run_that_ends_before_its_tick_leaves_it_exact)
{
	const uint32_t deadline = 2 * DAY + 7384;

	for (uint32_t t = 1; t < deadline; t += 997) {
		unit_init();
		arm(0, deadline);
		cr_assert_eq(next_expiry(), deadline);
		cr_assert_eq(run_to(t), 0);
		cr_assert_eq(jif_timer_expires(&wheel, &timers[0]),
			     at(deadline));
		cr_assert_eq(jif_wheel_check(&wheel), 0);
		cr_assert_eq(run_to(deadline - 1), 0);
		cr_assert_eq(run_to(3 * DAY), 1);
		expect_fired(0, 0, deadline);
	}
}

Test(wheel_tuned, a_budget_of_none_takes_it_to_its_tick_and_leaves_it_there)
{
	arm(0, 2 * DAY + 7384);
	cr_assert_not(jif_wheel_run_budget(&wheel, at(3 * DAY), 0));
	cr_assert_eq(now(), 2 * DAY + 7384);
	cr_assert_eq(next(), now());
	cr_assert_eq(next_expiry(), now());
	cr_assert_not(jif_wheel_empty(&wheel));
	cr_assert_eq(jif_wheel_check(&wheel), 0);
	cr_assert(jif_timer_mod(&wheel, &timers[0], at(3 * DAY)));
	cr_assert_eq(run_to(3 * DAY), 1);
	expect_fired(0, 0, 3 * DAY);
}

/* The number of the list of the timer that is known to be the next one. */
#if CONFIG_JIF_HOST
static void expect_known(size_t list)
{
	cr_assert_eq(wheel.lone, list);
}
#else
static void expect_known(size_t list)
{
	(void)list;
}
#endif

/* The exact next expiry is known; then something happens to it. */
static void know(uint32_t deadline)
{
	unit_init();
	arm(0, deadline);
	cr_assert_eq(next_expiry(), deadline);
	expect_known(deadline < DAY ? 192 + 2 * (deadline / HOUR) :
				      256 + 4 * (deadline / DAY));
}

static const uint32_t known[] = { 2 * HOUR, 2 * DAY };

Test(wheel_tuned, a_known_one_goes_to_its_tick_in_one_step)
{
	for (unsigned k = 0; k < 2; k++) {
		know(known[k]);
		cr_assert_eq(run_to(known[k]), 1);
		cr_assert_eq(nplaces, 2);
		expect_fired(0, 0, known[k]);
	}
}

Test(wheel_tuned, a_known_one_may_be_postponed)
{
	static const uint32_t later[] = { 1, 60, HOUR, DAY, 3 * WEEK };

	for (unsigned k = 0; k < 2; k++) {
		for (unsigned i = 0; i < 5; i++) {
			uint32_t deadline = known[k] + later[i];

			know(known[k]);
			jif_timer_postpone(&wheel, &timers[0], at(deadline));
			cr_assert_eq(run_to(deadline - 1), 0);
			cr_assert_eq(run_to(deadline), 1);
			know(known[k]);
			jif_timer_postpone(&wheel, &timers[0], at(deadline));
			cr_assert_eq(next_expiry(), deadline);
			cr_assert_eq(run_to(deadline + DAY), 1);
			expect_fired(0, 0, deadline);
		}
	}
}

Test(wheel_tuned, a_known_one_may_be_deleted_moved_and_armed_again)
{
	for (unsigned k = 0; k < 2; k++) {
		know(known[k]);
		cr_assert(jif_timer_del(&wheel, &timers[0]));
		cr_assert_eq(run_to(known[k] + DAY), 0);
		cr_assert(jif_wheel_empty(&wheel));
		know(known[k]);
		cr_assert(jif_timer_del(&wheel, &timers[0]));
		arm(1, known[k] + 20);
		cr_assert_eq(run_to(known[k] + 19), 0);
		cr_assert_eq(run_to(known[k] + DAY), 1);
		expect_fired(0, 1, known[k] + 20);
		know(known[k]);
		jif_timer_mod(&wheel, &timers[0], at(known[k] + 20));
		cr_assert_eq(run_to(known[k] + 19), 0);
		cr_assert_eq(run_to(known[k] + DAY), 1);
		know(known[k]);
		jif_timer_reduce(&wheel, &timers[0], at(known[k] - 20));
		cr_assert_eq(run_to(known[k] + DAY), 1);
		expect_fired(0, 0, known[k] - 20);
	}
}

/* On the same list, on another one of the slot, and in other slots. */
static const uint32_t sooner[] = { 4, 3, 1, 60, 61, 3600, 3601, 7199 };

Test(wheel_tuned, a_known_one_may_be_joined_by_a_sooner_one)
{
	for (unsigned i = 0; i < 8; i++) {
		know(2 * DAY + 7200);
		arm(1, 2 * DAY + 7200 - sooner[i]);
		cr_assert_eq(run_to(3 * DAY), 2);
		expect_fired(0, 1, 2 * DAY + 7200 - sooner[i]);
		expect_fired(1, 0, 2 * DAY + 7200);
		know(2 * DAY + 7200);
		arm(1, 2 * DAY + 7200);
		arm(2, 2 * DAY + 7200 - sooner[i]);
		jif_timer_del(&wheel, &timers[0]);
		cr_assert_eq(run_to(3 * DAY), 2);
		expect_fired(0, 2, 2 * DAY + 7200 - sooner[i]);
		expect_fired(1, 1, 2 * DAY + 7200);
	}
}

Test(wheel_tuned, a_known_one_may_be_joined_by_one_that_takes_its_place)
{
	for (unsigned i = 0; i < 8; i++) {
		know(2 * DAY + 7200);
		arm(1, 2 * DAY + 7200 + sooner[i]);
		jif_timer_del(&wheel, &timers[0]);
		cr_assert_eq(run_to(3 * DAY), 1);
		expect_fired(0, 1, 2 * DAY + 7200 + sooner[i]);
	}
}

Test(wheel_tuned, a_known_one_is_not_sooner_than_one_reached_in_its_tick)
{
	for (uint32_t more = 0; more < 3; more++) {
		unit_init();
		arm(0, 3 * HOUR);
		run_to(HOUR + 5);
		arm(1, 3 * HOUR + more); /* hour 3, which is the tick of both */
		cr_assert_eq(next_expiry(), 3 * HOUR);
		cr_assert_eq(run_to(4 * HOUR), 2);
		expect_fired(0, 0, 3 * HOUR);
		expect_fired(1, 1, 3 * HOUR + more);
	}
}

static unsigned skip;
static void (*act)(void);

static void act_in_window(void)
{
	if (act && !skip--) {
		act();
		act = NULL;
	}
}

static void arm_sooner(void)
{
	arm(1, 2 * DAY + 5000);
}

static void arm_in_another_slot(void)
{
	arm(1, 5000);
}

static void postpone(void)
{
	jif_timer_postpone(&wheel, &timers[0], at(2 * DAY + 90000));
}

static void delete (void)
{
	jif_timer_del(&wheel, &timers[0]);
}

static void arm_anew(void)
{
	jif_timer_mod(&wheel, &timers[0], at(9000));
}

static void take_its_place(void)
{
	jif_timer_del(&wheel, &timers[0]);
	arm(1, 2 * DAY + 7200 + 4);
}

Test(wheel_tuned, an_interrupt_in_the_search_does_not_make_it_known_wrongly)
{
	static const struct {
		void (*act)(void);
		unsigned ran;
		uint32_t first;
		uint32_t last;
	} rows[] = {
		{ arm_sooner, 2, 2 * DAY + 5000, 2 * DAY + 7200 },
		{ arm_in_another_slot, 2, 5000, 2 * DAY + 7200 },
		{ postpone, 1, 2 * DAY + 90000, 2 * DAY + 90000 },
		{ delete, 0, 0, 0 },
		{ arm_anew, 1, 9000, 9000 },
		{ take_its_place, 1, 2 * DAY + 7204, 2 * DAY + 7204 },
	};
	uint32_t when;

	for (unsigned row = 0; row < 6; row++) {
		for (unsigned n = 0;; n++) {
			unit_init();
			arm(0, 2 * DAY + 7200);
			skip = n;
			act = rows[row].act;
			unit_window = act_in_window;
			jif_wheel_next_expiry(&wheel, &when);
			unit_window = NULL;
			if (act)
				break;
			cr_assert_eq(run_to(4 * DAY), rows[row].ran,
				     "row %u, window %u", row, n);
			cr_assert_eq(jif_wheel_check(&wheel), 0);
			if (!rows[row].ran)
				continue;
			cr_expect_eq(fired[0].after, rows[row].first);
			cr_expect_eq(fired[nfired - 1].after, rows[row].last);
		}
		cr_assert_eq(skip, 0, "there was a window too few");
	}
}

static uint32_t asked;

static void ask(unsigned timer)
{
	uint32_t when;

	if (timer == 0 && jif_wheel_next_expiry(&wheel, &when))
		asked = when - START;
}

Test(wheel_tuned, what_a_callback_asks_is_right_and_holds)
{
	unit_callback = ask;
	arm(0, 100);
	arm(1, 2 * DAY + 7200);
	arm(2, 100);
	cr_assert_eq(run_to(100), 2);
	cr_assert_eq(asked, 100, "timer 2 is still to run");
	jif_timer_mod(&wheel, &timers[0], at(200));
	run_to(200);
	cr_assert_eq(asked, 2 * DAY + 7200);
	arm(3, 300);
	cr_assert_eq(run_to(3 * DAY), 2);
	expect_fired(3, 3, 300);
	expect_fired(4, 1, 2 * DAY + 7200);
}

/* A sparse wheel, asked and run again and again: each one on its tick. */
Test(wheel_tuned, a_sleeper_meets_each_one_on_its_tick)
{
	static const uint32_t when[] = { 3599,	 3600,	 7261,	  86399,
					 86400,	 86461,	 172800,  604799,
					 604801, 900000, 1209600, 5000000 };
	uint32_t stop;

	for (unsigned i = 0; i < 12; i++)
		arm(i, when[i]);
	for (unsigned i = 0; jif_wheel_next_expiry(&wheel, &stop); i++) {
		cr_assert_eq(stop, at(when[i]));
		cr_assert_eq(jif_wheel_run(&wheel, stop), 1);
		expect_fired(i, i, when[i]);
	}
	cr_assert_eq(nfired, 12);
}
