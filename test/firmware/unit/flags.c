/* SPDX-License-Identifier: MIT */
/*
 * test/firmware/unit/flags.c - event flags, and events that wake all: what the
 * model of test/firmware/model/turns.c does not say
 */
#include <jif/firmware/flags.h>

#include "../../wheel/unit/unit.h"

#define TASKS 4
#define ANY   JIF_FLAGS_ANY
#define ALL   JIF_FLAGS_ALL
#define CLEAR JIF_FLAGS_CLEAR

static struct jif_sched sched;
static struct jif_task tasks[TASKS];
static struct jif_flags flags;
static struct jif_event event;

/* What ran, in order, and what it had got. */
static struct {
	unsigned task;
	uint32_t got;
	bool timed_out;
} runs[16];
static unsigned nruns;

static void run_task(struct jif_task *task)
{
	if (nruns == 16)
		return;
	runs[nruns].task = (unsigned)(task - tasks);
	runs[nruns].got = jif_flags_take(task);
	runs[nruns++].timed_out = jif_task_timed_out(task);
}

static void init(void)
{
	unit_init();
	set_jiffies(0);
	memset(tasks, 0xa5, sizeof(tasks));
	memset(&flags, 0xa5, sizeof(flags));
	memset(runs, 0, sizeof(runs));
	nruns = 0;
	jif_sched_init(&sched, &wheel, NULL, NULL);
	jif_flags_init(&flags);
	jif_event_init(&event);
	for (unsigned i = 0; i < TASKS; i++)
		jif_task_init(&sched, &tasks[i], run_task, 1, 0);
}

TestSuite(flags, .init = init, .fini = unit_fini);

static void turns(void)
{
	while (jif_sched_run(&sched))
		;
}

static int wait_for(unsigned task, uint32_t want, unsigned how)
{
	return jif_flags_wait(&flags, &tasks[task], want, how, JIF_FOREVER);
}

static void expect_run(unsigned n, unsigned task, uint32_t got)
{
	cr_assert_lt(n, nruns);
	cr_expect_eq(runs[n].task, task);
	cr_expect_eq(runs[n].got, got);
	cr_expect_eq(runs[n].timed_out, false);
}

/* What is set before the wait and after it: what is got, and what is left. */
static const struct {
	uint32_t before;
	uint32_t want;
	unsigned how;
	uint32_t after;
	uint32_t got;
	uint32_t left;
} waits[] = {
	{ 0, 1, ANY, 1, 1, 1 },
	{ 0, 1, ANY, 2, 0, 2 },
	{ 0, 6, ANY, 2, 2, 2 },
	{ 0, 6, ANY | CLEAR, 0xd, 4, 9 },
	{ 0, 6, ANY | CLEAR, 8, 0, 8 },
	{ 0, 6, ALL, 2, 0, 2 },
	{ 0, 6, ALL, 7, 6, 7 },
	{ 0, 6, ALL | CLEAR, 7, 6, 1 },
	{ 0, 6, ALL | CLEAR, 3, 0, 3 },
	{ 2, 6, ALL | CLEAR, 4, 6, 0 },
	{ 2, 6, ANY, 0, 2, 2 },
	{ 7, 6, ALL, 0, 6, 7 },
	{ 7, 6, ANY | CLEAR, 0, 6, 1 },
	{ 7, 6, ANY | CLEAR, 6, 6, 7 },
	{ 0x80000000, UINT32_MAX, ANY | CLEAR, 1, 0x80000000, 1 },
	{ 0x7fffffff, UINT32_MAX, ALL | CLEAR, 0x80000000, UINT32_MAX, 0 },
};

Test(flags, wait_ends_with_one_or_all_and_clears_them_or_not)
{
	for (unsigned i = 0; i < sizeof(waits) / sizeof(*waits); i++) {
		bool early, late;

		init();
		cr_assert_not(jif_flags_set(&flags, waits[i].before));
		cr_assert_eq(wait_for(0, waits[i].want, waits[i].how), 0);
		early = jif_task_pending(&tasks[0]);
		late = jif_flags_set(&flags, waits[i].after);
		turns();
		cr_expect_eq(early + late, waits[i].got != 0, "row %u", i);
		cr_expect_eq(nruns, waits[i].got != 0, "row %u", i);
		cr_expect_eq(runs[0].got, waits[i].got, "row %u", i);
		cr_expect_eq(jif_flags_get(&flags), waits[i].left, "row %u", i);
		jif_task_stop(&tasks[0]);
	}
}

Test(flags, bad_arguments_are_refused_and_change_nothing)
{
	static const unsigned hows[] = { 0, 3, 4, 7, 8, 9, 10 };
	static struct jif_task zeroed;

	wait_for(0, 1, ANY);
	for (unsigned i = 0; i < sizeof(hows) / sizeof(*hows); i++)
		cr_expect_eq(wait_for(0, 2, hows[i]), -JIF_EINVAL, "%u", i);
	cr_expect_eq(wait_for(0, 0, ANY), -JIF_EINVAL);
	cr_expect_eq(jif_flags_wait(&flags, &tasks[0], 2, ANY, LONGEST),
		     -JIF_ERANGE);
	memset(&zeroed, 0, sizeof(zeroed));
	cr_expect_eq(jif_flags_wait(&flags, &zeroed, 1, ANY, 5), -JIF_EINVAL);
	cr_assert_not(jif_flags_set(&flags, 2));
	cr_assert(jif_flags_set(&flags, 1));
	turns();
	expect_run(0, 0, 1);
}

Test(flags, calls_leave_interrupts_off_if_they_were)
{
	jif_sim.off = 1;
	wait_for(0, 1, ANY);
	jif_flags_set(&flags, 1);
	jif_flags_get(&flags);
	jif_flags_clear(&flags, 1);
	jif_flags_take(&tasks[0]);
	jif_event_wake_all(&event);
	cr_assert_eq(jif_sim.off, 1);
	jif_sim.off = 0;
}

Test(flags, event_wakes_all_and_is_remembered_if_none_waits)
{
	for (unsigned i = 0; i < TASKS; i++)
		jif_task_wait(&tasks[TASKS - 1 - i], &event, 9);
	cr_assert_eq(jif_event_wake_all(&event), TASKS);
	turns();
	cr_assert_eq(nruns, TASKS);
	for (unsigned i = 0; i < TASKS; i++)
		expect_run(i, TASKS - 1 - i, 0);
	jif_task_wait(&tasks[0], &event, 9);
	cr_assert_eq(jif_event_wake_all(&event), 1, "none was remembered");
	turns();
	cr_assert_eq(jif_event_wake_all(&event), 0);
	cr_assert_eq(jif_event_wake_all(&event), 0);
	jif_task_wait(&tasks[0], &event, 9);
	jif_task_wait(&tasks[1], &event, 9);
	cr_assert(jif_task_pending(&tasks[0]));
	cr_assert_not(jif_task_pending(&tasks[1]));
}

Test(flags, all_that_are_woken_leave_no_timer)
{
	for (unsigned i = 0; i < TASKS; i++)
		jif_flags_wait(&flags, &tasks[i], 1, ANY, 9);
	jif_flags_set(&flags, 1);
	cr_assert(jif_wheel_empty(&wheel));
}

/* A task waits already, and something comes in one window of another wait. */
static int wait_amid(void (*what)(void), unsigned window, uint32_t timeout)
{
	int ret;

	init();
	cr_assert_eq(jif_flags_wait(&flags, &tasks[0], 1, ANY, 50), 0);
	unit_in_window(window, what);
	ret = jif_flags_wait(&flags, &tasks[0], 2, ANY, timeout);
	unit_window = NULL;
	return ret;
}

static void set_one(void)
{
	jif_flags_set(&flags, 1);
}

Test(flags, that_end_a_wait_before_the_next_one_begins_are_got)
{
	unsigned busy = 0;

	for (unsigned window = 1; window <= 4; window++) {
		int ret = wait_amid(set_one, window, 60);

		busy += ret == -JIF_EBUSY;
		cr_expect(ret == 0 || ret == -JIF_EBUSY);
		cr_expect_eq(jif_task_pending(&tasks[0]), ret != 0);
		cr_expect_eq(jif_flags_take(&tasks[0]), ret ? 1u : 0u);
	}
	cr_expect(busy > 0 && busy < 4);
}

static void pass_three(void)
{
	jif_ticks(4);
	jif_wheel_run(&wheel, jif_now());
}

Test(flags, wait_whose_end_comes_before_it_begins_was_before_that)
{
	unsigned ended = 0;

	for (unsigned window = 1; window <= 4; window++) {
		cr_expect_eq(wait_amid(pass_three, window, 3), 0);
		ended += jif_task_pending(&tasks[0]);
		cr_expect_eq(jif_flags_take(&tasks[0]), 0);
	}
	cr_expect(ended > 0 && ended < 4);
}

static void set_two_and_pass_three(void)
{
	jif_flags_set(&flags, 2);
	unit_in_window(1, pass_three);
}

/* The end of the wait before is not moved to that of this one. */
Test(flags, that_end_a_wait_before_it_is_armed_come_before_its_end)
{
	for (unsigned window = 1; window <= 4; window++) {
		wait_amid(set_two_and_pass_three, window, 3);
		cr_expect(jif_task_pending(&tasks[0]));
		cr_expect_eq(jif_flags_take(&tasks[0]), 2);
	}
}

static void wake_event(void)
{
	jif_event_wake(&event);
}

Test(flags, event_that_wakes_amid_a_sleep_came_before_it)
{
	unsigned busy = 0;

	for (unsigned window = 1; window <= 4; window++) {
		init();
		cr_assert_eq(jif_task_wait(&tasks[0], &event, 50), 0);
		unit_in_window(window, wake_event);
		busy += jif_task_sleep(&tasks[0], 60) == -JIF_EBUSY;
		unit_window = NULL;
		cr_expect_eq(jif_task_pending(&tasks[0]), window <= busy);
		cr_expect_eq(jif_wheel_empty(&wheel), window <= busy);
	}
	cr_expect_eq(busy, 3);
}
