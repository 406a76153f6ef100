/* SPDX-License-Identifier: MIT */
/*
 * test/unit/work.c - deferred work: order, priorities, delays, interrupts
 */
#include <criterion/criterion.h>
#include <jif/jiffies.h>
#include <jif/work.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "panic.h"
#include "unit.h"

#define WORKS 16

static struct jif_workqueue queue;
static struct jif_work works[WORKS];
static struct jif_delayed_work dwork;

/* What ran, in order, as letters: work 0 is 'a'; the delayed work is 'D'. */
static char ran[256];
static unsigned nran;
static void (*in_work)(unsigned i);

static void note(char letter)
{
	if (nran < sizeof(ran) - 1)
		ran[nran++] = letter;
}

static void run_work(struct jif_work *work)
{
	unsigned i = (unsigned)(work - works);

	note((char)('a' + i));
	if (in_work)
		in_work(i);
}

static void run_delayed(struct jif_work *work)
{
	cr_assert_eq(jif_container_of(work, struct jif_delayed_work, work),
		     &dwork);
	note('D');
}

static void init(void)
{
	unit_init();
	memset(&queue, 0xa5, sizeof(queue));
	memset(works, 0xa5, sizeof(works));
	memset(&dwork, 0xa5, sizeof(dwork));
	memset(ran, 0, sizeof(ran));
	nran = 0;
	in_work = NULL;
	jif_ticks(START - jif_now());
	jif_workqueue_init(&queue, &wheel);
	for (unsigned i = 0; i < WORKS; i++)
		jif_work_init(&works[i], run_work, 1);
	jif_delayed_work_init(&dwork, run_delayed, 1);
}

TestSuite(work, .init = init, .fini = unit_fini);

static bool add(unsigned i)
{
	return jif_work_queue(&queue, &works[i]);
}

static bool cancel(unsigned i)
{
	return jif_work_cancel(&queue, &works[i]);
}

static unsigned run(void)
{
	return jif_workqueue_run(&queue, UINT_MAX);
}

/* Jiffies and the wheel go on, tick by tick. */
static void pass(uint32_t ticks)
{
	while (ticks--) {
		jif_tick();
		jif_wheel_run(&wheel, jif_now());
	}
}

static void expect_ran(const char *want)
{
	cr_expect_str_eq(ran, want);
}

Test(work, runs_in_the_order_in_which_it_was_queued)
{
	cr_assert(add(2));
	cr_assert(add(0));
	cr_assert(add(1));
	cr_assert_eq(run(), 3);
	expect_ran("cab");
	cr_assert_eq(run(), 0);
}

Test(work, of_higher_priority_goes_first)
{
	jif_work_init(&works[0], run_work, 3);
	jif_work_init(&works[1], run_work, 0);
	jif_work_init(&works[2], run_work, 2);
	for (unsigned i = 0; i < 5; i++)
		add(i);
	cr_assert_eq(run(), 5);
	expect_ran("bdeca");
}

Test(work, that_is_pending_is_queued_once)
{
	cr_assert_not(jif_work_pending(&works[0]));
	cr_assert(add(0));
	add(1);
	cr_assert(jif_work_pending(&works[0]));
	cr_assert_not(add(0));
	cr_assert_eq(run(), 2);
	expect_ran("ab");
	cr_assert_not(jif_work_pending(&works[0]));
}

Test(work, that_is_cancelled_does_not_run)
{
	for (unsigned i = 0; i < 5; i++)
		add(i);
	cr_assert(cancel(0), "the first");
	cr_assert(cancel(2), "in between");
	cr_assert(cancel(4), "the last");
	cr_assert_not(cancel(4));
	cr_assert_not(jif_work_pending(&works[2]));
	cr_assert_eq(run(), 2);
	expect_ran("bd");
}

Test(work, that_was_the_last_one_leaves_an_empty_queue)
{
	cr_assert(jif_workqueue_empty(&queue));
	add(0);
	cr_assert_not(jif_workqueue_empty(&queue));
	cancel(0);
	cr_assert(jif_workqueue_empty(&queue));
	cr_assert_eq(run(), 0);
	cr_assert(add(0));
	cr_assert_eq(run(), 1);
	cr_assert(jif_workqueue_empty(&queue));
}

Test(work, cancelled_and_queued_again_goes_to_the_end)
{
	add(0);
	add(1);
	cancel(0);
	add(0);
	run();
	expect_ran("ba");
}

static void expect_not_pending(unsigned i)
{
	cr_expect_not(jif_work_pending(&works[i]));
	cr_expect_not(cancel(i), "it is too late for that");
	cr_expect_eq(jif_sim.off, 0, "interrupts are on");
}

Test(work, is_not_pending_while_it_runs)
{
	in_work = expect_not_pending;
	add(0);
	cr_assert_eq(run(), 1);
}

static void queue_itself(unsigned i)
{
	if (i == 0)
		cr_expect(add(0));
}

Test(work, that_queues_itself_runs_once_a_run)
{
	in_work = queue_itself;
	add(0);
	add(1);
	cr_assert_eq(run(), 2);
	cr_assert(jif_work_pending(&works[0]));
	cr_assert_eq(run(), 1);
	cr_assert_eq(run(), 1);
	expect_ran("abaa");
}

Test(work, that_queues_itself_does_not_starve_lower_priorities)
{
	jif_work_init(&works[0], run_work, 0);
	jif_work_init(&works[1], run_work, 3);
	in_work = queue_itself;
	add(0);
	add(1);
	cr_assert_eq(run(), 2);
	expect_ran("ab");
}

static void play_ping_pong(unsigned i)
{
	add(1 - i);
}

Test(work, that_queues_the_other_one_starves_nobody)
{
	jif_work_init(&works[0], run_work, 0);
	in_work = play_ping_pong;
	add(0);
	cr_assert_eq(run(), 2, "the second one would run the first one again");
	cr_assert_eq(run(), 2);
	expect_ran("abab");
}

static void queue_urgent(unsigned i)
{
	if (i == 1)
		add(0);
}

Test(work, of_higher_priority_queued_in_a_run_goes_next)
{
	jif_work_init(&works[0], run_work, 0);
	in_work = queue_urgent;
	add(1);
	add(2);
	cr_assert_eq(run(), 3);
	expect_ran("bac");
}

static void queue_itself_and_another(unsigned i)
{
	if (i == 0) {
		add(0);
		add(1);
	}
}

Test(work, behind_what_queued_itself_waits_too)
{
	in_work = queue_itself_and_another;
	add(0);
	cr_assert_eq(run(), 1);
	cr_assert_eq(run(), 2);
	expect_ran("aab");
}

static void cancel_next(unsigned i)
{
	cr_expect_eq(cancel(i + 1), i == 0);
}

Test(work, may_cancel_what_is_to_run_next)
{
	in_work = cancel_next;
	add(0);
	add(1);
	add(3);
	cr_assert_eq(run(), 2);
	expect_ran("ad");
}

static void free_it(struct jif_work *work)
{
	note('F');
	free(work);
}

Test(work, may_be_freed_by_its_function)
{
	struct jif_work *one = malloc(sizeof(*one));

	jif_work_init(one, free_it, 0);
	cr_assert(jif_work_queue(&queue, one));
	cr_assert_eq(run(), 1);
	expect_ran("F");
}

static unsigned nested;

static void run_again(unsigned i)
{
	(void)i;
	nested += run();
}

Test(work, run_from_work_changes_nothing)
{
	in_work = run_again;
	nested = 0;
	add(0);
	add(1);
	cr_assert_eq(run(), 2);
	cr_assert_eq(nested, 0);
	expect_ran("ab");
}

Test(work, max_stops_a_run_and_the_next_one_goes_on)
{
	for (unsigned i = 0; i < 5; i++)
		add(i);
	cr_assert_eq(jif_workqueue_run(&queue, 0), 0);
	cr_assert_eq(jif_workqueue_run(&queue, 2), 2);
	expect_ran("ab");
	cr_assert_eq(jif_workqueue_run(&queue, 2), 2);
	cr_assert_eq(jif_workqueue_run(&queue, 2), 1);
	expect_ran("abcde");
}

Test(work, that_queues_itself_is_run_by_each_run_of_one)
{
	in_work = queue_itself;
	add(0);
	for (unsigned i = 0; i < 5; i++)
		cr_assert_eq(jif_workqueue_run(&queue, 1), 1);
	expect_ran("aaaaa");
}

Test(work, of_low_priority_is_reached_by_runs_of_one)
{
	jif_work_init(&works[0], run_work, 0);
	in_work = queue_itself;
	add(0);
	add(1);
	for (unsigned i = 0; i < 4; i++)
		cr_assert_eq(jif_workqueue_run(&queue, 1), 1);
	expect_ran("abaa");
}

Test(work, left_by_a_cancelled_rest_is_run_at_once)
{
	in_work = queue_itself;
	add(0);
	add(1);
	cr_assert_eq(jif_workqueue_run(&queue, 1), 1);
	cancel(1);
	cr_assert_eq(run(), 1);
	expect_ran("aa");
}

/* The pass ends with the run that finds nothing, not with the next one. */
Test(work, behind_a_run_of_an_empty_queue_all_of_it_runs)
{
	jif_work_init(&works[2], run_work, 3);
	add(0);
	add(1);
	cr_assert_eq(jif_workqueue_run(&queue, 1), 1);
	cancel(1);
	cr_assert_eq(run(), 0);
	add(0);
	add(2);
	cr_assert_eq(run(), 2);
	expect_ran("aac");
}

/* A stamp of 65535 passes ago looks like one of this pass. */
Test(work, of_long_ago_waits_for_one_run_at_most)
{
	add(0);
	run();
	for (unsigned i = 0; i < 65534; i++) {
		add(1);
		cr_assert_eq(run(), 1);
	}
	add(1);
	add(2);
	add(0);
	cr_assert_eq(run(), 2);
	cr_assert_eq(run(), 1);
	cr_assert_not(jif_work_pending(&works[0]));
}

Test(work, of_long_ago_runs_at_once_if_it_is_alone)
{
	add(0);
	run();
	for (unsigned i = 0; i < 65534; i++) {
		add(1);
		run();
	}
	add(0);
	cr_assert_eq(run(), 1);
}

Test(work, never_run_is_never_taken_for_work_of_this_pass)
{
	for (unsigned i = 0; i < 70000; i++) {
		add(1);
		cr_assert_eq(run(), 1);
		memset(&works[2], 0xa5, sizeof(works[2]));
		jif_work_init(&works[2], run_work, 1);
		add(1);
		add(2);
		cr_assert_eq(run(), 2);
	}
}

Test(work, without_a_function_or_a_priority_is_refused)
{
	jif_work_init(&works[0], NULL, 0);
	jif_work_init(&works[1], run_work, CONFIG_JIF_WORK_PRIORITIES);
	jif_work_init(&works[2], run_work, 256);
	for (unsigned i = 0; i < 3; i++) {
		cr_assert_not(add(i));
		cr_assert_not(jif_work_pending(&works[i]));
	}
	cr_assert(jif_workqueue_empty(&queue));
}

Test(work, initialised_statically_is_ready_to_use)
{
	static struct jif_work one = JIF_WORK_INIT(run_work, 2);
	static struct jif_work zeroed;

	cr_assert_not(jif_work_pending(&one));
	cr_assert(jif_work_queue(&queue, &one));
	cr_assert(jif_work_cancel(&queue, &one));
	cr_assert_not(jif_work_pending(&zeroed));
	cr_assert_not(jif_work_queue(&queue, &zeroed));
}

Test(work, of_two_queues_is_apart)
{
	struct jif_workqueue other;

	jif_workqueue_init(&other, NULL);
	add(0);
	cr_assert(jif_work_queue(&other, &works[1]));
	cr_assert_eq(jif_workqueue_run(&other, UINT_MAX), 1);
	expect_ran("b");
	cr_assert_eq(run(), 1);
}

Test(work, that_another_queue_has_run_waits_for_one_run_at_most)
{
	struct jif_workqueue other;

	jif_workqueue_init(&other, NULL);
	jif_work_queue(&other, &works[0]);
	cr_assert_eq(jif_workqueue_run(&other, UINT_MAX), 1);
	add(1);
	add(0);
	run();
	run();
	expect_ran("aba");
	cr_assert_not(jif_work_pending(&works[0]));
}

/* An interrupt in every window of a run. */
static unsigned windows;

static void queue_in_each_window(void)
{
	add(8 + windows++ % 4);
}

Test(work, an_interrupt_may_queue_in_every_window)
{
	jif_work_init(&works[8], run_work, 0);
	jif_work_init(&works[9], run_work, 3);
	for (unsigned i = 0; i < 4; i++)
		add(i);
	windows = 0;
	unit_window = queue_in_each_window;
	cr_assert_eq(run(), 8, "each at most once");
	unit_window = NULL;
	expect_ran("aibcdklj");
	cr_assert_geq(windows, 8);
}

static unsigned victim;
static bool was_pending[WORKS];

static void cancel_in_each_window(void)
{
	if (victim < WORKS) {
		was_pending[victim] = cancel(victim);
		victim++;
	}
}

Test(work, an_interrupt_may_cancel_in_every_window)
{
	for (unsigned begin = 0; begin < 4; begin++) {
		init();
		for (unsigned i = 0; i < 12; i++)
			add(i);
		memset(was_pending, 0, sizeof(was_pending));
		victim = begin;
		unit_window = cancel_in_each_window;
		run();
		unit_window = NULL;
		for (unsigned i = 0; i < 12; i++)
			cr_expect_eq(!was_pending[i],
				     strchr(ran, (int)('a' + i)) != NULL,
				     "cancelled or run, never both: %u", i);
	}
}

static void requeue_in_window(void)
{
	if (nran == 0 && !jif_work_pending(&works[0]))
		cr_expect(add(0));
}

Test(work, queued_between_the_taking_off_and_the_call_runs_again)
{
	add(0);
	unit_window = requeue_in_window;
	cr_assert_eq(run(), 1);
	cr_assert_eq(run(), 1);
	unit_window = NULL;
	expect_ran("aa");
}

Test(work, calls_leave_interrupts_off_if_they_were)
{
	jif_sim.off = 1;
	add(0);
	cancel(0);
	jif_delayed_work_queue(&queue, &dwork, 5);
	jif_delayed_work_mod(&queue, &dwork, 0);
	jif_delayed_work_cancel(&dwork);
	cr_assert_eq(jif_sim.off, 1);
	add(0);
	run();
	cr_assert_eq(jif_sim.off, 1);
	jif_sim.off = 0;
}

static void run_in_interrupt(void)
{
	run();
}

Test(work, run_from_an_interrupt_panics, .signal = SIGABRT)
{
	panic_with("a workqueue is run in a handler");
	unit_window = run_in_interrupt;
	jif_sim_irq();
}

Test(work, list_that_is_broken_ahead_panics, .signal = SIGABRT)
{
	add(0);
	add(1);
	add(2);
	panic_with("W2: links of pending work are broken");
	works[1].prev->next = &works[2];
	jif_work_cancel(&queue, &works[1]);
}

Test(work, list_that_is_broken_behind_panics, .signal = SIGABRT)
{
	add(0);
	add(1);
	add(2);
	panic_with("W2: links of pending work are broken");
	works[1].next->prev = &works[0];
	jif_work_cancel(&queue, &works[1]);
}

/* Delayed work. */

TestSuite(delayed_work, .init = init, .fini = unit_fini);

Test(delayed_work, is_queued_on_its_tick)
{
	cr_assert(jif_delayed_work_queue(&queue, &dwork, 300));
	cr_assert(jif_delayed_work_pending(&dwork));
	pass(299);
	cr_assert(jif_workqueue_empty(&queue));
	pass(1);
	cr_assert_not(jif_workqueue_empty(&queue));
	cr_assert(jif_delayed_work_pending(&dwork));
	cr_assert_eq(run(), 1);
	expect_ran("D");
	cr_assert_not(jif_delayed_work_pending(&dwork));
}

Test(delayed_work, without_delay_is_queued_at_once)
{
	cr_assert(jif_delayed_work_queue(&queue, &dwork, 0));
	cr_assert(jif_wheel_empty(&wheel));
	cr_assert_eq(run(), 1);
}

Test(delayed_work, counts_from_now_and_not_from_the_wheels_clock)
{
	jif_ticks(100);
	cr_assert(jif_delayed_work_queue(&queue, &dwork, 10));
	jif_wheel_run(&wheel, at(109));
	cr_assert(jif_workqueue_empty(&queue));
	jif_wheel_run(&wheel, at(110));
	cr_assert_not(jif_workqueue_empty(&queue));
}

Test(delayed_work, that_is_pending_stays_as_it_is)
{
	jif_delayed_work_queue(&queue, &dwork, 10);
	cr_assert_not(jif_delayed_work_queue(&queue, &dwork, 5));
	pass(9);
	cr_assert(jif_workqueue_empty(&queue));
	pass(1);
	cr_assert_not(jif_delayed_work_queue(&queue, &dwork, 5));
	cr_assert_eq(run(), 1);
	pass(20);
	cr_assert_eq(run(), 0);
}

Test(delayed_work, may_be_as_far_ahead_as_any_timer)
{
	cr_assert(jif_delayed_work_queue(&queue, &dwork, LONGEST));
	jif_ticks(LONGEST);
	jif_wheel_run(&wheel, at(LONGEST - 1));
	cr_assert(jif_workqueue_empty(&queue));
	jif_wheel_run(&wheel, at(LONGEST));
	cr_assert_not(jif_workqueue_empty(&queue));
}

Test(delayed_work, beyond_the_reach_of_a_wheel_that_is_behind_is_refused)
{
	jif_ticks(100);
	cr_assert_not(jif_delayed_work_queue(&queue, &dwork, LONGEST - 99));
	cr_assert_not(jif_delayed_work_pending(&dwork));
	cr_assert(jif_delayed_work_queue(&queue, &dwork, LONGEST - 100));
	cr_assert_eq(jif_delayed_work_mod(&queue, &dwork, LONGEST - 99),
		     -JIF_ERANGE);
	cr_assert_eq(jif_timer_expires(&wheel, &dwork.timer), at(LONGEST));
}

Test(delayed_work, mod_of_an_idle_one_starts_it)
{
	cr_assert_eq(jif_delayed_work_mod(&queue, &dwork, 10), 0);
	pass(10);
	cr_assert_eq(run(), 1);
}

Test(delayed_work, mod_takes_the_new_delay)
{
	jif_delayed_work_queue(&queue, &dwork, 10);
	pass(5);
	cr_assert_eq(jif_delayed_work_mod(&queue, &dwork, 10), 1);
	pass(9);
	cr_assert(jif_workqueue_empty(&queue));
	pass(1);
	cr_assert_eq(run(), 1);
}

Test(delayed_work, mod_takes_it_off_the_queue)
{
	jif_delayed_work_queue(&queue, &dwork, 0);
	cr_assert_eq(jif_delayed_work_mod(&queue, &dwork, 3), 1);
	cr_assert_eq(run(), 0);
	pass(3);
	cr_assert_eq(run(), 1);
}

Test(delayed_work, mod_to_no_delay_queues_it_at_the_end)
{
	jif_delayed_work_queue(&queue, &dwork, 10);
	add(0);
	cr_assert_eq(jif_delayed_work_mod(&queue, &dwork, 0), 1);
	cr_assert(jif_wheel_empty(&wheel));
	cr_assert_eq(run(), 2);
	expect_ran("aD");
}

Test(delayed_work, cancelled_before_its_time_never_runs)
{
	jif_delayed_work_queue(&queue, &dwork, 10);
	cr_assert(jif_delayed_work_cancel(&dwork));
	cr_assert_not(jif_delayed_work_cancel(&dwork));
	cr_assert_not(jif_delayed_work_pending(&dwork));
	pass(20);
	cr_assert_eq(run(), 0);
}

Test(delayed_work, cancelled_in_the_queue_never_runs)
{
	jif_delayed_work_queue(&queue, &dwork, 10);
	pass(10);
	cr_assert(jif_delayed_work_cancel(&dwork));
	cr_assert_eq(run(), 0);
	cr_assert_not(jif_delayed_work_cancel(&dwork));
}

Test(delayed_work, never_queued_is_not_pending)
{
	cr_assert_not(jif_delayed_work_pending(&dwork));
	cr_assert_not(jif_delayed_work_cancel(&dwork));
}

Test(delayed_work, moves_to_another_queue)
{
	struct jif_workqueue other;

	jif_workqueue_init(&other, &wheel);
	jif_delayed_work_queue(&queue, &dwork, 0);
	cr_assert_eq(jif_delayed_work_mod(&other, &dwork, 2), 1);
	cr_assert(jif_workqueue_empty(&queue));
	pass(2);
	cr_assert_eq(jif_workqueue_run(&other, UINT_MAX), 1);
}

Test(delayed_work, bad_arguments_are_refused_and_change_nothing)
{
	struct jif_workqueue timeless;

	jif_workqueue_init(&timeless, NULL);
	cr_expect_not(jif_delayed_work_queue(&timeless, &dwork, 5));
	cr_expect_not(jif_delayed_work_queue(&queue, &dwork, LONGEST + 1));
	cr_expect_not(jif_delayed_work_pending(&dwork));
	jif_delayed_work_queue(&queue, &dwork, 5);
	cr_expect_eq(jif_delayed_work_mod(&timeless, &dwork, 1), -JIF_EINVAL);
	cr_expect_eq(jif_delayed_work_mod(&queue, &dwork, LONGEST + 1),
		     -JIF_ERANGE);
	pass(4);
	cr_expect(jif_workqueue_empty(&queue));
	pass(1);
	cr_expect_eq(run(), 1);
	jif_delayed_work_init(&dwork, NULL, 0);
	cr_expect_not(jif_delayed_work_queue(&queue, &dwork, 5));
	cr_expect_eq(jif_delayed_work_mod(&queue, &dwork, 5), -JIF_EINVAL);
	cr_expect(jif_wheel_empty(&wheel));
}

static bool queue_directly(struct jif_workqueue *to)
{
	return jif_work_queue(to, &dwork.work);
}

Test(delayed_work, never_delayed_and_queued_directly_is_cancelled)
{
	cr_assert(queue_directly(&queue));
	cr_assert(jif_delayed_work_pending(&dwork));
	cr_assert_not(queue_directly(&queue));
	cr_assert_not(jif_delayed_work_queue(&queue, &dwork, 3));
	cr_assert(jif_delayed_work_cancel(&dwork));
	cr_assert_not(jif_delayed_work_pending(&dwork));
	pass(5);
	cr_assert_eq(run(), 0);
	cr_assert(jif_workqueue_empty(&queue));
}

Test(delayed_work, queued_directly_takes_a_delay_instead)
{
	cr_assert(queue_directly(&queue));
	cr_assert_eq(jif_delayed_work_mod(&queue, &dwork, 3), 1);
	cr_assert_eq(run(), 0);
	pass(3);
	cr_assert_eq(run(), 1);
	cr_assert(queue_directly(&queue));
	cr_assert_eq(run(), 1);
	expect_ran("DD");
}

Test(delayed_work, that_waits_is_not_queued_directly)
{
	cr_assert(jif_delayed_work_queue(&queue, &dwork, 3));
	cr_assert_not(queue_directly(&queue));
	cr_assert(jif_workqueue_empty(&queue));
	pass(3);
	cr_assert_not(queue_directly(&queue), "it is in the queue by now");
	cr_assert_eq(run(), 1);
	expect_ran("D");
}

Test(delayed_work, queued_directly_elsewhere_is_cancelled_there)
{
	struct jif_workqueue timeless;

	jif_workqueue_init(&timeless, NULL);
	cr_assert(jif_delayed_work_queue(&queue, &dwork, 0));
	cr_assert_eq(run(), 1);
	jif_work_queue(&timeless, &works[0]);
	cr_assert(queue_directly(&timeless));
	cr_assert(jif_delayed_work_cancel(&dwork));
	cr_assert(queue_directly(&timeless));
	cr_assert_eq(jif_delayed_work_mod(&queue, &dwork, 2), 1);
	cr_assert_eq(jif_workqueue_run(&timeless, UINT_MAX), 1);
	pass(2);
	cr_assert_eq(run(), 1);
	expect_ran("DaD");
}

/* The wheel has taken the timer off, and its callback has not queued yet. */
static bool is_under_way(void)
{
	return jif_delayed_work_pending(&dwork) &&
	       !jif_work_pending(&dwork.work) &&
	       !jif_timer_pending(&dwork.timer);
}

static int result;

static void cancel_under_way(void)
{
	if (result < 0 && is_under_way())
		result = jif_delayed_work_cancel(&dwork);
}

Test(delayed_work, cancelled_between_expiry_and_queueing_never_runs)
{
	result = -1;
	jif_delayed_work_queue(&queue, &dwork, 10);
	unit_window = cancel_under_way;
	pass(20);
	unit_window = NULL;
	cr_assert_eq(result, true);
	cr_assert_eq(run(), 0);
}

static void mod_under_way(void)
{
	if (result < 0 && is_under_way())
		result = jif_delayed_work_mod(&queue, &dwork, 7);
}

Test(delayed_work, mod_between_expiry_and_queueing_holds)
{
	result = -1;
	jif_delayed_work_queue(&queue, &dwork, 10);
	unit_window = mod_under_way;
	pass(16);
	cr_assert_eq(result, true);
	cr_assert_eq(run(), 0);
	pass(1);
	unit_window = NULL;
	cr_assert_eq(run(), 1);
}

static void queue_under_way(void)
{
	if (result < 0 && is_under_way())
		result = jif_delayed_work_queue(&queue, &dwork, 7);
}

Test(delayed_work, is_pending_between_expiry_and_queueing)
{
	result = -1;
	jif_delayed_work_queue(&queue, &dwork, 10);
	unit_window = queue_under_way;
	pass(10);
	unit_window = NULL;
	cr_assert_eq(result, false);
	cr_assert_eq(run(), 1);
}
