/* SPDX-License-Identifier: MIT */
/*
 * test/firmware/unit/sched.c - tasks: what the model of
 * test/firmware/model/turns.c does not say
 */
#include <jif/firmware/sched.h>
#include <jif/port.h>
#include <stdlib.h>

#include "../../wheel/unit/unit.h"

#define TASKS 8

static struct jif_sched sched;
static struct jif_task tasks[TASKS];
static struct jif_event event;

/* What ran, in order: task 0 is 'a'; timer 0 is '0'; work is 'w'. */
static struct {
	char letter;
	uint32_t after;
	bool timed_out;
} runs[256];
static unsigned nruns;
static void (*in_task)(unsigned i);

/* The sleeps, each of which lasts as long as it may, unless it is cut. */
static unsigned nsleeps;
static uint32_t cut;

static uint32_t ticks_of_clock;

static uint32_t clock_ticks(void)
{
	return ticks_of_clock;
}

static void note(char letter, bool timed_out)
{
	if (nruns == 256)
		return;
	runs[nruns].letter = letter;
	runs[nruns].after = jif_now() - START;
	runs[nruns++].timed_out = timed_out;
}

static void run_task(struct jif_task *task)
{
	unsigned i = (unsigned)(task - tasks);

	note((char)('a' + i), jif_task_timed_out(task));
	if (in_task)
		in_task(i);
}

static uint32_t sleep_for(uint32_t ticks)
{
	nsleeps++;
	return ticks < cut ? ticks : cut;
}

static void init(void)
{
	unit_init();
	memset(&sched, 0xa5, sizeof(sched));
	memset(tasks, 0xa5, sizeof(tasks));
	memset(&event, 0xa5, sizeof(event));
	memset(runs, 0, sizeof(runs));
	nruns = 0;
	nsleeps = 0;
	in_task = NULL;
	cut = UINT32_MAX;
	ticks_of_clock = 0;
	set_jiffies(0);
	jif_sim.sleep = sleep_for;
	jif_sched_init(&sched, &wheel, jif_port_idle, clock_ticks);
	jif_event_init(&event);
	for (unsigned i = 0; i < TASKS; i++)
		jif_task_init(&sched, &tasks[i], run_task, 1, 0);
}

TestSuite(sched, .init = init, .fini = unit_fini);

static unsigned turn(void)
{
	return jif_sched_run(&sched);
}

/* So many turns: how much ran. */
static unsigned turns(unsigned number)
{
	unsigned ran = 0;

	while (number--)
		ran += turn();
	return ran;
}

static uint32_t elapsed(void)
{
	return jif_now() - START;
}

/* Turns, until that much time has passed. */
static void run_until(uint32_t after)
{
	while (elapsed() < after) {
		cut = after - elapsed();
		turn();
	}
	cut = 0;
	turn();
	cut = UINT32_MAX;
}

static void expect_ran(const char *want)
{
	char letters[257] = { 0 };

	for (unsigned i = 0; i < nruns; i++)
		letters[i] = runs[i].letter;
	cr_expect_str_eq(letters, want);
}

static void expect_run(unsigned n, uint32_t after, bool timed_out)
{
	cr_assert_lt(n, nruns);
	cr_expect_eq(runs[n].after, after);
	cr_expect_eq(runs[n].timed_out, timed_out);
}

/* Turns and priorities. */

static void note_work(struct jif_work *work)
{
	note('w', false);
}

static void note_timer(unsigned timer)
{
	note((char)('0' + timer), false);
}

Test(sched, turn_is_wheel_then_work_or_a_task_then_sleep)
{
	struct jif_work work = JIF_WORK_INIT(note_work, 1);

	unit_callback = note_timer;
	jif_task_wake(&tasks[0]);
	jif_work_queue(&sched.work, &work);
	arm(0, 1);
	jif_tick();
	cr_assert_eq(turn(), 2);
	expect_ran("0w");
	cr_assert_eq(nsleeps, 0);
	cr_assert_eq(turn(), 1);
	expect_ran("0wa");
	cr_assert_eq(nsleeps, 1);
}

static int turn_within(void *arg, const struct jif_timer *timer, unsigned level,
		       unsigned slot, uint32_t remaining)
{
	cr_expect_eq(jif_sched_run(&sched), 0);
	return 1;
}

Test(sched, turn_within_a_walk_runs_no_timer)
{
	unit_callback = note_timer;
	arm(0, 1);
	jif_tick();
	jif_tick();
	cr_assert_eq(jif_wheel_walk(&wheel, turn_within, NULL), 1);
	expect_ran("");
	cr_assert_eq(turn(), 1);
	expect_ran("0");
}

static unsigned nested;

static void run_the_queue(struct jif_work *work)
{
	note('w', false);
	nested += jif_workqueue_run(&sched.work, JIF_FOREVER);
	jif_work_queue(&sched.work, work);
}

Test(sched, work_of_a_turn_does_not_run_the_queue_but_the_main_loop_may)
{
	struct jif_work first = JIF_WORK_INIT(run_the_queue, 0);
	struct jif_work second = JIF_WORK_INIT(note_work, 0);

	nested = 0;
	jif_work_queue(&sched.work, &first);
	jif_work_queue(&sched.work, &second);
	cr_assert_eq(turn(), 1);
	cr_assert_eq(nested, 0);
	expect_ran("w");
	cr_assert_eq(jif_workqueue_run(&sched.work, 1), 1);
	expect_ran("ww");
}

/* As many turns as there are stamps: see lib/firmware/work.c. */
Test(sched, idle_turns_do_not_make_a_task_seem_to_have_run)
{
	jif_sched_init(&sched, &wheel, NULL, NULL);
	for (unsigned i = 0; i < 3; i++)
		jif_task_init(&sched, &tasks[i], run_task, i, 0);
	jif_task_wake(&tasks[1]);
	cr_assert_eq(turns(65536), 1);
	jif_task_wake(&tasks[0]);
	cr_assert_eq(turn(), 1);
	jif_task_wake(&tasks[1]);
	jif_task_wake(&tasks[2]);
	cr_assert_eq(turns(2), 2);
	expect_ran("babc");
}

static uint32_t wake_others(uint32_t ticks)
{
	jif_sim.sleep = sleep_for;
	jif_task_wake(&tasks[2]);
	jif_task_wake(&tasks[1]);
	return ticks;
}

Test(sched, what_is_woken_in_a_sleep_goes_by_priority)
{
	jif_task_init(&sched, &tasks[1], run_task, 0, 0);
	jif_task_wake(&tasks[1]);
	jif_sim.sleep = wake_others;
	cr_assert_eq(turns(3), 3);
	expect_ran("bbc");
}

static struct jif_work urgent_work = JIF_WORK_INIT(note_work, 0);

/* The turn runs the wheel after it, as the priority says that it had. */
static void free_work(struct jif_work *work)
{
	note('F', false);
	memset(work, 0xa5, sizeof(*work));
	free(work);
}

static void free_delayed(struct jif_work *work)
{
	struct jif_delayed_work *dwork =
		jif_container_of(work, struct jif_delayed_work, work);

	note('D', false);
	memset(dwork, 0xa5, sizeof(*dwork));
	free(dwork);
}

Test(sched, work_may_be_freed_in_its_function)
{
	struct jif_delayed_work *delayed = malloc(sizeof(*delayed));
	struct jif_work *work;

	unit_callback = note_timer;
	cut = 0;
	for (unsigned priority = 0; priority < 2; priority++) {
		work = malloc(sizeof(*work));
		jif_work_init(work, free_work, priority);
		jif_work_queue(&sched.work, work);
		jif_work_queue(&sched.work, &urgent_work);
		arm(0, elapsed() + 1);
		jif_ticks(1);
		cr_expect_eq(turn(), 2, "one work and the timer");
		cr_expect_eq(turn(), 1);
	}
	expect_ran("F0ww0F");
	jif_delayed_work_init(delayed, free_delayed, 0);
	cr_assert(jif_delayed_work_queue(&sched.work, delayed, 3));
	run_until(9);
	expect_ran("F0ww0FD");
}

/* What is urgent goes before the callbacks that are left of a burst. */

static void wake_by_first(unsigned timer)
{
	note_timer(timer);
	if (!timer)
		jif_task_wake(&tasks[0]);
}

static void wake_three_times(unsigned i)
{
	if (i == 0 && nruns < 6)
		jif_task_wake(&tasks[0]);
}

Test(sched, burst_of_callbacks_holds_up_what_is_urgent_by_one_of_them)
{
	unit_callback = wake_by_first;
	in_task = wake_three_times;
	jif_task_init(&sched, &tasks[0], run_task, 0, 0);
	for (unsigned i = 0; i < 6; i++)
		arm(i, 5 + (i == 5));
	jif_task_sleep(&tasks[1], 4);
	jif_ticks(6);
	cr_assert_eq(turn(), 2, "timer 0, and what it has woken");
	cr_assert_eq(turn(), 2, "once more, and timer 1");
	cr_assert_eq(turn(), 2);
	cr_assert_eq(turn(), 5, "the last time, and all that are left");
	cr_assert_eq(nsleeps, 0, "task 1 is ready");
	cr_assert_eq(turn(), 1);
	expect_ran("0aa1a2a345b");
}

Test(sched, woken_by_an_interrupt_what_is_urgent_goes_before_the_wheel)
{
	unit_callback = note_timer;
	jif_task_init(&sched, &tasks[0], run_task, 0, 0);
	arm(0, 5);
	jif_ticks(5);
	jif_task_wake(&tasks[0]);
	jif_task_wake(&tasks[1]);
	cr_assert_eq(turn(), 2);
	cr_assert_eq(turn(), 1);
	expect_ran("a0b");
}

/* Task 0 wakes itself; every other turn is for what else is ready. */
Test(sched, what_goes_in_its_place_brings_no_second_callback)
{
	unit_callback = note_timer;
	in_task = wake_three_times;
	jif_task_init(&sched, &tasks[0], run_task, 0, 0);
	for (unsigned i = 0; i < 4; i++)
		arm(i, 1);
	jif_tick();
	for (unsigned i = 0; i < 4; i++)
		jif_task_wake(&tasks[i]);
	cr_assert_eq(turn(), 2);
	cr_assert_eq(turn(), 1, "task 1, in the place of task 0");
	cr_assert_eq(turn(), 2);
	turns(4);
	expect_ran("a0ba1ca23d");
}

Test(sched, urgent_task_goes_before_work_that_is_not)
{
	struct jif_work works[3];

	jif_task_init(&sched, &tasks[0], run_task, 0, 0);
	unit_callback = note_timer;
	for (unsigned i = 0; i < 3; i++) {
		arm(i, 1);
		jif_work_init(&works[i], note_work, 1);
		jif_work_queue(&sched.work, &works[i]);
	}
	turn();
	jif_tick();
	jif_task_wake(&tasks[0]);
	turns(5);
	expect_ran("wwa012w");
}

/* Priorities. */

static void set_priority(unsigned i, unsigned priority)
{
	cr_assert_eq(jif_task_set_priority(&tasks[i], priority), 0);
}

Test(sched, waiting_task_keeps_its_place_and_is_woken_with_the_new_priority)
{
	for (unsigned i = 0; i < 2; i++)
		cr_assert_eq(jif_task_wait(&tasks[i], &event, JIF_FOREVER), 0);
	set_priority(0, 2);
	cr_assert(jif_event_wake(&event));
	cr_assert(jif_task_pending(&tasks[0]));
	jif_task_wake(&tasks[2]);
	turns(2);
	expect_ran("ca");
	cr_assert_not(jif_task_pending(&tasks[1]));
	jif_task_stop(&tasks[1]);
}

Test(sched, task_that_had_a_priority_too_many_may_get_one)
{
	jif_task_init(&sched, &tasks[0], run_task, CONFIG_JIF_WORK_PRIORITIES,
		      0);
	set_priority(0, 3);
	cr_assert(jif_task_wake(&tasks[0]));
	turn();
	expect_ran("a");
}

static void turn_again(unsigned i)
{
	nested += turn();
	nested += nsleeps;
}

Test(sched, turn_within_a_turn_changes_nothing)
{
	in_task = turn_again;
	nested = 0;
	jif_task_wake(&tasks[0]);
	jif_task_wake(&tasks[1]);
	cr_assert_eq(turns(2), 2);
	cr_assert_eq(nested, 0);
}

Test(sched, two_schedulers_are_apart)
{
	static struct jif_sched other;
	static struct jif_wheel others_wheel;

	unit_wheel(&others_wheel, jif_now());
	jif_sched_init(&other, &others_wheel, NULL, NULL);
	jif_task_init(&other, &tasks[1], run_task, 0, 0);
	jif_task_wake(&tasks[0]);
	jif_task_sleep(&tasks[1], 5);
	cr_assert_eq(turn(), 1);
	jif_ticks(5);
	cr_assert_eq(jif_sched_run(&other), 2, "its timer, and the task");
	expect_ran("ab");
}

/* Sleeping tasks. */

Test(sched, task_sleeps_and_is_released_as_far_ahead_as_any_timer_is_armed)
{
	cr_assert_eq(jif_task_sleep(&tasks[0], LONGEST - 1), 0);
	cr_assert_eq(jif_task_sleep(&tasks[0], LONGEST), -JIF_ERANGE);
	cr_assert_eq(jif_task_start(&tasks[1], LONGEST - 1, LONGEST), 0);
	cr_assert_eq(jif_timer_expires(&wheel, &tasks[0].timer), at(LONGEST));
	cr_assert_eq(jif_timer_expires(&wheel, &tasks[1].release), at(LONGEST));
	cr_assert(jif_task_stop(&tasks[0]));
	cr_assert(jif_task_stop(&tasks[1]));
}

Test(sched, sleep_within_reach_is_so_if_the_wheel_falls_behind_amid_the_call)
{
	for (unsigned window = 1; window <= 8; window++) {
		init();
		cr_assert_eq(jif_task_sleep(&tasks[0], 20), 0);
		unit_in_window(window, unit_fall_behind);
		cr_expect_eq(jif_task_sleep(&tasks[0], LONGEST - 1), 0);
		unit_window = NULL;
		cr_expect_eq(jif_timer_expires(&wheel, &tasks[0].timer),
			     at(LONGEST));
		cr_expect(jif_task_stop(&tasks[0]));
	}
}

static void wake_it(void)
{
	cr_expect(jif_task_wake(&tasks[0]));
}

static void pass_one(void)
{
	jif_tick();
	cr_expect_eq(jif_wheel_run(&wheel, jif_now()), 0);
	unit_in_window(3, wake_it);
}

/* The run passes the end that was moved; so the sleep was before it. */
Test(sched, sleep_that_moves_an_end_which_is_over_amid_was_before_a_wake)
{
	cr_assert_eq(jif_task_sleep(&tasks[0], 0), 0);
	unit_in_window(3, pass_one);
	cr_expect_eq(jif_task_sleep(&tasks[0], 1), 0);
	unit_window = NULL;
	cr_expect(jif_task_pending(&tasks[0]));
	cr_expect(jif_wheel_empty(&wheel));
}

static void stop_and_sleep(void)
{
	cr_expect(jif_task_stop(&tasks[0]));
	cr_expect_eq(jif_task_sleep(&tasks[0], 9), 0);
}

Test(sched, task_that_sleeps_again_amid_its_wake_sleeps_on)
{
	jif_task_wait(&tasks[0], &event, 50);
	unit_in_window(1, stop_and_sleep);
	cr_assert(jif_event_wake(&event));
	cr_expect_eq(jif_timer_expires(&wheel, &tasks[0].timer), at(10));
}

static void start_it(void)
{
	cr_expect_eq(jif_task_start(&tasks[0], 6, 9), 0);
}

Test(sched, task_that_is_started_amid_a_stop_is_released)
{
	uint32_t when = 0;

	for (unsigned window = 1; window <= 2; window++) {
		init();
		cr_assert_eq(jif_task_start(&tasks[0], 3, 4), 0);
		unit_in_window(window, start_it);
		cr_expect(jif_task_stop(&tasks[0]));
		unit_window = NULL;
		cr_expect(jif_task_next(&tasks[0], &when));
		cr_expect_eq(when, at(7));
	}
}

static struct jif_work last;

static void cancel_last(void)
{
	jif_work_cancel(&sched.work, &last);
}

/* Without a sleep, a pass ends in the second turn, and lets interrupts in. */
Test(sched, last_work_that_an_interrupt_cancels_amid_a_turn_does_not_run)
{
	unsigned ran = 0;

	for (unsigned window = 1; window <= 4; window++) {
		init();
		sched.idle = NULL;
		jif_work_init(&last, note_work, 1);
		cr_assert(jif_work_queue(&sched.work, &last));
		cr_assert_eq(jif_sched_run(&sched), 1);
		cr_assert(jif_work_queue(&sched.work, &last));
		unit_in_window(window, cancel_last);
		jif_sched_run(&sched);
		unit_window = NULL;
		cr_expect_not(jif_work_pending(&last));
		ran += nruns - 1;
	}
	cr_expect(ran > 0 && ran < 4);
}

static struct jif_timer deadline;
static unsigned missed;
static bool met;

static void miss_deadline(struct jif_timer *timer)
{
	missed++;
}

/* The first one has a deadline; the second one takes long. */
static void meet_deadline(unsigned i)
{
	if (i == 1)
		jif_ticks(9);
	else
		met = jif_timer_del(&wheel, &deadline);
}

Test(sched, deadline_is_a_timer_that_tells_before_the_late_task_runs)
{
	missed = 0;
	in_task = meet_deadline;
	jif_timer_init(&deadline, miss_deadline);
	jif_task_wake(&tasks[0]);
	(void)!jif_timer_mod_in(&wheel, &deadline, 5);
	turn();
	cr_assert(met);
	jif_task_wake(&tasks[1]);
	jif_task_wake(&tasks[0]);
	(void)!jif_timer_mod_in(&wheel, &deadline, 5);
	turn();
	cr_assert_eq(missed, 0);
	turn();
	cr_assert_eq(missed, 1);
	expect_ran("aba");
	cr_assert_not(met);
}

/* Releases: the first one comes after so many whole ticks. */

/* The wheel's latest ticks were idle: no run has taken note of its target. */
Test(sched, drain_is_a_release_and_misses_none)
{
	(void)!jif_task_start(&tasks[0], 100, 100);
	run_until(150);
	jif_wheel_run(&wheel, jif_now());
	for (unsigned i = 0; i < 20; i++) {
		jif_tick();
		jif_wheel_run(&wheel, jif_now());
	}
	cr_assert_eq(jif_wheel_drain(&wheel, NULL), 1);
	cr_assert_eq(jif_task_record(&tasks[0])->missed, 0);
	cr_assert_eq(jif_timer_expires(&wheel, &tasks[0].release),
		     jif_now() + 100);
	run_until(280);
	expect_ran("aaa");
}

/* Stopping. */

/* The record. */

static const uint32_t spans[] = { 30, 50, 51, 20 };

static void take_time(unsigned i)
{
	ticks_of_clock += spans[nruns - 1];
}

Test(sched, record_tells_run_times_and_overruns_across_the_clocks_wrap)
{
	const struct jif_task_record *record = jif_task_record(&tasks[0]);

	jif_task_init(&sched, &tasks[0], run_task, 1, 50);
	in_task = take_time;
	ticks_of_clock = UINT32_MAX - 40;
	for (unsigned i = 0; i < 4; i++) {
		jif_task_wake(&tasks[0]);
		turn();
		cr_expect_eq(record->last, spans[i]);
	}
	cr_expect_eq(record->runs, 4);
	cr_expect_eq(record->longest, 51);
	cr_expect_eq(record->total, 151);
	cr_expect_eq(record->overruns, 1, "50 is within the budget");
}

Test(sched, without_a_budget_there_is_no_overrun)
{
	in_task = take_time;
	jif_task_wake(&tasks[0]);
	turn();
	cr_assert_eq(jif_task_record(&tasks[0])->last, 30);
	cr_assert_eq(jif_task_record(&tasks[0])->overruns, 0);
}

/* Idle time. */

Test(sched, without_a_function_for_it_never_sleeps)
{
	jif_sched_init(&sched, &wheel, NULL, NULL);
	cr_assert_eq(turn(), 0);
	cr_assert_eq(jif_sim.sleeps, 0);
}

Test(sched, bad_arguments_are_refused_and_change_nothing)
{
	struct jif_task zeroed;

	memset(&zeroed, 0, sizeof(zeroed));
	cr_expect_eq(jif_task_sleep(&zeroed, 5), -JIF_EINVAL);
	cr_expect_eq(jif_task_start(&zeroed, 5, 5), -JIF_EINVAL);
	jif_task_init(&sched, &tasks[1], NULL, 0, 0);
	jif_task_init(&sched, &tasks[2], run_task, CONFIG_JIF_WORK_PRIORITIES,
		      0);
	for (unsigned i = 1; i < 3; i++) {
		cr_expect_not(jif_task_wake(&tasks[i]));
		cr_expect_eq(jif_task_sleep(&tasks[i], 5), -JIF_EINVAL);
		cr_expect_eq(jif_task_wait(&tasks[i], &event, 5), -JIF_EINVAL);
		cr_expect_eq(jif_task_start(&tasks[i], 5, 5), -JIF_EINVAL);
		cr_expect_not(jif_task_stop(&tasks[i]));
	}
	cr_expect_eq(jif_task_set_priority(&tasks[1], 0), -JIF_EINVAL);
	cr_expect_eq(jif_task_set_priority(&tasks[0],
					   CONFIG_JIF_WORK_PRIORITIES),
		     -JIF_EINVAL);
	jif_task_sleep(&tasks[0], 50);
	cr_expect_eq(jif_task_sleep(&tasks[0], LONGEST), -JIF_ERANGE);
	cr_expect_eq(jif_task_wait(&tasks[0], &event, LONGEST), -JIF_ERANGE);
	cr_expect_eq(jif_task_start(&tasks[0], 5, 0), -JIF_EINVAL);
	cr_expect_eq(jif_task_start(&tasks[0], 5, LONGEST + 1), -JIF_ERANGE);
	cr_expect_eq(jif_task_start(&tasks[0], LONGEST, 5), -JIF_ERANGE);
	run_until(100);
	cr_assert_eq(nruns, 1);
	expect_run(0, 51, true);
}

static unsigned ran_asleep;

static void run_asleep(uint32_t ticks)
{
	ran_asleep = turn();
}

Test(sched, asleep_it_does_not_run)
{
	jif_sched_init(&sched, &wheel, run_asleep, clock_ticks);
	ran_asleep = 1;
	cr_assert_eq(turn(), 0);
	cr_assert_eq(ran_asleep, 0);
}

static void run_within(struct jif_timer *timer)
{
	note((char)('0' + turn()), false);
}

/* The program runs the wheel itself, and the scheduler from a callback. */
Test(sched, wheel_that_is_run_is_left_to_that)
{
	struct jif_timer timer = JIF_TIMER_INIT(run_within);

	cr_assert_eq(jif_timer_add(&wheel, &timer, at(5)), 0);
	jif_task_wake(&tasks[0]);
	jif_ticks(9);
	cr_assert_eq(jif_wheel_run(&wheel, jif_now()), 1);
	cr_assert_eq(nruns, 2);
	expect_run(0, 9, false);
	cr_assert_eq(runs[1].letter, '1', "the task only");
}

Test(sched, calls_leave_interrupts_off_if_they_were)
{
	jif_sim.off = 1;
	jif_task_sleep(&tasks[0], 5);
	jif_task_wait(&tasks[0], &event, 5);
	jif_event_wake(&event);
	jif_task_stop(&tasks[0]);
	(void)!jif_task_start(&tasks[0], 5, 5);
	jif_task_stop(&tasks[0]);
	cr_assert_eq(jif_sim.off, 1);
	jif_sim.off = 0;
}

static bool slept_anew;

/* Between the moment of expiry and the timer's function. */
static void sleep_anew(void)
{
	if (!slept_anew && elapsed() == 6 && tasks[0].asleep &&
	    !jif_timer_pending(&tasks[0].timer))
		slept_anew = !jif_task_sleep(&tasks[0], 10);
}

Test(sched, handler_may_put_a_task_to_sleep_anew_while_its_sleep_ends)
{
	slept_anew = false;
	cr_assert_eq(jif_task_sleep(&tasks[0], 5), 0);
	jif_sim.irq = sleep_anew;
	run_until(16);
	cr_expect(slept_anew);
	expect_ran("");
	run_until(17);
	expect_ran("a");
	cr_expect(runs[0].timed_out);
}

/* What time it is. */

Test(sched, wheel_that_is_initialised_afterwards_gets_them_with_the_first_sleep)
{
	jif_wheel_init(&wheel, START);
	if (CONFIG_JIF_DEBUG)
		jif_warn = unit_no_warning;
	turn();
	if (CONFIG_JIF_DEBUG)
		jif_warn = NULL;
	cr_assert_eq(nsleeps, 1);
	jif_ticks(10);
	cr_assert_eq(jif_wheel_now(&wheel), jif_now());
	cr_assert_neq(jif_wheel_now(&wheel), jif_wheel_clock(&wheel));
}
static int slept_far;

static void sleep_far(unsigned i)
{
	slept_far = jif_task_sleep(&tasks[i], LONGEST - 2 * WEEK);
}

static void wake_urgent(void)
{
	if (elapsed() <= JIF_SLEEP_MAX)
		return;
	jif_sim.irq = NULL;
	jif_task_wake(&tasks[0]);
}

/* It goes before the wheel, which is behind by the longest sleep. */
Test(sched, urgent_task_that_ends_a_sleep_may_sleep_as_long_as_ever)
{
	jif_task_init(&sched, &tasks[0], run_task, 0, 0);
	in_task = sleep_far;
	slept_far = 1;
	turn();
	cr_assert_eq(elapsed(), JIF_SLEEP_MAX);
	cut = JIF_SLEEP_MAX;
	jif_sim.irq = wake_urgent;
	turn();
	cr_assert_eq(elapsed() - JIF_SLEEP_MAX, JIF_SLEEP_MAX);
	cut = 0;
	turn();
	expect_ran("a");
	cr_assert_eq(slept_far, 0);
	cr_assert_eq(jif_timer_left(&wheel, &tasks[0].timer),
		     LONGEST - 2 * WEEK + 1);
}

/* Of task 0, after START; UINT32_MAX: there is none. */
static uint32_t next_of(void)
{
	uint32_t when = 77;

	if (jif_task_next(&tasks[0], &when))
		return when - START;
	cr_expect_eq(when, 77);
	return UINT32_MAX;
}

Test(sched, next_is_when_a_timer_makes_the_task_ready)
{
	cr_expect_eq(next_of(), UINT32_MAX, "idle");
	jif_task_sleep(&tasks[0], 50);
	cr_expect_eq(next_of(), 51);
	(void)!jif_task_start(&tasks[0], 30, 100);
	cr_expect_eq(next_of(), 31, "its release is sooner");
	jif_task_sleep(&tasks[0], 10);
	cr_expect_eq(next_of(), 11, "its sleep is sooner");
	run_until(11);
	expect_ran("a");
	cr_expect_eq(next_of(), 31);
	run_until(31);
	cr_expect_eq(next_of(), 131);
	jif_task_stop(&tasks[0]);
	cr_expect_eq(next_of(), UINT32_MAX, "stopped");
	jif_task_wait(&tasks[0], &event, JIF_FOREVER);
	cr_expect_eq(next_of(), UINT32_MAX, "it waits for ever");
	jif_task_wake(&tasks[0]);
	cr_expect_eq(next_of(), UINT32_MAX, "it is ready");
}

/* What the main loop adds to the clock between two turns is to come. */
Test(sched, clock_moves_on_after_a_sleep_and_stops_where_a_timer_is_due)
{
	cut = 500;
	turn();
	cr_assert_eq(now(), 500);
	cut = UINT32_MAX;
	arm(0, 530);
	turn();
	cr_assert_eq(elapsed(), 530);
	cr_assert_eq(count(0), 0);
	cr_assert_eq(now(), 530);
	turn();
	cr_assert_eq(count(0), 1);
}

static void sleep_by_counter(uint32_t ticks)
{
	nsleeps++;
	unit_time += ticks;
}

static uint32_t woken_at[3];

static void sleep_again(unsigned i)
{
	if (nruns <= 3)
		woken_at[nruns - 1] = unit_time;
	if (nruns < 3)
		cr_assert_eq(jif_task_sleep(&tasks[i], 99), 0);
	unit_time += 7;
}

Test(sched, sleeps_and_measures_by_the_time_of_its_wheel)
{
	unit_time = 5000;
	jif_wheel_init_time(&wheel, unit_tell_time);
	jif_sched_init(&sched, &wheel, sleep_by_counter, NULL);
	in_task = sleep_again;
	jif_task_wake(&tasks[0]);
	for (unsigned i = 0; i < 10; i++)
		turn();
	cr_assert_eq(nruns, 3);
	cr_assert_eq(woken_at[0], 5000);
	cr_assert_eq(woken_at[1], 5100);
	cr_assert_eq(woken_at[2], 5200);
	cr_assert_eq(jif_task_record(&tasks[0])->total, 21);
	cr_assert_eq(jif_now(), START, "jiffies stand still");
}
