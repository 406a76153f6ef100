/* SPDX-License-Identifier: MIT */
/*
 * test/model/turns.c - random turns of a scheduler, and the model of tasks.h
 *
 * The same act is done to both, by the main loop, by tasks and work while they
 * run, and by an interrupt in the windows in which the library lets one in. In
 * each window the model first catches up with what the library has done by
 * itself since: timers that have expired, and what has been taken off to run.
 * The model says which one that has to be. LOCKSTEP_SEED and
 * LOCKSTEP_OPERATIONS, in the environment, are for more of it.
 */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <jif/jiffies.h>
#include <jif/port.h>
#include <jif/sched.h>
#include <jif/sim.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "tasks.h"

#define DEFAULT	      1000000
#define BEFORE_WRAP   ((UINT64_C(1) << 32) - 100000)
#define FIRST_DELAYED (TASKS_WORKS - TASKS_DELAYED)

static struct {
	uint64_t seed;
	uint64_t random;
	unsigned interrupts; /* one in so many windows */
	uint64_t acts;
	uint64_t interrupted;
	uint64_t ran;
	uint64_t sleeps;
	char difference[160];
	struct tasks model;
	struct jif_wheel wheel;
	struct jif_sched sched;
	struct jif_work works[TASKS_WORKS];
	struct jif_delayed_work dworks[TASKS_WORKS];
	struct jif_task tasks[TASKS_TASKS];
	struct jif_event events[TASKS_EVENTS];
	int taken; /* off the queue, and does not run yet */
	bool timed_out;
	bool in_fn;
	bool in_turn;
	bool running; /* the queue */
	bool acted;   /* an interrupt has, in this turn */
} test;

static uint32_t random_below(uint32_t end)
{
	return random_next(&test.random, end);
}

static void must(bool right, const char *what)
{
	if (right || test.difference[0])
		return;
	snprintf(test.difference, sizeof(test.difference),
		 "seed %" PRIu64 ", act %" PRIu64 ", now %" PRIu64 ": %s",
		 test.seed, test.acts, test.model.now, what);
}

static struct jif_work *work_of(unsigned i)
{
	return i < FIRST_DELAYED ? &test.works[i] : &test.dworks[i].work;
}

/* Has the library run the callback of a timer that the model has armed? */
static bool has_expired(unsigned timer)
{
	const struct jif_timer *release;

	if (timer < TASKS_WORKS)
		return !test.dworks[timer].armed;
	if (timer < TASKS_ITEMS)
		return !test.tasks[timer - TASKS_WORKS].asleep;
	release = &test.tasks[timer - TASKS_ITEMS].release;
	return jif_timer_pending(release) &&
	       jif_timer_expires(&test.wheel, release) !=
		       (uint32_t)test.model.timers[timer].expires;
}

static bool is_ready(unsigned item)
{
	if (item < TASKS_WORKS)
		return jif_work_pending(work_of(item));
	return jif_task_pending(&test.tasks[item - TASKS_WORKS]);
}

/* A run begins or ends without a word; but not without a window. */
static void follow_run(void)
{
	if (test.sched.work.running == test.running)
		return;
	test.running = test.sched.work.running;
	tasks_turn_over(&test.model, false);
}

static void follow_queue(void)
{
	int first;

	if (test.in_fn || test.taken >= 0)
		return;
	if (!test.in_turn)
		follow_run();
	first = test.in_turn ? tasks_next_item(&test.model) :
			       tasks_first(&test.model, false);
	if (first < 0 || is_ready((unsigned)first))
		return;
	must(tasks_due(&test.model) < 0, "something runs before a timer");
	test.timed_out = test.in_turn ?
				 tasks_pick(&test.model, (unsigned)first) :
				 tasks_take(&test.model, (unsigned)first);
	test.taken = first;
}

/* What the library has done by itself. */
static void follow(void)
{
	uint32_t clk = jif_wheel_clock(&test.wheel);
	int due;

	test.model.clock += (uint32_t)(clk - (uint32_t)test.model.clock);
	jif_sim.off++;
	while ((due = tasks_due(&test.model)) >= 0) {
		must(test.model.timers[due].expires == test.model.clock,
		     "the clock is past an expiry");
		if (!has_expired((unsigned)due))
			break;
		tasks_expire(&test.model, (unsigned)due);
	}
	follow_queue();
	jif_sim.off--;
}

static uint32_t random_delay(void)
{
	return random_below(8) ? random_below(12) : random_below(9000);
}

static void act_on_work(unsigned i)
{
	bool want;

	if (random_below(3)) {
		want = tasks_queue(&test.model, i);
		must(jif_work_queue(&test.sched.work, work_of(i)) == want,
		     "queue() returned something else");
	} else {
		want = tasks_cancel(&test.model, i);
		must(jif_work_cancel(&test.sched.work, work_of(i)) == want,
		     "cancel() returned something else");
	}
}

static void act_on_delayed(unsigned i)
{
	struct jif_delayed_work *dwork = &test.dworks[i];
	uint32_t delay = random_delay();
	bool want;

	switch (random_below(4)) {
	case 0:
		want = tasks_cancel(&test.model, i);
		must(jif_delayed_work_cancel(dwork) == want,
		     "cancel() of delayed work returned something else");
		break;
	case 1:
		want = tasks_delay(&test.model, i, delay, true);
		must(jif_delayed_work_mod(&test.sched.work, dwork, delay) ==
			     want,
		     "mod() of delayed work returned something else");
		break;
	default:
		want = tasks_delay(&test.model, i, delay, false);
		must(jif_delayed_work_queue(&test.sched.work, dwork, delay) ==
			     want,
		     "queue() of delayed work returned something else");
		break;
	}
}

static void suspend(unsigned i)
{
	int event = (int)random_below(TASKS_EVENTS + 1) - 1;
	uint32_t delay = random_below(4) ? random_delay() : JIF_FOREVER;
	int want = tasks_suspend(&test.model, i, event, delay);

	if (event < 0)
		must(jif_task_sleep(&test.tasks[i], delay) == want,
		     "sleep() returned something else");
	else
		must(jif_task_wait(&test.tasks[i], &test.events[event],
				   delay) == want,
		     "wait() returned something else");
}

static void stop(unsigned i)
{
	bool want = tasks_stop(&test.model, i);

	if (test.taken == (int)(TASKS_WORKS + i))
		test.timed_out = false;
	must(jif_task_stop(&test.tasks[i]) == want,
	     "stop() returned something else");
}

static void start(unsigned i)
{
	uint32_t first = random_delay();
	uint32_t period = 1 + random_delay();

	tasks_start(&test.model, i, first, period);
	must(jif_task_start(&test.tasks[i], first, period) == 0,
	     "start() failed");
}

static void act_on_task(unsigned i)
{
	bool want;

	switch (random_below(8)) {
	case 0:
	case 1:
		want = tasks_wake(&test.model, i);
		must(jif_task_wake(&test.tasks[i]) == want,
		     "wake() returned something else");
		break;
	case 2:
		stop(i);
		break;
	case 3:
		start(i);
		break;
	default:
		suspend(i);
		break;
	}
}

static void wake_event(unsigned i)
{
	bool want = tasks_event(&test.model, i);

	must(jif_event_wake(&test.events[i]) == want,
	     "wake() of an event returned something else");
}

static void pass_time(uint32_t ticks)
{
	test.model.now += ticks;
	jif_ticks(ticks);
}

static void act(void)
{
	follow();
	test.acts++;
	switch (random_below(8)) {
	case 0:
	case 1:
		act_on_work(random_below(FIRST_DELAYED));
		break;
	case 2:
	case 3:
		act_on_delayed(FIRST_DELAYED + random_below(TASKS_DELAYED));
		break;
	case 4:
		wake_event(random_below(TASKS_EVENTS));
		break;
	case 5:
		pass_time(random_below(3));
		break;
	default:
		act_on_task(random_below(TASKS_TASKS));
		break;
	}
}

static void interrupt(void)
{
	follow();
	if (random_below(test.interrupts))
		return;
	act();
	test.interrupted++;
	test.acted = true;
}

/* Work or a task has been called. */
static void begin(unsigned item)
{
	must(test.taken == (int)item, "another one runs, or once too often");
	must(!test.in_fn, "one runs within another");
	test.taken = -1;
	test.in_fn = true;
	test.ran++;
}

static void run_work(struct jif_work *work)
{
	unsigned i = 0;

	while (i < TASKS_WORKS - 1 && work_of(i) != work)
		i++;
	begin(i);
	while (random_below(3) == 0)
		act();
	test.in_fn = false;
}

static void run_task(struct jif_task *task)
{
	begin(TASKS_WORKS + (unsigned)(task - test.tasks));
	must(jif_task_timed_out(task) == test.timed_out,
	     "timed_out() is wrong");
	while (random_below(3) == 0)
		act();
	if (random_below(3) == 0)
		suspend((unsigned)(task - test.tasks));
	test.in_fn = false;
}

static bool is_any_ready(void)
{
	return tasks_any_ready(&test.model, false) ||
	       tasks_any_ready(&test.model, true);
}

/* Just until the next expiry, unless an interrupt has put that off. */
static void check_sleep(uint32_t ticks)
{
	uint64_t want = tasks_next(&test.model) - test.model.now;

	if (tasks_next(&test.model) == TASKS_NEVER || want > JIF_SLEEP_MAX)
		want = JIF_SLEEP_MAX;
	must(!is_any_ready(), "it sleeps while something is ready");
	must(ticks, "it does not sleep");
	must(ticks <= want, "it sleeps too long");
	must(ticks == want || test.acted || CONFIG_JIF_SPREAD,
	     "it sleeps too short");
}

static uint32_t sleep_for(uint32_t ticks)
{
	follow();
	test.sleeps++;
	check_sleep(ticks);
	if (random_below(2))
		ticks = random_below(ticks);
	if (ticks > 20000 && random_below(64))
		ticks = 20000;
	test.model.now += ticks;
	return ticks;
}

static void ran_to_target(void)
{
	follow();
	must(test.model.clock == test.model.target &&
		     tasks_due(&test.model) < 0,
	     "a timer is left");
	must(test.taken < 0, "something was taken off and never ran");
}

static bool is_any_due(void)
{
	uint32_t when;

	if (CONFIG_JIF_SPREAD)
		return jif_wheel_next(&test.wheel, &when) &&
		       jif_time_before_eq(when, jif_now());
	return tasks_next(&test.model) <= test.model.now;
}

/* Unless an interrupt is to blame, there is a reason to stay awake. */
static void turn(void)
{
	uint64_t sleeps = test.sleeps;
	uint64_t before = test.ran;

	test.model.target = test.model.now;
	test.acted = false;
	test.in_turn = true;
	jif_sched_run(&test.sched);
	ran_to_target();
	test.in_turn = false;
	must(test.ran <= before + 1, "more than one runs in a turn");
	if (test.ran == before)
		tasks_begin_pass(&test.model);
	if (sleeps == test.sleeps && !test.acted)
		must(is_any_ready() || is_any_due(), "it does not sleep");
}

static void run_wheel(void)
{
	test.model.target = test.model.now;
	jif_wheel_run(&test.wheel, (uint32_t)test.model.now);
	ran_to_target();
}

/* Runs of a few, until a pass is over. */
static void run_few(void)
{
	uint64_t before;
	unsigned max, ran;

	do {
		max = 1 + random_below(4);
		before = test.ran;
		ran = jif_workqueue_run(&test.sched.work, max);
		must(ran == test.ran - before, "run() counts wrong");
		must(ran <= max, "run() ran too many");
		follow();
		if (!random_below(4))
			act();
	} while (ran == max && random_below(4));
}

static void compare_task(unsigned i)
{
	const struct jif_task_record *record = jif_task_record(&test.tasks[i]);
	const struct tasks_item *item = &test.model.items[TASKS_WORKS + i];

	must(record->runs == item->runs, "the record counts runs wrong");
	must(record->missed == item->missed, "the record counts missed wrong");
	must(jif_task_pending(&test.tasks[i]) == (item->ready != 0),
	     "pending() of a task is wrong");
}

static void compare_all(void)
{
	jif_sim.irq = NULL;
	for (unsigned i = 0; i < TASKS_TASKS; i++)
		compare_task(i);
	for (unsigned i = 0; i < FIRST_DELAYED; i++)
		must(jif_work_pending(&test.works[i]) ==
			     tasks_work_pending(&test.model, i),
		     "pending() of work is wrong");
	for (unsigned i = FIRST_DELAYED; i < TASKS_WORKS; i++)
		must(jif_delayed_work_pending(&test.dworks[i]) ==
			     tasks_work_pending(&test.model, i),
		     "pending() of delayed work is wrong");
	must(jif_workqueue_empty(&test.sched.work) ==
		     !tasks_any_ready(&test.model, false),
	     "empty() is wrong");
	must(!jif_wheel_check(&test.wheel), "the wheel is broken");
	jif_sim.irq = interrupt;
}

static void step(void)
{
	uint32_t pick = random_below(100);

	if (pick < 40)
		act();
	else if (pick < 50)
		pass_time(random_below(40));
	else if (pick < 90)
		turn();
	else if (pick < 95)
		run_wheel();
	else if (pick < 99)
		run_few();
	else
		compare_all();
}

static void init(uint64_t seed, unsigned interrupts)
{
	memset(&test, 0xa5, sizeof(test));
	memset(test.difference, 0, sizeof(test.difference));
	test.seed = seed;
	test.random = random_begin(seed);
	test.interrupts = interrupts;
	test.acts = test.interrupted = test.ran = test.sleeps = 0;
	test.taken = -1;
	test.in_fn = false;
	test.in_turn = test.running = false;
	tasks_init(&test.model, BEFORE_WRAP);
	jif_ticks((uint32_t)BEFORE_WRAP - jif_now());
	jif_wheel_init(&test.wheel, jif_now());
	jif_sched_init(&test.sched, &test.wheel, jif_port_idle, NULL);
	for (unsigned i = 0; i < TASKS_EVENTS; i++)
		jif_event_init(&test.events[i]);
	for (unsigned i = 0; i < TASKS_ITEMS; i++)
		test.model.items[i].priority =
			random_below(CONFIG_JIF_WORK_PRIORITIES);
	for (unsigned i = 0; i < TASKS_WORKS; i++) {
		unsigned priority = test.model.items[i].priority;

		jif_work_init(&test.works[i], run_work, priority);
		jif_delayed_work_init(&test.dworks[i], run_work, priority);
	}
	for (unsigned i = 0; i < TASKS_TASKS; i++)
		jif_task_init(&test.sched, &test.tasks[i], run_task,
			      test.model.items[TASKS_WORKS + i].priority, 0);
	jif_sim.sleep = sleep_for;
	jif_sim.irq = interrupt;
}

static uint64_t number_of(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : otherwise;
}

static void expect_no_difference(uint64_t seed, unsigned interrupts)
{
	uint64_t wanted = number_of("LOCKSTEP_OPERATIONS", DEFAULT);

	seed = number_of("LOCKSTEP_SEED", seed);
	init(seed, interrupts);
	while (test.acts < wanted && !test.difference[0])
		step();
	jif_sim.irq = NULL;
	printf("turns: seed %" PRIu64 ": %" PRIu64 " acts, %" PRIu64
	       " of them in interrupts, %" PRIu64 " runs, %" PRIu64 " sleeps\n",
	       seed, test.acts, test.interrupted, test.ran, test.sleeps);
	cr_assert_str_empty(test.difference);
	cr_assert_gt(test.ran, wanted / 20);
	cr_assert_gt(test.sleeps, wanted / 1000);
}

Test(turns, without_interrupts)
{
	expect_no_difference(1, UINT_MAX);
}

Test(turns, with_an_interrupt_now_and_then)
{
	expect_no_difference(2, 20);
}

Test(turns, with_an_interrupt_in_every_third_window)
{
	expect_no_difference(3, 3);
}
