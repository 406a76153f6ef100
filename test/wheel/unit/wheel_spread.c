/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/unit/wheel_spread.c - a cascade spread over the ticks before it
 *
 * A crowd waits for one deadline. Moves are counted as the trace reports them.
 */
#include "unit.h"

/* The suite compiles without the option, too, and is skipped then. */
#define K     (CONFIG_JIF_SPREAD ? (unsigned)CONFIG_JIF_SPREAD : 1u)
#define CROWD 1000

static struct jif_timer crowd[CROWD];
static uint32_t deadline;
static unsigned ran;

static struct {
	unsigned total;
	unsigned worst;
	unsigned in_tick;
	uint32_t tick;
} moves;

/* Levels that one goes down, armed at 0: with spreading, and without. */
static const struct {
	uint32_t deadline;
	unsigned spread;
	unsigned classic;
} distances[] = {
	{ 1000, 1, 1 },	  /* 16:40 */
	{ 7300, 2, 2 },	  /* 2:01:40 */
	{ 100000, 2, 3 }, /* 3:46:40 tomorrow: the hours span that */
	{ 600000, 3, 3 }, /* 6 days, 22:40:00 */
};

#define DISTANCES (sizeof(distances) / sizeof(distances[0]))

static void count_move(unsigned what, const struct jif_wheel *on,
		       const struct jif_timer *timer, uint32_t value)
{
	if (JIF_TRACE_EVENT(what) != JIF_TRACE_CASCADE)
		return;
	if (now() != moves.tick)
		moves.in_tick = 0;
	moves.tick = now();
	moves.total++;
	if (++moves.in_tick > moves.worst)
		moves.worst = moves.in_tick;
}

static void run_in_order(struct jif_timer *timer)
{
	cr_expect_eq((unsigned)(timer - crowd), ran);
	cr_expect_eq(now(), deadline);
	ran++;
}

/* An empty wheel at midnight, and a crowd that is due at @after START. */
static void gather_for(uint32_t after)
{
	unit_init();
	jif_trace = count_move;
	deadline = after;
	ran = 0;
	moves.total = moves.worst = moves.in_tick = 0;
	moves.tick = now();
	for (unsigned i = 0; i < CROWD; i++)
		jif_timer_init(&crowd[i], run_in_order);
}

static void arm_crowd(unsigned from, unsigned to)
{
	for (unsigned i = from; i < to; i++)
		cr_assert_eq(jif_timer_add(&wheel, &crowd[i], at(deadline)), 0);
}

/* How often one wakes up who sleeps until the next stop. */
static unsigned sleep_through(void)
{
	unsigned stops = 0;
	uint32_t when;

	while (jif_wheel_next_stop(&wheel, &when)) {
		jif_wheel_run(&wheel, when);
		stops++;
	}
	return stops;
}

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/* K per tick, and in the 61st what the minute before it had no moves for. */
static unsigned worst_of(unsigned n)
{
	unsigned rest = n > 60 * K ? n - 60 * K : 0;

	return rest > K ? rest : least(n, K);
}

TestSuite(wheel_spread, .init = unit_init, .fini = unit_fini,
	  .disabled = !CONFIG_JIF_SPREAD);

static const unsigned sizes[] = { 1, 8, 100, 480, 1000 };

#define SIZES (sizeof(sizes) / sizeof(sizes[0]))

/* In single ticks, and in a jump. */
static void move_crowd(uint32_t after, unsigned n, bool jumps)
{
	gather_for(after);
	arm_crowd(0, n);
	if (jumps)
		run_to(deadline);
	else
		tick_to(deadline);
	cr_expect_eq(ran, n);
}

Test(wheel_spread, moves_k_per_tick_at_most_up_to_60_k_on_one_deadline)
{
	for (unsigned row = 0; row < DISTANCES * SIZES * 2; row++) {
		unsigned n = sizes[row / 2 % SIZES];
		unsigned d = row / 2 / SIZES;

		move_crowd(distances[d].deadline, n, row % 2);
		cr_expect_eq(moves.worst, worst_of(n),
			     "%u for %u%s: worst tick %u", n, deadline,
			     row % 2 ? ", in a jump" : "", moves.worst);
		cr_expect_eq(moves.total, n * distances[d].spread,
			     "%u for %u: %u moves", n, deadline, moves.total);
		cr_expect_leq(moves.total, n * distances[d].classic);
	}
}

Test(wheel_spread, a_jump_stops_before_the_first_slot_of_another_turn)
{
	static const uint32_t turns[] = { HOUR, DAY, WEEK };

	for (unsigned i = 0; i < 6; i++) {
		uint32_t turn = turns[i / 2];
		uint32_t begin = i % 2 * turn;

		gather_for(begin + turn + 40);
		run_to(begin);
		arm_crowd(0, 30);
		cr_expect_eq(run_to(deadline), 30);
		cr_expect_eq(moves.worst, least(30, K), "row %u", i);
	}
}

/* From where a crowd of 60 K comes down, beside one on each level below. */
Test(wheel_spread, a_jump_stops_for_the_next_slot_whatever_is_in_lower_turns)
{
	static const uint32_t turns[] = { MINUTE, HOUR, DAY, WEEK };
	unsigned n = least(60 * K, CROWD);

	for (unsigned i = 0; i < 4; i++) {
		gather_for(4 * turns[i]);
		arm_crowd(0, n);
		jif_wheel_run(&wheel, at(2 * turns[i] + 1));
		for (unsigned j = 0; j <= i; j++)
			arm(j, 4 * turns[i] - turns[j] / 60 - 1);
		run_to(deadline);
		cr_expect_eq(ran, n);
		cr_expect_leq(moves.worst, K, "row %u: %u", i, moves.worst);
	}
}

Test(wheel_spread, a_sleeper_moves_k_per_stop_and_stops_once_per_k)
{
	for (unsigned d = 0; d < DISTANCES; d++) {
		for (unsigned i = 0; i < SIZES; i++) {
			unsigned ticks = (sizes[i] + K - 1) / K;

			gather_for(distances[d].deadline);
			arm_crowd(0, sizes[i]);
			if (sizes[i] > 60 * K)
				continue;
			cr_expect_eq(sleep_through(),
				     distances[d].spread * ticks + 1);
			cr_expect_eq(ran, sizes[i]);
			cr_expect_eq(moves.worst, least(sizes[i], K));
		}
	}
}

Test(wheel_spread, an_overfull_slot_leaves_no_moves_for_the_next_one)
{
	gather_for(1000);
	arm_crowd(0, 500);
	deadline = 1060;
	arm_crowd(500, 800);
	deadline = 1000;
	tick_to(1000);
	cr_assert_eq(moves.worst, worst_of(500));
	deadline = 1060;
	tick_to(1060);
	cr_assert_eq(ran, 800);
}

/* W7 */
Test(wheel_spread, next_is_the_next_tick_while_there_is_something_to_move)
{
	gather_for(1000);
	arm_crowd(0, 2 * K + 1);
	cr_assert_eq(next(), 900, "slot 16 is reached next from there on");
	run_to(900);
	cr_assert_eq(next(), 901);
	run_to(901);
	cr_assert_eq(next(), 902);
	run_to(902);
	cr_assert_eq(next(), 1000);
	cr_assert_eq(moves.total, 2 * K + 1);
}

Test(wheel_spread, all_levels_meet_at_midnight)
{
	gather_for(3 * DAY);
	arm_crowd(0, 100); /* sits with the days */
	tick_to(3 * DAY - 20 * HOUR);
	arm_crowd(100, 200); /* sits with the hours */
	tick_to(3 * DAY - 50 * MINUTE);
	arm_crowd(200, 300); /* sits with the minutes */
	tick_to(3 * DAY - 50);
	arm_crowd(300, 400); /* sits with the seconds */
	tick_to(3 * DAY);
	cr_assert_eq(ran, 400);
	cr_assert_eq(moves.total, 100 * 3 + 100 * 2 + 100);
	cr_assert_eq(moves.worst, worst_of(300));
}

Test(wheel_spread, a_budget_stops_between_two_moves_and_goes_on_there)
{
	const unsigned n = 20;
	unsigned calls = 0;

	gather_for(1000);
	arm_crowd(0, n);
	run_to(899);
	cr_assert_not(jif_wheel_run_budget(&wheel, at(900), 0));
	cr_assert_eq(moves.total, 0);
	do {
		calls++;
		cr_assert_eq(jif_wheel_check(&wheel), 0);
	} while (!jif_wheel_run_budget(&wheel, at(900), 1));
	cr_assert_eq(calls, least(n, K));
	cr_assert_eq(moves.total, least(n, K));
	while (!jif_wheel_run_budget(&wheel, at(1000), 1))
		calls++;
	cr_assert_eq(ran, n);
	cr_assert_eq(moves.worst, least(n, K));
	cr_assert_eq(calls, 2 * n - 1, "a move and a callback each");
}

Test(wheel_spread, what_a_budget_left_does_not_add_to_the_next_tick)
{
	gather_for(1000);
	arm_crowd(0, 60 * K < CROWD ? 60 * K : CROWD);
	run_to(899);
	for (uint32_t t = 900; t < 1000; t++)
		jif_wheel_run_budget(&wheel, at(t), 1);
	run_to(1000);
	cr_assert_eq(ran, least(60 * K, CROWD));
	cr_assert_leq(moves.worst, K);
}

static void note_run(struct jif_timer *timer)
{
	ran++;
}

Test(wheel_spread, moves_ahead_what_the_cascades_of_a_tick_leave_of_k)
{
	unsigned n = least(60 * K + K / 2, 900);

	/*
	 * The last of minute 16 go down as minute 17 begins to; one expires
	 * in between.
	 */
	gather_for(1000);
	for (unsigned i = 0; i < CROWD; i++)
		jif_timer_init(&crowd[i], note_run);
	arm_crowd(0, n);
	deadline = 1060;
	arm_crowd(n, CROWD);
	arm(0, 960);
	run_to(960);
	cr_assert_eq(nfired, 1);
	cr_assert_leq(moves.worst, K);
	run_to(1060);
	cr_assert_eq(ran, CROWD);
}

static unsigned walked[2];

static int look(void *arg, const struct jif_timer *timer, unsigned level,
		unsigned slot, uint32_t remaining)
{
	unsigned i = (unsigned)(timer - crowd);

	cr_expect_eq(level, i < *(unsigned *)arg);
	cr_expect_eq(slot, level ? 16 : 40, "1000 is 16:40");
	cr_expect_eq(remaining, level ? 40 : 0);
	walked[level]++;
	return 0;
}

Test(wheel_spread, a_walk_sees_the_later_half_a_level_lower)
{
	const unsigned n = 40;
	unsigned moved = least(n, 3 * K);
	unsigned stay = n - moved;

	walked[0] = walked[1] = 0;
	gather_for(1000);
	arm_crowd(0, n);
	run_to(902);
	cr_assert_eq(jif_wheel_walk(&wheel, look, &stay), 0);
	cr_assert_eq(walked[0], moved);
	cr_assert_eq(walked[1], stay);
}

/* W4 */
Test(wheel_spread, eight_days_are_not_put_into_the_slot_that_is_moved_ahead)
{
	gather_for(8 * DAY + 5);
	arm_crowd(0, 1);
	cr_assert_eq(next(), 7 * DAY);
	run_to(70);
	arm_crowd(1, 2);
	cr_assert_eq(next(), 7 * DAY);
	cr_assert_eq(run_to(deadline), 2);
}

Test(wheel_spread, far_ones_stay_with_their_day)
{
	/* 38 days: day 3 of the week. */
	arm(0, 38 * DAY + 4711);
	for (uint32_t day = 1; day < 36; day++) {
		struct jif_place place;

		run_to(day * DAY + 1);
		place = place_of(0);
		cr_expect_eq(place.level, 3);
		cr_expect_eq(place.slot, 3);
		cr_expect_eq(place.remaining % DAY, 4711);
	}
	run_to(37 * DAY + 1);
	cr_assert_eq(place_of(0).level, 2, "tomorrow: moved ahead");
	cr_assert_eq(run_to(38 * DAY + 4711), 1);
}

Test(wheel_spread, far_ones_are_moved_k_per_tick_in_the_week_before)
{
	const unsigned n = 480;

	/* 57 days and some: they are looked at in the week before. */
	gather_for(5000000);
	arm_crowd(0, n);
	cr_assert_eq(run_to(deadline), n);
	cr_assert_eq(moves.total, n * (1 + 3));
	cr_assert_eq(moves.worst, worst_of(n));
}

/* W6 */
Test(wheel_spread, the_sooner_of_two_far_ones_is_moved_first)
{
	arm(0, 57 * DAY);
	arm(1, 38 * DAY);
	run_to(57 * DAY);
	expect_fired(2, { 1, 38 * DAY }, { 0, 57 * DAY });
}

static unsigned windows;

static void check_in_window(void)
{
	windows++;
	cr_expect_eq(jif_wheel_check(&wheel), 0, "in window %u", windows);
}

/* W1, W2, W3, W4 */
Test(wheel_spread, interrupts_find_the_wheel_consistent_between_moves)
{
	gather_for(2 * DAY + 7);
	for (unsigned i = 0; i < 60; i++)
		jif_timer_init(&crowd[i], note_run);
	arm_crowd(0, 20);
	deadline = 3 * WEEK;
	arm_crowd(20, 40);
	deadline = 1000;
	arm_crowd(40, 60);
	windows = 0;
	cr_assert_eq(run_under(check_in_window, 3 * WEEK), 60);
	cr_assert_geq(windows, moves.total);
}

Test(wheel_spread, of_an_empty_wheel_is_nothing)
{
	gather_for(1000);
	arm_crowd(0, 20);
	run_to(900);
	jif_wheel_drain(&wheel, note_run);
	cr_assert(jif_wheel_empty(&wheel));
	run_to(100000);
	cr_assert_leq(moves.total, K);
}
