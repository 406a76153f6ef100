/* SPDX-License-Identifier: MIT */
/* What of a window was idle, and what each task took */
#include <jif/load.h>
#include <jif/port.h>

#include "../../wheel/unit/unit.h"

static struct jif_sched sched;
static struct jif_task tasks[2];
static struct jif_load load;
static struct jif_load_task entries[2];
static uint32_t counts;

/* A jiffy is a hundred counts. */
static uint32_t clock_counts(void)
{
	return counts + 100 * jif_now();
}

static void run_task(struct jif_task *task)
{
	counts += task == &tasks[0] ? 300 : 50;
}

static bool is_over(void)
{
	return tasks[0].record.runs == 2 && tasks[1].record.runs;
}

static void idle(uint32_t ticks)
{
	if (!is_over())
		jif_load_sleep(&load, jif_port_idle, ticks);
}

static void init(void)
{
	unit_init();
	memset(&load, 0xa5, sizeof(load));
	memset(entries, 0xa5, sizeof(entries));
	jif_ticks(START - jif_now());
	counts = UINT32_MAX - 100 * START - 120; /* it wraps on the way */
	jif_sched_init(&sched, &wheel, idle, clock_counts);
	jif_load_init(&load, clock_counts);
	for (unsigned i = 0; i < 2; i++) {
		jif_task_init(&sched, &tasks[i], run_task, 1, 0);
		jif_load_add(&load, &entries[i], &tasks[i], i ? "b" : "a");
	}
}

TestSuite(load, .init = init, .fini = unit_fini);

/* Task 0 twice, task 1 once, 10 jiffies asleep, 50 counts for others. */
static void run_window(void)
{
	(void)!jif_task_start(&tasks[0], 4, 5);
	jif_task_sleep(&tasks[1], 9);
	while (!is_over())
		jif_sched_run(&sched);
	jif_task_stop(&tasks[0]);
	counts += 50;
}

Test(load, tells_the_idle_part_and_that_of_each_task)
{
	run_window();
	jif_load_next(&load);
	cr_assert_eq(entries[0].busy, 600);
	cr_assert_eq(entries[1].busy, 50);
	cr_assert_eq(load.idle, 1000);
	cr_assert_eq(load.span, 1700);
	cr_assert_eq(jif_load_share(&load, load.idle), 588);
	cr_assert_eq(jif_load_share(&load, entries[0].busy), 352);
}

Test(load, begins_anew_with_each_window)
{
	run_window();
	jif_load_next(&load);
	counts += 400;
	jif_load_next(&load);
	cr_assert_eq(entries[0].busy, 0);
	cr_assert_eq(load.idle, 0);
	cr_assert_eq(load.span, 400);
}

Test(load, leaves_out_what_a_task_did_before_it_was_added)
{
	run_window();
	jif_load_init(&load, clock_counts);
	jif_load_add(&load, &entries[1], &tasks[1], "b");
	jif_task_wake(&tasks[1]);
	jif_sched_run(&sched);
	jif_load_next(&load);
	cr_assert_eq(entries[1].busy, 50);
	cr_assert_eq(load.tasks, &entries[1]);
	cr_assert_null(entries[1].next);
}

Test(load, shares_are_right_for_short_and_long_windows)
{
	static const struct {
		uint32_t span, counts;
		unsigned share;
	} rows[] = {
		{ 0, 0, 0 },
		{ 3, 1, 333 },
		{ 3, 3, 1000 },
		{ 1000, 5000000, 1000 },
		{ 0, 5, 0 },
		{ 4294967, 4294966, 999 },
		{ 4294967, 4294967, 1000 },
		{ 4294968, 4294968, 1000 },
		{ UINT32_MAX, 0x80000000, 500 },
		{ UINT32_MAX, UINT32_MAX, 1000 },
	};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		load.span = rows[i].span;
		cr_expect_eq(jif_load_share(&load, rows[i].counts),
			     rows[i].share, "row %u", i);
	}
}

Test(load, counts_jiffies_where_there_is_no_clock)
{
	jif_load_init(&load, NULL);
	jif_sim.off = 1;
	jif_load_sleep(&load, jif_port_idle, 70);
	jif_sim.off = 0;
	jif_ticks(30);
	jif_load_next(&load);
	cr_assert_eq(load.idle, 70);
	cr_assert_eq(load.span, 100);
}
