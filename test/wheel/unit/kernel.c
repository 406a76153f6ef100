/* SPDX-License-Identifier: MIT */
/* A wheel that a task of a kernel runs; the kernel is this file */
#include "../../../lib/port/kernel/kernel.c"
#include "unit.h"

static struct jif_kernel kernel;
static void (*in_wait)(void);
static uint32_t waited;
static unsigned signals;

void jif_kernel_begin(struct jif_kernel *of)
{
	of->waiter = of;
}

void jif_kernel_wait(struct jif_kernel *of, uint32_t ticks)
{
	cr_assert_eq(of, &kernel);
	waited = ticks;
	if (in_wait)
		in_wait();
}

void jif_kernel_signal(struct jif_kernel *of)
{
	cr_assert_eq(of, &kernel);
	signals++;
}

static void init(void)
{
	unit_init();
	set_jiffies(0);
	jif_kernel_init(&kernel);
	in_wait = NULL;
	signals = 0;
}

TestSuite(kernel, .init = init, .fini = unit_fini);

static int results[3];

#define NOT_YET 1

/* A thread arms shortly before the longest wait is over. */
static void arm_far(void)
{
	jif_ticks(JIF_SLEEP_MAX - 1000);
	results[0] = jif_kernel_mod_in(&kernel, &timers[1], LONGEST);
	results[1] = jif_kernel_mod_in(&kernel, &timers[1], LONGEST - 1);
	results[2] = jif_kernel_mod_in(&kernel, &timers[2], 100);
}

Test(kernel, thread_reaches_as_far_as_ever_while_the_task_waits)
{
	in_wait = arm_far;
	jif_kernel_turn(&kernel);
	cr_assert_eq(waited, JIF_SLEEP_MAX);
	cr_assert_eq(results[0], -JIF_ERANGE);
	cr_assert_eq(results[1], 0);
	cr_assert_eq(results[2], 0);
	cr_assert_eq(signals, 1, "for the last one");
	cr_assert_eq(jif_timer_left(&kernel.wheel, &timers[1]), LONGEST);
	cr_assert_eq(jif_timer_left(&kernel.wheel, &timers[2]), 101);
	in_wait = NULL;
	jif_kernel_turn(&kernel);
	cr_assert_leq(waited, 101);
	cr_assert_eq(jif_wheel_check(&kernel.wheel), 0);
}

static void arm_far_in_callback(unsigned timer)
{
	jif_ticks(10);
	results[0] = jif_kernel_mod_in(&kernel, &timers[1], LONGEST - 1);
}

static unsigned warnings, warnings_of_wheel;

static void count_warning(const char *what, const void *object,
			  void (*fn)(void))
{
	warnings++;
	warnings_of_wheel += object == &kernel.wheel;
}

static void turn_and_count(void)
{
	warnings = warnings_of_wheel = 0;
	if (CONFIG_JIF_DEBUG)
		jif_warn = count_warning;
	jif_kernel_turn(&kernel);
	if (CONFIG_JIF_DEBUG)
		jif_warn = NULL;
}

/* The clock stands at the tick that is being run, and nobody runs the wheel. */
Test(kernel, callback_that_takes_long_moves_no_clock)
{
	unit_callback = arm_far_in_callback;
	cr_assert_eq(jif_timer_add(&kernel.wheel, &timers[0], at(5)), 0);
	jif_ticks(5);
	turn_and_count();
	cr_assert_eq(warnings_of_wheel, 0);
	cr_assert_eq(results[0], -JIF_ERANGE);
}

static void start_far(void)
{
	jif_ticks(JIF_SLEEP_MAX - 1000);
	results[0] = jif_kernel_mod_in(&kernel, &timers[1], LONGEST - 1);
}

Test(kernel, thread_starts_as_far_ahead_as_ever)
{
	in_wait = start_far;
	turn_and_count();
	cr_expect_eq(results[0], 0);
	cr_expect_eq(warnings, 0, "nothing is refused first");
}

/* A thread that is more urgent than the task, not a handler. */
static void arm_soon_and_too_far(void)
{
	jif_sim.in_irq = false;
	results[0] = jif_kernel_mod_in(&kernel, &timers[1], 5);
	results[1] = jif_kernel_mod_in(&kernel, &timers[2], UINT32_MAX);
	jif_sim.in_irq = true;
}

Test(kernel, thread_that_arms_in_any_window_is_not_slept_past)
{
	unsigned window = 0;

	do {
		results[0] = NOT_YET;
		waited = signals = 0;
		(void)!jif_kernel_mod_in(&kernel, &timers[0], 100000);
		unit_in_window(++window, arm_soon_and_too_far);
		jif_kernel_turn(&kernel);
		unit_window = NULL;
		cr_assert(waited <= 6 || signals || results[0] == NOT_YET);
		jif_timer_del(&kernel.wheel, &timers[1]);
	} while (results[0] != NOT_YET);
	cr_assert_eq(results[1], -JIF_ERANGE);
}

static void arm_later(void)
{
	cr_expect_eq(jif_kernel_mod_in(&kernel, &timers[1], 500), 0);
	cr_expect_eq(jif_kernel_mod_in(&kernel, &timers[1], UINT32_MAX),
		     -JIF_ERANGE);
}

Test(kernel, timer_that_comes_later_or_never_wakes_nobody)
{
	struct jif_timer timer = JIF_TIMER_INIT(NULL);

	jif_timer_init(&timer, unit_fire);
	(void)!jif_kernel_mod_in(&kernel, &timer, 20);
	in_wait = arm_later;
	jif_kernel_turn(&kernel);
	cr_expect_eq(waited, 21);
	cr_expect_eq(signals, 0);
	(void)!jif_kernel_mod_in(&kernel, &timers[1], 1);
	cr_expect_eq(signals, 0, "the task does not wait");
}

static uint32_t ahead(const struct jif_wheel *of)
{
	return jif_now() + 5000;
}

Test(kernel, task_waits_by_another_source_of_its_wheel)
{
	jif_wheel_init_time(&kernel.wheel, ahead);
	cr_assert_eq(jif_kernel_mod_in(&kernel, &timers[0], 30), 0);
	jif_kernel_turn(&kernel);
	cr_assert_eq(waited, 31);
	jif_ticks(31);
	jif_kernel_turn(&kernel);
	cr_assert_eq(nfired, 1);
	cr_assert_eq(jif_wheel_clock(&kernel.wheel), jif_now() + 5000);
}
