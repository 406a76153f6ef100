/* SPDX-License-Identifier: MIT */
/* Deferred work: what test/firmware/model/turns.c does not say */
#include <jif/firmware/work.h>

#include "../../wheel/unit/unit.h"

#define WORKS 16

static struct jif_workqueue queue;
static struct jif_work works[WORKS];
static struct jif_delayed_work dwork;

/* What ran, in order, as letters: work 0 is 'a'; the delayed work is 'D'. */
static char ran[256];
static unsigned nran;

static void note(char letter)
{
	if (nran < sizeof(ran) - 1)
		ran[nran++] = letter;
}

static void run_work(struct jif_work *work)
{
	note((char)('a' + (work - works)));
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
	set_jiffies(0);
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
	return jif_workqueue_run(&queue, JIF_FOREVER);
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

static void cancel_last(void)
{
	cancel(2);
}

Test(work, that_has_run_in_the_pass_runs_if_what_has_not_is_cancelled_amid)
{
	for (unsigned window = 1; window <= 2; window++) {
		init();
		jif_work_init(&works[2], run_work, 3);
		add(0);
		add(2);
		cr_assert_eq(jif_workqueue_run(&queue, 1), 1);
		add(0);
		unit_in_window(window, cancel_last);
		cr_expect_gt(run(), 0);
		unit_window = NULL;
	}
}

/* A stamp of 65535 passes ago looks like one of this pass. */
static void run_long_ago(void)
{
	add(0);
	run();
	for (unsigned i = 0; i < 65534; i++) {
		add(1);
		cr_assert_eq(run(), 1);
	}
}

Test(work, of_long_ago_waits_for_one_run_at_most)
{
	run_long_ago();
	add(1);
	add(2);
	add(0);
	cr_assert_eq(run(), 2);
	cr_assert_eq(run(), 1);
	cr_assert_not(jif_work_pending(&works[0]));
}

Test(work, of_long_ago_runs_at_once_if_it_is_alone)
{
	run_long_ago();
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

Test(work, of_a_priority_that_does_not_fit_into_its_byte_is_refused)
{
	jif_work_init(&works[0], run_work, 256);
	cr_assert_not(add(0));
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

Test(work, that_another_queue_has_run_waits_for_one_run_at_most)
{
	struct jif_workqueue other;

	jif_workqueue_init(&other, NULL);
	jif_work_queue(&other, &works[0]);
	cr_assert_eq(jif_workqueue_run(&other, JIF_FOREVER), 1);
	add(1);
	add(0);
	run();
	run();
	expect_ran("aba");
	cr_assert_not(jif_work_pending(&works[0]));
}

Test(work, calls_leave_interrupts_off_if_they_were)
{
	jif_sim.off = 1;
	add(0);
	cancel(0);
	(void)!jif_delayed_work_queue(&queue, &dwork, 5);
	(void)!jif_delayed_work_mod(&queue, &dwork, 0);
	jif_delayed_work_cancel(&dwork);
	cr_assert_eq(jif_sim.off, 1);
	add(0);
	run();
	cr_assert_eq(jif_sim.off, 1);
	jif_sim.off = 0;
}

/* Delayed work. */

TestSuite(delayed_work, .init = init, .fini = unit_fini);

Test(delayed_work, moves_to_another_wheel)
{
	static struct jif_wheel second;
	struct jif_workqueue other;

	jif_wheel_init(&second, START);
	jif_workqueue_init(&other, &second);
	cr_assert(jif_delayed_work_queue(&queue, &dwork, 5));
	cr_assert_eq(jif_delayed_work_mod(&other, &dwork, 90), 1);
	cr_expect(jif_wheel_empty(&wheel));
	cr_expect_eq(jif_timer_expires(&second, &dwork.timer), START + 91);
	cr_assert_eq(jif_delayed_work_mod(&queue, &dwork, 7), 1);
	cr_expect(jif_wheel_empty(&second));
	cr_expect(jif_delayed_work_cancel(&dwork));
	cr_expect(jif_wheel_empty(&wheel));
}

Test(delayed_work, beyond_the_reach_of_a_wheel_that_is_behind_is_refused)
{
	jif_ticks(100);
	cr_assert_not(jif_delayed_work_queue(&queue, &dwork, LONGEST - 100));
	cr_assert_not(jif_delayed_work_pending(&dwork));
	cr_assert(jif_delayed_work_queue(&queue, &dwork, LONGEST - 101));
	cr_assert_eq(jif_delayed_work_mod(&queue, &dwork, LONGEST - 100),
		     -JIF_ERANGE);
	cr_assert_eq(jif_timer_expires(&wheel, &dwork.timer), at(LONGEST));
}

Test(delayed_work, that_was_within_reach_is_so_if_the_wheel_falls_behind_amid)
{
	for (unsigned window = 1; window <= 8; window++) {
		init();
		jif_work_queue(&queue, &dwork.work);
		unit_in_window(window, unit_fall_behind);
		cr_expect_eq(jif_delayed_work_mod(&queue, &dwork, LONGEST - 1),
			     1);
		unit_window = NULL;
		cr_expect_eq(jif_timer_expires(&wheel, &dwork.timer),
			     at(LONGEST));
		cr_expect(jif_workqueue_empty(&queue));
	}
}

Test(delayed_work, without_delay_needs_no_reach)
{
	jif_ticks(LONGEST);
	cr_assert_eq(jif_delayed_work_mod(&queue, &dwork, 0), 0);
	cr_assert_not(jif_workqueue_empty(&queue));
	cr_assert_eq(jif_delayed_work_mod(&queue, &dwork, 1), -JIF_ERANGE);
	cr_assert(jif_delayed_work_pending(&dwork));
}

Test(delayed_work, moves_to_another_queue)
{
	struct jif_workqueue other;

	jif_workqueue_init(&other, &wheel);
	(void)!jif_delayed_work_queue(&queue, &dwork, 0);
	cr_assert_eq(jif_delayed_work_mod(&other, &dwork, 2), 1);
	cr_assert(jif_workqueue_empty(&queue));
	cr_assert_eq(jif_delayed_work_mod(&queue, &dwork, 2), 1, "and back");
	pass(3);
	cr_assert_eq(jif_workqueue_run(&other, JIF_FOREVER), 0);
	cr_assert_eq(jif_workqueue_run(&queue, JIF_FOREVER), 1);
}

Test(delayed_work, bad_arguments_are_refused_and_change_nothing)
{
	struct jif_workqueue timeless;

	jif_workqueue_init(&timeless, NULL);
	cr_expect_not(jif_delayed_work_queue(&timeless, &dwork, 5));
	cr_expect_not(jif_delayed_work_queue(&queue, &dwork, LONGEST));
	cr_expect_not(jif_delayed_work_pending(&dwork));
	(void)!jif_delayed_work_queue(&queue, &dwork, 5);
	cr_expect_eq(jif_delayed_work_mod(&timeless, &dwork, 1), -JIF_EINVAL);
	cr_expect_eq(jif_delayed_work_mod(&queue, &dwork, LONGEST),
		     -JIF_ERANGE);
	pass(5);
	cr_expect(jif_workqueue_empty(&queue));
	pass(1);
	cr_expect_eq(run(), 1);
	jif_delayed_work_init(&dwork, NULL, 0);
	cr_expect_not(jif_delayed_work_queue(&queue, &dwork, 5));
	cr_expect_eq(jif_delayed_work_mod(&queue, &dwork, 5), -JIF_EINVAL);
	cr_expect(jif_wheel_empty(&wheel));
}

static uint32_t next_of(void)
{
	uint32_t when = 77;

	if (jif_delayed_work_next(&dwork, &when))
		return when - START;
	cr_expect_eq(when, 77);
	return UINT32_MAX;
}

Test(delayed_work, next_is_when_its_timer_queues_it)
{
	cr_expect_eq(next_of(), UINT32_MAX, "idle");
	(void)!jif_delayed_work_queue(&queue, &dwork, 5);
	cr_expect_eq(next_of(), 6);
	(void)!jif_delayed_work_mod(&queue, &dwork, 100);
	cr_expect_eq(next_of(), 101);
	pass(101);
	cr_expect_eq(next_of(), UINT32_MAX, "it is queued");
	cr_expect_eq(run(), 1);
	cr_expect_eq(next_of(), UINT32_MAX);
	(void)!jif_delayed_work_queue(&queue, &dwork, 5);
	jif_delayed_work_cancel(&dwork);
	cr_expect_eq(next_of(), UINT32_MAX, "cancelled");
}
