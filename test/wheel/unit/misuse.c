/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/unit/misuse.c - what a debug build finds, and a release build
 * refuses
 *
 * A row per misuse; docs/misuse.md lists them. Without jif_warn, a debug
 * build stops at it: the tests at the end of this file end in jif_panic().
 */
#include <jif/debug.h>
#include <setjmp.h>
#include <signal.h>

#include "../../../lib/bug.h"
#include "damage.h"
#include "misuse.h"
#include "panic.h"
#include "unit.h"

TestSuite(misuse, .init = unit_init);

static struct jif_wheel other;
static struct jif_timer copy;
static unsigned depth;

/* Where jif_panic() would stop for good. */
static jmp_buf out;
static bool stops;

/* The last warning, and how many there were. */
static struct {
	const char *what;
	const void *object;
	void (*fn)(void);
	unsigned times;
	uint32_t nth;
} told;

static void note_warning(const char *what, const void *object, void (*fn)(void))
{
	told.what = what;
	told.object = object;
	told.fn = fn;
	told.nth = jif_times_told;
	told.times++;
	if (stops)
		longjmp(out, 1);
}

/* Three timers of one tick, so that there is a first, a middle and a last. */
static void arm_three(uint32_t after)
{
	arm_all(3, after);
}

static void del(unsigned i)
{
	jif_timer_del(&wheel, &timers[i]);
}

#define ZERO(object) memset(&(object), 0, sizeof(object))
#define FREE(object) memset(&(object), 0x6b, sizeof(object))

/* DAMAGES(row, due, damage, end): three timers wait for a tick. */
#define DAMAGES(name, due, damage, end)                                        \
	HAPPENS(name, arm_three(due), damage, end)

static void check_fired(unsigned first, unsigned second, unsigned third)
{
	cr_assert_eq(count(0), first);
	cr_assert_eq(count(1), second);
	cr_assert_eq(count(2), third);
}

AFTER(add_uninitialised, memset(&timers[0], 0, sizeof(timers[0])),
      cr_assert_eq(jif_timer_add(&wheel, &timers[0], at(9)), -JIF_EINVAL))
HAPPENS(mod_uninitialised, memset(&timers[0], 0xa5, sizeof(timers[0])),
	cr_assert_eq(jif_timer_mod(&wheel, &timers[0], at(9)), -JIF_EINVAL),
	cr_assert_not(jif_timer_pending(&timers[0])))
AFTER(del_uninitialised, memset(&timers[0], 0xa5, sizeof(timers[0])),
      cr_assert_not(jif_timer_del(&wheel, &timers[0])))
AFTER(add_without_function, jif_timer_init(&timers[0], NULL),
      cr_assert_eq(jif_timer_add(&wheel, &timers[0], at(9)), -JIF_EINVAL))
AFTER(add_after_shutdown, jif_timer_shutdown(&wheel, &timers[0]),
      cr_assert_eq(jif_timer_add(&wheel, &timers[0], at(9)), -JIF_EINVAL))
HAPPENS(add_too_far, arm(0, LONGEST + 1), run_to(1), cr_assert_eq(count(0), 1))
HAPPENS(mod_pending_too_far, arm(0, 5),
	jif_timer_mod_pending(&wheel, &timers[0], at(LONGEST + 1)), run_to(1))
AFTER(add_as_far_as_may_be, arm(0, LONGEST), cr_assert_eq(run_to(1), 0))
HAPPENS(add_so_far_that_it_is_almost_the_past, arm(0, 0 - JIF_SLEEP_MAX - 1),
	run_to(1), cr_assert_eq(count(0), 1))
HAPPENS(add_in_the_past, arm(0, 0 - JIF_SLEEP_MAX), run_to(1),
	cr_assert_eq(count(0), 1))
REFUSES(add_in_too_far, jif_timer_add_in(&wheel, &timers[0], LONGEST + 1),
	-JIF_ERANGE)
static void add_pending(void)
{
	arm(0, 50);
	cr_assert_eq(jif_timer_add(&wheel, &timers[0], at(9)), -JIF_EBUSY);
	run_to(50);
	cr_assert_eq(fired[0].after, 50);
}

DAMAGES(init_pending, 50, jif_timer_init(&timers[1], unit_fire), run_to(50))
DAMAGES(init_pending_and_add_elsewhere, 50,
	(jif_timer_init(&timers[1], unit_fire), arm(1, 55)), run_to(55))
DAMAGES(init_pending_and_add_again, 50,
	(jif_timer_init(&timers[1], unit_fire), arm(1, 50)), run_to(50))
/* Its number is 1. */
DAMAGES(init_pending_and_add_to_the_first_slot, 50,
	(run_to(20), jif_timer_init(&timers[1], unit_fire), arm(1, MINUTE)),
	run_to(MINUTE))
DAMAGES(init_first_and_run, 50, jif_timer_init(&timers[0], unit_fire),
	run_to(50))
DAMAGES(zero_pending_and_run, 50, ZERO(timers[1]), run_to(50))
DAMAGES(zero_pending_and_del, 50, (ZERO(timers[1]), del(2)), run_to(50))
/* All that is reached by the last one is lost. */
DAMAGES(zero_last_and_del, 50, (ZERO(timers[2]), del(0)), run_to(50))
/* As zeroed memory is, but it has a function. */
DAMAGES(overwrite_slot, 50, set_slot(&timers[1], 0), run_to(50))
DAMAGES(overwrite_function, 50, take_function(&timers[1]), run_to(50))
DAMAGES(overwrite_prev, 50, set_prev(&timers[2], NULL), run_to(50))
DAMAGES(overwrite_slot_as_if_idle, 50, set_slot(&timers[1], JIF_TIMER_IDLE),
	run_to(50))
DAMAGES(overwrite_slot_and_del_the_one_before, 50,
	(set_slot(&timers[1], 0), del(0)), run_to(50))
DAMAGES(overwrite_slot_and_del_the_one_after, 50,
	(set_slot(&timers[1], 0), del(2)), run_to(50))
DAMAGES(overwrite_slot_and_function, 50,
	(set_slot(&timers[1], -1), take_function(&timers[1])), run_to(50))
DAMAGES(zero_both_neighbours_and_del, 50,
	(ZERO(timers[0]), ZERO(timers[2]), del(1)), run_to(50))
DAMAGES(free_pending, 50, FREE(timers[1]), run_to(50))
HAPPENS(free_the_only_one, arm(1, 50), FREE(timers[1]), run_to(50))

static void free_and_pause(void)
{
	arm_three(50);
	FREE(timers[1]);
	while (!jif_wheel_run_budget(&wheel, at(50), 1))
		cr_assert_eq(jif_wheel_check(&wheel), 0);
}

HAPPENS(overwrite_first_slot_and_del_the_last, arm_three(50),
	set_slot(&timers[0], 0), del(2))
HAPPENS(overwrite_slot_and_arm_behind, arm_all(4, 50), set_slot(&timers[2], 0),
	arm(4, 50))
DAMAGES(free_and_cascade, 500, FREE(timers[1]), run_to(500))

static void copy_pending(void)
{
	arm_three(50);
	copy = timers[1];
	cr_assert_not(jif_timer_del(&wheel, &copy));
	run_to(50);
	check_fired(1, 1, 1);
}

static void copy_the_only_one(void)
{
	arm(0, 50);
	copy = timers[0];
	cr_assert_not(jif_timer_del(&wheel, &copy));
	run_to(50);
	check_fired(1, 0, 0);
}

static void copy_and_del_when_it_has_run(void)
{
	arm(0, 50);
	copy = timers[0];
	run_to(50);
	jif_timer_del(&wheel, &copy);
}

static void copy_and_del_after_its_original(void)
{
	arm_three(50);
	copy = timers[1];
	jif_timer_del(&wheel, &timers[1]);
	jif_timer_del(&wheel, &copy);
	run_to(50);
}

static void copy_and_init(void)
{
	arm_three(50);
	copy = timers[1];
	jif_timer_init(&timers[1], unit_fire);
	jif_timer_del(&wheel, &copy);
	run_to(50);
}

/* Both wheels have timers in that slot. */
static void arm_both(void)
{
	jif_wheel_init(&other, at(0));
	arm(0, 50);
	cr_assert_eq(jif_timer_add(&other, &timers[1], at(50)), 0);
}

static void run_other(void)
{
	cr_assert_eq(jif_wheel_run(&other, at(49)), 0);
	cr_assert_eq(jif_wheel_run(&other, at(50)), 1);
	cr_assert_eq(jif_wheel_check(&other), 0);
	run_to(50);
}

HAPPENS(del_on_another_wheel, arm_both(),
	cr_assert_not(jif_timer_del(&wheel, &timers[1])), run_other())
HAPPENS(mod_on_another_wheel, arm_both(),
	cr_assert_eq(jif_timer_mod(&wheel, &timers[1], at(9)), -JIF_EINVAL),
	run_other())
HAPPENS(shutdown_on_another_wheel, arm_both(),
	cr_assert_not(jif_timer_shutdown(&wheel, &timers[1])), run_other())
HAPPENS(reduce_on_another_wheel, arm_both(),
	cr_assert_eq(jif_timer_reduce(&wheel, &timers[1], at(9)), -JIF_EINVAL),
	run_other())
HAPPENS(postpone_on_another_wheel, arm_both(),
	cr_assert_eq(jif_timer_postpone(&wheel, &timers[1], at(5000)),
		     -JIF_EINVAL),
	run_other())
HAPPENS(expires_on_another_wheel, arm_both(),
	cr_assert_eq(jif_timer_expires(&wheel, &timers[1]), at(0)), run_other())
HAPPENS(left_on_another_wheel, arm_both(),
	cr_assert_eq(jif_timer_left(&wheel, &timers[1]), 0), run_other())

static void run_back(void)
{
	arm(0, 50);
	run_to(9);
	cr_assert_eq(run_to(8), 0);
	cr_assert_eq(now(), 9);
}

/* Time is @wheel_at for the wheel, and @jiffies_at for jif_now(). */
static void be_at(uint32_t wheel_at, uint32_t jiffies_at)
{
	run_to(wheel_at);
	set_jiffies(jiffies_at);
}

static uint32_t at_5(const struct jif_wheel *of)
{
	return at(5);
}

HAPPENS(add_in_on_a_wheel_that_is_ahead, be_at(5000, 0),
	cr_assert_eq(jif_timer_add_in(&wheel, &timers[0], 2000), 0),
	cr_assert_eq(run_to(5001), 1))
HAPPENS(add_in_on_a_wheel_that_is_behind, be_at(0, 5000),
	cr_assert_eq(jif_timer_add_in(&wheel, &timers[0], 2000), 0),
	cr_assert_eq(run_to(7001), 1))
HAPPENS(left_on_a_wheel_that_is_behind, (be_at(0, 40), arm(0, 50)),
	cr_assert_eq(jif_timer_left(&wheel, &timers[0]), 50), run_to(50))
HAPPENS(left_on_one_with_a_time_of_its_own, (be_at(0, 40), arm(0, 50)),
	jif_wheel_set_time(&wheel, jif_wheel_clock),
	cr_assert_eq(jif_timer_left(&wheel, &timers[0]), 50))
HAPPENS(run_to_after_its_source, jif_wheel_set_time(&wheel, at_5), run_to(6),
	jif_wheel_set_time(&wheel, NULL))
HAPPENS(run_to_long_after_its_source, jif_wheel_set_time(&wheel, at_5),
	run_to(5 + JIF_SLEEP_MAX), jif_wheel_set_time(&wheel, NULL))
HAPPENS(run_to_its_source, jif_wheel_set_time(&wheel, at_5), run_to(5),
	jif_wheel_set_time(&wheel, NULL))
HAPPENS(now_of_a_source_that_is_behind,
	(run_to(6), jif_wheel_set_time(&wheel, at_5)),
	cr_assert_eq(jif_wheel_now(&wheel), at(6)),
	jif_wheel_set_time(&wheel, NULL))
HAPPENS(add_in_where_the_source_is_behind,
	(run_to(6), jif_wheel_set_time(&wheel, at_5)),
	cr_assert_eq(jif_timer_add_in(&wheel, &timers[0], 9), 0),
	jif_wheel_set_time(&wheel, NULL))
HAPPENS(poll_without_a_source, (be_at(0, 50), arm(0, 50)),
	cr_assert_eq(jif_wheel_poll(&wheel), -JIF_EINVAL),
	cr_assert_eq(run_to(50), 1))
HAPPENS(poll_of_a_source_that_is_behind,
	(run_to(6), jif_wheel_set_time(&wheel, at_5)),
	cr_assert_eq(jif_wheel_poll(&wheel), 0),
	jif_wheel_set_time(&wheel, NULL))

static uint32_t ticks;

static uint32_t tell_ticks(const struct jif_wheel *of)
{
	return ticks;
}

/* A timer is pending on the other wheel, whose time begins at 0. */
static void arm_other(jif_time_fn *source)
{
	jif_ticks(0 - jif_now());
	jif_wheel_init(&other, 0);
	jif_wheel_set_time(&other, source);
	jif_timer_init(&copy, unit_fire);
	cr_assert_eq(jif_timer_add(&other, &copy, 50000), 0);
	ticks = 0;
}

static void run_for_a_tick(uint32_t time)
{
	jif_tick();
	ticks++;
	jif_wheel_run(&other, time);
	jif_wheel_run(&wheel, at(ticks));
}

/* The first time, it is right; of those after it, 64 are too many. */
static void run_by_a_delay(jif_time_fn *source)
{
	arm_other(source);
	while (ticks < 64)
		run_for_a_tick(1);
	cr_assert_eq(told.times, 0);
	run_for_a_tick(1);
	cr_assert_eq(jif_wheel_clock(&other), 1);
	jif_timer_del(&other, &copy);
}

static void run_by_128_ticks_at_once(void)
{
	arm_other(tell_ticks);
	while (ticks < 1000)
		run_for_a_tick(ticks & ~UINT32_C(127));
	jif_timer_del(&other, &copy);
}

DOES(run_by_a_delay_beside_a_source, run_by_a_delay(tell_ticks))
DOES(run_by_a_delay_beside_jiffies, run_by_a_delay(NULL))

/* Without a source, with a time of its own: seconds. */
static void run_in_seconds(void)
{
	arm_other(NULL);
	while (ticks < 5000)
		run_for_a_tick(ticks / 1000);
	jif_timer_del(&other, &copy);
}
static void check_still_zeroed(void)
{
	static const struct jif_wheel zeroed;

	cr_assert_eq(memcmp(&other, &zeroed, sizeof(other)), 0);
}

HAPPENS(init_time_without_a_source, memset(&other, 0, sizeof(other)),
	jif_wheel_init_time(&other, NULL), check_still_zeroed())
HAPPENS(sleep_without_a_function, be_at(0, 0),
	cr_assert_not(jif_wheel_sleep(&wheel, NULL)), run_to(1))
HAPPENS(run_too_far, run_to(LONGEST), cr_assert_eq(run_to(2 * LONGEST + 1), 0),
	cr_assert_eq(now(), LONGEST))
REFUSES(resume_without_pause, jif_timer_resume(&wheel, &timers[0]), -JIF_EINVAL)
DAMAGES(zero_pending_and_drain, 50, ZERO(timers[0]),
	jif_wheel_drain(&wheel, NULL))

static struct jif_wheel *no_wheel;
static struct jif_timer *no_timer;

DOES(add_to_no_wheel, (void)!jif_timer_add(no_wheel, &timers[0], at(9)))
DOES(add_no_timer, (void)!jif_timer_add(&wheel, no_timer, at(9)))

static void drain(void)
{
	cr_assert_eq(jif_wheel_drain(&wheel, NULL), 0);
}

static int do_nothing(void *arg, const struct jif_timer *timer, unsigned level,
		      unsigned slot, uint32_t remaining)
{
	return 1;
}

static void walk(void)
{
	cr_assert_eq(jif_wheel_walk(&wheel, do_nothing, NULL), 0);
}

static void no_expiry(void)
{
	uint32_t when;

	cr_assert_not(jif_wheel_next_expiry(&wheel, &when));
}

static void from_handler(void (*what)(void))
{
	arm(1, 50);
	unit_window = what;
	jif_sim_irq();
	unit_window = NULL;
	run_to(50);
	cr_assert_eq(count(1), 1);
}

DOES(drain_in_handler, from_handler(drain))
DOES(walk_in_handler, from_handler(walk))
DOES(next_expiry_in_handler, from_handler(no_expiry))

static void run_a_tick(void)
{
	run_to(1);
}

static void run_in_handler_within_walk(void)
{
	arm(1, 50);
	unit_window = run_a_tick;
	cr_assert_eq(jif_wheel_walk(&wheel, do_nothing, NULL), 1);
	unit_window = NULL;
	run_to(50);
	cr_assert_eq(count(1), 1);
}

static int walk_deeper(void *arg, const struct jif_timer *timer, unsigned level,
		       unsigned slot, uint32_t remaining)
{
	unsigned wanted = *(unsigned *)arg;

	if (++depth < wanted)
		jif_wheel_walk(&wheel, walk_deeper, arg);
	return 1;
}

static void walk_to(unsigned wanted, unsigned reached)
{
	depth = 0;
	arm(0, 50);
	jif_wheel_walk(&wheel, walk_deeper, &wanted);
	cr_assert_eq(depth, reached);
	run_to(50);
	check_fired(1, 0, 0);
}

DOES(walk_in_walk, walk_to(2, 2))
DOES(walk_in_15_walks, walk_to(16, 15))

static int drain_all(void *arg, const struct jif_timer *timer, unsigned level,
		     unsigned slot, uint32_t remaining)
{
	drain();
	return 0;
}

static void drain_in_walk(void)
{
	arm(0, 50);
	jif_wheel_walk(&wheel, drain_all, NULL);
	run_to(50);
	check_fired(1, 0, 0);
}

static void run_in_callback(unsigned timer)
{
	cr_assert_eq(run_to(60), 0);
}

static void run_in_run(void)
{
	arm(0, 50);
	arm(1, 60);
	unit_callback = run_in_callback;
	run_to(50);
	check_fired(1, 0, 0);
}

static jmp_buf away;

static void leave(struct jif_timer *timer)
{
	longjmp(away, 1);
}

static void run_after_one_that_was_left(void)
{
	jif_wheel_init(&other, 0);
	jif_timer_init(&copy, leave);
	cr_assert_eq(jif_timer_add(&other, &copy, 5), 0);
	if (!setjmp(away))
		jif_wheel_run(&other, 5);
	cr_assert_eq(jif_wheel_run(&other, 6), 0);
}

static void leave_interrupts_off(unsigned timer)
{
	jif_sim.off++;
}

static void callback_leaves_interrupts_off(void)
{
	arm(0, 50);
	unit_callback = leave_interrupts_off;
	run_to(50);
	cr_assert_eq(jif_sim.off, 0);
}

DAMAGES(bad_next_and_del, 50, (set_next(&timers[1], &timers[5]), del(1)),
	run_to(50))
HAPPENS(bad_next_to_idle_and_del, arm(5, 9), jif_timer_del(&wheel, &timers[5]),
	bad_next_and_del())
DAMAGES(no_next_and_del, 50, (set_next(&timers[1], NULL), del(1)), run_to(50))
DAMAGES(bad_links_and_del, 50,
	(set_next(&timers[1], &timers[0]), set_prev(&timers[1], NULL), del(1)),
	run_to(50))
/* On the way from it to the end of the list: so it is not found there. */
DAMAGES(bad_prev_of_another_and_del, 50,
	(arm(3, 50), set_prev(&timers[1], NULL)), del(2))
DAMAGES(bad_prev_and_del, 50, (set_prev(&timers[1], NULL), del(1)), run_to(50))
DAMAGES(bad_next_and_add, 50, (set_next(&timers[2], NULL), arm(3, 50)),
	run_to(50))
DAMAGES(bad_prev_and_add, 50, (set_prev(&timers[2], &timers[2]), arm(3, 50)),
	run_to(50))
DAMAGES(bad_next_and_run, 50, set_next(&timers[1], &timers[1]), run_to(50))
DAMAGES(bad_prev_and_run, 50, set_prev(&timers[1], NULL), run_to(50))
DAMAGES(bad_next_and_cascade, 500, set_next(&timers[1], NULL), run_to(500))
DAMAGES(bad_prev_and_cascade, 500, set_prev(&timers[1], &timers[1]),
	run_to(500))
DAMAGES(bad_next_and_drain, 500, set_next(&timers[1], NULL),
	jif_wheel_drain(&wheel, NULL))

static void free_second(struct jif_timer *timer)
{
	if (timer == &timers[0])
		FREE(timers[1]);
}

AFTER(free_in_drain, arm_three(500), jif_wheel_drain(&wheel, free_second))

static void init_wheel_in_use(void)
{
	arm(0, 50);
	jif_wheel_init(&wheel, at(0));
	run_to(50);
	check_fired(0, 0, 0);
}

static void init_wheel_in_use_at_its_first_slot(void)
{
	run_to(100);
	arm(0, 120);
	cr_assert_eq(slot_of(&timers[0]), 1);
	jif_wheel_init(&wheel, at(0));
}

HAPPENS(init_what_was_in_use_when_power_came, JIF_POWER_ON(true), arm(0, 50),
	jif_wheel_init(&wheel, at(0)))
HAPPENS(init_wheel_in_use_at_its_last_slot, arm(0, 5 * WEEK),
	cr_assert_eq(slot_of(&timers[0]), JIF_WHEEL_SLOTS),
	jif_wheel_init(&wheel, at(0)))

/* As garbage is: what is in a list is not on the map. */
HAPPENS(init_garbage_as_wheel, arm(0, 50), set_last(&wheel, 10, &timers[1]),
	jif_wheel_init(&wheel, at(0)))
AFTER(add_to_zeroed_wheel, memset(&other, 0, sizeof(other)),
      cr_assert_eq(jif_timer_add(&other, &timers[0], 9), -JIF_EINVAL))
AFTER(poll_zeroed_wheel, memset(&other, 0, sizeof(other)),
      cr_assert_eq(jif_wheel_poll(&other), -JIF_EINVAL))
AFTER(run_garbage_as_wheel, memset(&other, 0xa5, sizeof(other)),
      cr_assert_eq(jif_wheel_run(&other, at(9)), 0))
AFTER(add_in_on_zeroed_wheel, (set_jiffies(0u - 9), ZERO(other)),
      cr_assert_eq(jif_timer_add_in(&other, &timers[0], 9), -JIF_EINVAL))
HAPPENS(add_in_on_garbage, memset(&other, 0xa5, sizeof(other)),
	cr_assert_eq(jif_timer_add_in(&other, &timers[0], 9), -JIF_EINVAL),
	cr_assert_not(jif_timer_pending(&timers[0])))

static void run_one_with_a_hand_outside_its_ring(void)
{
	jif_wheel_init(&other, at(0));
	turn_hand(&other, 4, JIF_WHEEL_TURNS + 1);
	cr_assert_eq(jif_wheel_run(&other, at(100)), 0);
	cr_assert_eq(jif_wheel_clock(&other), at(0));
}

static void run_one_with_a_hand_before_its_ring(void)
{
	jif_wheel_init(&other, at(0));
	turn_hand(&other, 0, -1);
	cr_assert_eq(jif_wheel_run(&other, at(100)), 0);
	cr_assert_eq(jif_wheel_clock(&other), at(0));
}

/* Its clock is 0xa5a5a5a5, and the seconds before 0xff are said to be quiet. */
HAPPENS(run_garbage_for_a_short_time, memset(&other, 0xa5, sizeof(other)),
	set_quiet(&other, 0xfe),
	cr_assert_eq(jif_wheel_run(&other, UINT32_C(0xa5a5a5a5) + 9), 0))

/* Where the function of each timer is. */
static jif_timer_fn *const fires = unit_fire;

#define FIRE   &fires
#define NEVER  "a timer is armed that was never initialised"
#define ZEROED "W2: a pending timer was zeroed"
#define FREED  "W2: a pending timer was freed or overwritten"
static bool is_same(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

#define BACK	 "a wheel is run with a time before its clock"
#define COPIED	 "a pending timer was copied"
#define DELTA	 "a wheel is run with a delay instead of a time"
#define LINKS	 "W2: links of a pending timer are broken"
#define AWAY	 "a timer is pending on another wheel"
#define IN_IRQ	 "a wheel is walked or drained in a handler"
#define IN_WALK	 "a wheel is walked or drained within a walk"
#define TOO_FAR	 "a timer is armed too far ahead, and runs at once"
#define IN_USE	 "a wheel is initialised that has pending timers"
#define NO_WHEEL "a wheel is used that was never initialised"
#define LATE_RUN "a wheel is run with a time after its source's"
#define OLD_TIME "a wheel's time source is behind its clock"
#define INIT_ON	 "W2: a pending timer was initialised"
#define INIT_ARM "W2: a pending timer was initialised and armed again"

const struct misuse misuse_rows[] = {
	{ ROW(add_uninitialised), NEVER, &timers[0] },
	{ ROW(mod_uninitialised), NEVER, &timers[0] },
	{ ROW(del_uninitialised) },
	{ ROW(add_without_function), "a timer is armed that has no function",
	  &timers[0] },
	{ ROW(add_pending), "a timer is added that is pending", &timers[0],
	  FIRE },
	{ ROW(add_after_shutdown), "a timer is armed that was shut down",
	  &timers[0], FIRE },
	{ ROW(add_too_far), TOO_FAR, &timers[0], FIRE },
	{ ROW(mod_pending_too_far), TOO_FAR, &timers[0], FIRE },
	{ ROW(add_as_far_as_may_be) },
	{ ROW(add_so_far_that_it_is_almost_the_past), TOO_FAR, &timers[0],
	  FIRE },
	{ ROW(add_in_the_past) },
	{ ROW(add_in_too_far), "a delay is too long", &timers[0], FIRE },
	{ ROW(add_in_on_a_wheel_that_is_ahead),
	  "a wheel without time source is ahead of jif_now()", &wheel },
	{ ROW(add_in_on_a_wheel_that_is_behind) },
	{ ROW(left_on_a_wheel_that_is_behind),
	  "a wheel without time source is behind jif_now()", &wheel },
	{ ROW(left_on_one_with_a_time_of_its_own) },
	{ ROW(run_to_after_its_source), LATE_RUN, &wheel },
	{ ROW(run_to_long_after_its_source), LATE_RUN, &wheel },
	{ ROW(run_to_its_source) },
	{ ROW(now_of_a_source_that_is_behind), OLD_TIME, &wheel },
	{ ROW(add_in_where_the_source_is_behind), OLD_TIME, &wheel },
	{ ROW(poll_without_a_source), "a wheel without time source is polled",
	  &wheel },
	{ ROW(poll_of_a_source_that_is_behind), OLD_TIME, &wheel },
	{ ROW(run_by_a_delay_beside_a_source), DELTA, &other },
	{ ROW(run_by_a_delay_beside_jiffies), DELTA, &other },
	{ ROW(run_by_128_ticks_at_once) },
	{ ROW(run_in_seconds) },
	{ ROW(init_time_without_a_source),
	  "a wheel is initialised with no time source", &other, NULL, GONE },
	{ ROW(sleep_without_a_function), "a sleep has no function that sleeps",
	  &wheel, NULL, GONE },
	{ ROW(init_pending), INIT_ON, &timers[1], FIRE, DAMAGED },
	{ ROW(init_pending_and_add_elsewhere), INIT_ARM, &timers[1], FIRE,
	  DAMAGED },
	{ ROW(init_pending_and_add_to_the_first_slot), INIT_ARM, &timers[1],
	  FIRE, DAMAGED },
	{ ROW(init_pending_and_add_again), INIT_ON, &timers[1], FIRE, DAMAGED },
	{ ROW(init_first_and_run), INIT_ON, &timers[0], FIRE, DAMAGED },
	{ ROW(zero_pending_and_run), ZEROED, &timers[1], NULL, DAMAGED },
	{ ROW(zero_pending_and_del), ZEROED, &timers[1], NULL, DAMAGED },
	{ ROW(zero_last_and_del), ZEROED, &timers[2], NULL, DAMAGED },
	{ ROW(overwrite_slot), FREED, &timers[1], NULL, DAMAGED },
	{ ROW(overwrite_function), FREED, &timers[1], NULL, FATAL },
	{ ROW(overwrite_prev), LINKS, &timers[2], FIRE, DAMAGED },
	{ ROW(overwrite_slot_as_if_idle), FREED, &timers[1], NULL, DAMAGED },
	{ ROW(overwrite_slot_and_del_the_one_before), FREED, &timers[1], NULL,
	  DAMAGED },
	{ ROW(overwrite_slot_and_del_the_one_after), FREED, &timers[1], NULL,
	  DAMAGED },
	{ ROW(overwrite_first_slot_and_del_the_last), FREED, &timers[0], NULL,
	  DAMAGED },
	{ ROW(overwrite_slot_and_arm_behind), FREED, &timers[2], NULL,
	  DAMAGED },
	{ ROW(overwrite_slot_and_function), FREED, &timers[1], NULL, DAMAGED },
	{ ROW(zero_both_neighbours_and_del), ZEROED, &timers[2], NULL, FATAL },
	{ ROW(free_pending), FREED, &timers[1], NULL, DAMAGED },
	{ ROW(free_the_only_one), FREED, &timers[1], NULL, FATAL },
	{ ROW(free_and_pause), FREED, &timers[1], NULL, DAMAGED },
	{ ROW(free_and_cascade), FREED, &timers[1], NULL, DAMAGED },
	{ ROW(copy_pending), COPIED, &copy, FIRE, UNDEFINED },
	{ ROW(copy_the_only_one), COPIED, &copy, FIRE, UNDEFINED },
	{ ROW(copy_and_del_when_it_has_run), LINKS, &copy, FIRE, DAMAGED },
	{ ROW(copy_and_del_after_its_original), LINKS, &copy, FIRE, DAMAGED },
	{ ROW(copy_and_init), LINKS, &copy, FIRE, DAMAGED },
	{ ROW(del_on_another_wheel), AWAY, &timers[1], FIRE, UNDEFINED },
	{ ROW(mod_on_another_wheel), AWAY, &timers[1], FIRE, UNDEFINED },
	{ ROW(shutdown_on_another_wheel), AWAY, &timers[1], FIRE, UNDEFINED },
	{ ROW(reduce_on_another_wheel), AWAY, &timers[1], FIRE, UNDEFINED },
	{ ROW(postpone_on_another_wheel), AWAY, &timers[1], FIRE, UNDEFINED },
	{ ROW(expires_on_another_wheel), AWAY, &timers[1], FIRE, UNDEFINED },
	{ ROW(left_on_another_wheel), AWAY, &timers[1], FIRE, UNDEFINED },
	{ ROW(run_back), BACK, &wheel },
	{ ROW(run_too_far), BACK, &wheel },
	{ ROW(resume_without_pause) },
	{ ROW(zero_pending_and_drain), ZEROED, &timers[0], NULL, FATAL },
	{ ROW(add_to_no_wheel), NULL, NULL, NULL, FAULTS },
	{ ROW(add_no_timer), NULL, NULL, NULL, FAULTS },
	{ ROW(drain_in_handler), IN_IRQ, &wheel, NULL, UNDEFINED },
	{ ROW(walk_in_handler), IN_IRQ, &wheel, NULL, UNDEFINED },
	{ ROW(next_expiry_in_handler), IN_IRQ, &wheel, NULL, UNDEFINED },
	{ ROW(walk_in_walk) },
	{ ROW(walk_in_15_walks), IN_WALK, &wheel, NULL, UNDEFINED },
	{ ROW(drain_in_walk), IN_WALK, &wheel },
	{ ROW(run_in_run), "a wheel is run within a run, a walk or a drain",
	  &wheel },
	{ ROW(run_after_one_that_was_left),
	  "a wheel is run within a run, a walk or a drain", &other },
	{ ROW(run_in_handler_within_walk) },
	{ ROW(callback_leaves_interrupts_off),
	  "a callback has left interrupts off", &timers[0], FIRE, UNDEFINED },
	{ ROW(bad_next_and_del), LINKS, &timers[1], FIRE, DAMAGED },
	{ ROW(bad_next_to_idle_and_del), LINKS, &timers[1], FIRE, DAMAGED },
	{ ROW(no_next_and_del), LINKS, &timers[1], FIRE, FATAL },
	{ ROW(bad_links_and_del), LINKS, &timers[1], FIRE, FATAL },
	{ ROW(bad_prev_of_another_and_del), LINKS, &timers[1], FIRE, DAMAGED },
	{ ROW(bad_prev_and_del), LINKS, &timers[1], FIRE, FATAL },
	{ ROW(bad_next_and_add), LINKS, &timers[2], FIRE, FATAL },
	{ ROW(bad_prev_and_add), LINKS, &timers[2], FIRE, DAMAGED },
	{ ROW(bad_next_and_run), LINKS, &timers[2], FIRE, DAMAGED },
	{ ROW(bad_prev_and_run), LINKS, &timers[0], FIRE, DAMAGED },
	{ ROW(bad_next_and_cascade), LINKS, &timers[2], FIRE, DAMAGED },
	{ ROW(bad_prev_and_cascade), LINKS, &timers[0], FIRE, DAMAGED },
	{ ROW(bad_next_and_drain), LINKS, &timers[2], FIRE, FATAL },
	{ ROW(free_in_drain), FREED, &timers[1], NULL, DAMAGED },
	{ ROW(init_wheel_in_use), IN_USE, &wheel },
	{ ROW(init_wheel_in_use_at_its_first_slot), IN_USE, &wheel },
	{ ROW(init_what_was_in_use_when_power_came) },
	{ ROW(init_wheel_in_use_at_its_last_slot), IN_USE, &wheel },
	{ ROW(init_garbage_as_wheel) },
	{ ROW(add_to_zeroed_wheel), NO_WHEEL, &other, NULL, UNDEFINED },
	{ ROW(poll_zeroed_wheel), NO_WHEEL, &other },
	{ ROW(add_in_on_zeroed_wheel), NO_WHEEL, &other, NULL, GONE },
	{ ROW(add_in_on_garbage), NO_WHEEL, &other, NULL, GONE },
	{ ROW(run_garbage_as_wheel), NO_WHEEL, &other, NULL, UNDEFINED },
	{ ROW(run_one_with_a_hand_outside_its_ring), NO_WHEEL, &other, NULL,
	  UNDEFINED },
	{ ROW(run_one_with_a_hand_before_its_ring), NO_WHEEL, &other, NULL,
	  UNDEFINED },
	{ ROW(run_garbage_for_a_short_time), NO_WHEEL, &other, NULL,
	  UNDEFINED },
};
const unsigned misuse_count = sizeof(misuse_rows) / sizeof(misuse_rows[0]);

/* Told once, with the object and its function; not at all if @what is NULL. */
static void check_told(const struct misuse *row)
{
	const char *what = CONFIG_JIF_DEBUG ? row->what : NULL;
	void (*fn)(void) = NULL;

	cr_assert_eq(told.times, what != NULL, "%s: told %u times", row->name,
		     told.times);
	if (!what)
		return;
	cr_assert_eq(told.nth, 1);
	if (row->fn)
		memcpy(&fn, row->fn, sizeof(fn));
	cr_assert(is_same(told.what, what), "%s: %s", row->name, told.what);
	cr_assert_eq(told.object, row->object, "%s: another one", row->name);
	cr_assert(told.fn == fn, "%s: another function", row->name);
}

/* The wheel is as good as new. */
static void check_goes_on(const struct misuse *row)
{
	(void)row; /* the assertions of a target have no text */
	unit_callback = NULL;
	jif_timer_init(&timers[6], unit_fire);
	arm(6, now() + 700);
	run_to(now() + 700);
	cr_assert_eq(count(6), 1, "%s: it does not go on", row->name);
	cr_assert_eq(jif_wheel_check(&wheel), 0, "%s: broken", row->name);
}

void misuse_begin(void)
{
	unit_init();
	told.times = 0;
	jif_times_told = 9;
	JIF_POWER_ON(false);
	jif_warn = note_warning;
}

void misuse_end(const struct misuse *row)
{
	check_told(row);
	if (row->kind < DAMAGED)
		check_goes_on(row);
}

static void happen(const struct misuse *row)
{
	stops = row->kind >= DAMAGED;
	if (stops) {
		if (setjmp(out)) {
			stops = false;
			return;
		}
	}
	row->happen();
	cr_assert(!stops, "%s: it does not stop", row->name);
}

unsigned misuse_try(const struct misuse *rows, unsigned rows_count)
{
	unsigned tried = 0;

	for (const struct misuse *row = rows; row < rows + rows_count; row++) {
		if (row->kind == FAULTS ||
		    (row->kind != REFUSED && !CONFIG_JIF_DEBUG))
			continue;
		misuse_begin();
		happen(row);
		misuse_end(row);
		jif_warn = NULL;
		tried++;
	}
	return tried;
}

Test(misuse, each_is_told_and_the_wheel_goes_on)
{
	cr_assert_gt(misuse_try(misuse_rows, misuse_count), 18);
}

#if CONFIG_JIF_DEBUG

/* Which of so many mistakes were told, one of each object in turn. */
static unsigned tell_in_turn(unsigned objects, unsigned times)
{
	static struct jif_timer idle[100];

	misuse_begin();
	for (unsigned i = 0; i < objects; i++)
		jif_timer_init(&idle[i], NULL);
	for (unsigned i = 0; i < objects * times; i++)
		(void)!jif_timer_add(&wheel, &idle[i % objects], at(9));
	return told.times;
}

Test(misuse, repeated_is_told_at_each_power_of_two)
{
	cr_assert_eq(tell_in_turn(1, 1), 1);
	cr_assert_eq(tell_in_turn(1, 2), 2);
	cr_assert_eq(tell_in_turn(1, 3), 2);
	cr_assert_eq(tell_in_turn(1, 1023), 10);
	cr_assert_eq(tell_in_turn(1, 1024), 11);
	cr_assert_eq(tell_in_turn(5, 1000), 5 * 10, "of each object");
}

/* A machine remembers no more than it has memory for. */
Test(misuse, of_many_objects_is_told_less_often_too)
{
	cr_assert_lt(tell_in_turn(100, 50), 600);
	cr_assert_eq(jif_timer_add_in(&wheel, &timers[0], LONGEST),
		     -JIF_ERANGE);
	cr_assert(is_same(told.what, "a delay is too long"), "a new kind");
}

Test(misuse, without_a_hook_it_panics, .signal = SIGABRT)
{
	panic_with("a wheel is walked or drained in a handler");
	drain_in_handler();
}

Test(misuse, without_a_hook_a_broken_list_panics, .signal = SIGABRT)
{
	panic_with(LINKS);
	bad_next_and_run();
}

Test(misuse, with_a_hook_a_broken_list_panics, .signal = SIGABRT)
{
	panic_with(LINKS);
	jif_warn = unit_no_warning;
	bad_next_and_run();
}

Test(misuse, without_a_hook_what_a_result_tells_is_left_at_that)
{
	add_after_shutdown();
	unit_init();
	add_pending();
	unit_init();
	run_in_run();
	cr_assert_eq(jif_wheel_check(&wheel), 0);
}

#endif
