/* SPDX-License-Identifier: MIT */
/*
 * test/firmware/unit/await.c - tasks that wait in the middle of their code
 */
#include <jif/firmware/await.h>
#include <jif/firmware/flags.h>
#include <jif/firmware/queue.h>
#include <jif/port.h>

#include "../../wheel/model/random.h"
#include "../../wheel/unit/unit.h"

static struct jif_sched sched;
static struct jif_task task, other;
static struct jif_await here;
static struct jif_event event;
static bool open;

/* A message is a letter. */
static char letters[2];
static struct jif_queue queue;
static struct jif_flags flags;

/* Where the task has been, a letter each, and when it was last. */
static char said[64];
static uint32_t said_at;

static void say(char letter)
{
	size_t length = strlen(said);

	if (length + 1 < sizeof(said))
		said[length] = letter;
	said_at = jif_now() - START;
}

static void say_other(struct jif_task *which)
{
	say('o');
}

static void begin(jif_task_fn *fn)
{
	jif_task_init(&sched, &task, fn, 1, 0);
	jif_task_wake(&task);
	jif_sched_run(&sched);
}

static void init(void)
{
	unit_init();
	set_jiffies(0);
	memset(said, 0, sizeof(said));
	memset(&here, 0xa5, sizeof(here));
	open = false;
	jif_sched_init(&sched, &wheel, NULL, NULL);
	jif_event_init(&event);
	jif_await_init(&here);
	jif_task_init(&sched, &other, say_other, 1, 0);
}

TestSuite(await, .init = init, .fini = unit_fini);

Test(await, time_without_an_end_is_always_pending)
{
	jif_await_start(&other, &here, JIF_FOREVER);
	cr_assert(jif_await_pending(&other, &here));
	jif_await_start(&other, &here, 0);
	cr_assert(jif_await_pending(&other, &here), "the tick under way");
	jif_ticks(1);
	cr_assert_not(jif_await_pending(&other, &here));
}

/* So many ticks, and what there is to do on each. */
static void pass(uint32_t ticks)
{
	while (ticks--) {
		jif_tick();
		while (jif_sched_run(&sched))
			;
	}
}

static void wake(void)
{
	jif_task_wake(&task);
	jif_sched_run(&sched);
}

static void expect(const char *want, uint32_t after)
{
	cr_expect_str_eq(said, want);
	cr_expect_eq(said_at, after, "at %u, not %u", said_at, after);
}

/* In so many ticks. */
static void expect_in(uint32_t ticks, const char *want, uint32_t after)
{
	pass(ticks);
	expect(want, after);
}

static void sleep_twice(struct jif_task *t)
{
	JIF_TASK_BEGIN(t, &here);
	say('a');
	JIF_SLEEP(9);
	say('b');
	JIF_SLEEP(0);
	say('c');
	JIF_TASK_END;
	say('d');
}

/* The tick under way does not count. What wakes it meanwhile ends no sleep. */
Test(await, sleep_lasts_as_long_as_it_says_whoever_wakes_the_task)
{
	begin(sleep_twice);
	pass(9);
	wake();
	expect("a", 0);
	expect_in(1, "ab", 10);
	wake();
	expect_in(1, "abcd", 11);
	cr_assert_not(jif_task_pending(&task));
	wake();
	expect("abcda", 11);
}

static void sleep_until_woken(struct jif_task *t)
{
	JIF_TASK_BEGIN(t, &here);
	JIF_SLEEP(JIF_FOREVER);
	say('a');
	JIF_SLEEP(LONGEST - 2);
	say('b');
	JIF_TASK_END;
}

Test(await, sleep_for_ever_ends_with_a_wake)
{
	begin(sleep_until_woken);
	expect_in(1000, "", 0);
	wake();
	wake();
	expect("a", 1000);
	jif_task_stop(&task);
}

/* Up to the tick before the end, and to that. */
static void pass_to_end(uint32_t ticks)
{
	jif_ticks(ticks / 2);
	pass(1);
	jif_ticks(ticks - ticks / 2 - 2);
	pass(1);
}

static void wait_as_long_as_may_be(struct jif_task *t)
{
	uint32_t got;
	char letter;
	int err;

	JIF_TASK_BEGIN(t, &here);
	JIF_SLEEP(LONGEST);
	say('a');
	JIF_AWAIT_FOR(open, LONGEST);
	say('b');
	JIF_WAIT(&event, LONGEST);
	say(jif_task_timed_out(t) ? 'c' : 'e');
	JIF_WAIT_FLAGS(&flags, 3, JIF_FLAGS_ANY, LONGEST, got);
	say((char)('0' + got));
	JIF_RECEIVE(&queue, &letter, LONGEST, err);
	say(err ? 'd' : letter);
	JIF_TASK_END;
}

/* In two parts: the first one may end a wait no more than a wake may. */
Test(await, longest_wait_lasts_to_its_end)
{
	static const char *const want[] = { "a", "ab", "abc", "abc0", "abc0d" };

	jif_queue_init(&queue, letters, 1, 2);
	jif_flags_init(&flags);
	begin(wait_as_long_as_may_be);
	for (unsigned i = 0; i < 5; i++) {
		pass_to_end(LONGEST);
		cr_expect_str_eq(said, i ? want[i - 1] : "");
		pass(1);
		expect(want[i], (i + 1) * (LONGEST + 1));
	}
}

Test(await, event_ends_the_second_part_of_a_wait_too)
{
	jif_flags_init(&flags);
	begin(wait_as_long_as_may_be);
	pass_to_end(LONGEST);
	pass(1);
	open = true;
	wake();
	jif_ticks(JIF_SLEEP_MAX);
	expect_in(2, "ab", LONGEST + 1);
	jif_event_wake(&event);
	expect_in(1, "abe", LONGEST + JIF_SLEEP_MAX + 4);
	jif_task_stop(&task);
}

/* The wheel is behind by the longest sleep when the task begins to wait. */
Test(await, wait_is_never_refused_because_the_wheel_is_behind)
{
	jif_task_init(&sched, &task, sleep_until_woken, 0, 0);
	jif_task_wake(&task);
	jif_sched_run(&sched);
	cr_assert_eq(jif_timer_add(&wheel, &timers[0], at(1)), 0);
	jif_ticks(JIF_SLEEP_MAX);
	jif_task_wake(&task);
	jif_sched_run(&sched);
	jif_sched_run(&sched);
	expect("a", JIF_SLEEP_MAX);
	pass_to_end(LONGEST - 2);
	expect("a", JIF_SLEEP_MAX);
	expect_in(1, "ab", JIF_SLEEP_MAX + LONGEST - 1);
}

static unsigned warnings;

static void count_warning(const char *what, const void *object,
			  void (*fn)(void))
{
	cr_assert_str_eq(what, "a task waits for too long");
	cr_assert_eq(object, &here);
	warnings++;
}

/* Thirty days of milliseconds; and it has to leave its task. */
static void sleep_again_and_again(struct jif_task *t)
{
	JIF_TASK_BEGIN(t, &here);
	for (;;) {
		JIF_SLEEP(UINT32_C(2592000000));
		say('a');
	}
	JIF_TASK_END;
}

Test(await, what_is_too_long_lasts_as_long_as_may_be_and_is_told)
{
	warnings = 0;
	if (CONFIG_JIF_DEBUG)
		jif_warn = count_warning;
	begin(sleep_again_and_again);
	pass_to_end(LONGEST);
	expect("", 0);
	cr_expect_eq(warnings, CONFIG_JIF_DEBUG);
	expect_in(1, "a", LONGEST + 1);
	jif_task_stop(&task);
	if (CONFIG_JIF_DEBUG)
		jif_warn = NULL;
	cr_expect_eq(warnings, 2 * CONFIG_JIF_DEBUG);
}

static void await_open(struct jif_task *t)
{
	JIF_TASK_BEGIN(t, &here);
	JIF_AWAIT(open);
	say('a');
	open = false;
	JIF_AWAIT_FOR(open, 4);
	say(open ? 'b' : 'x');
	JIF_AWAIT_FOR(open, JIF_FOREVER);
	say('c');
	JIF_TASK_END;
}

Test(await, condition_is_looked_at_in_each_run)
{
	begin(await_open);
	pass(5);
	wake();
	open = true;
	expect_in(5, "", 0);
	wake();
	expect("a", 10);
	wake();
	open = true;
	wake();
	expect("abc", 10);
	pass(9);
	cr_assert_not(jif_task_pending(&task), "its time-out is gone");
}

Test(await, condition_that_does_not_come_true_is_given_up_in_time)
{
	open = true;
	begin(await_open);
	expect_in(4, "a", 0);
	expect_in(1, "ax", 5);
	pass(100);
	open = true;
	wake();
	expect("axc", 105);
}

/* Whatever wakes the task, and as often as it does. */
Test(await, condition_without_a_time_ends_only_when_it_is_true)
{
	open = true;
	begin(await_open);
	expect_in(5, "ax", 5);
	for (unsigned i = 0; i < 3; i++)
		wake();
	(void)!jif_task_start(&task, 9, 10);
	expect_in(25, "ax", 5);
	jif_task_stop(&task);
	open = true;
	pass(1);
	wake();
	expect("axc", 31);
}

static void wait_for_event(struct jif_task *t)
{
	JIF_TASK_BEGIN(t, &here);
	for (;;) {
		JIF_WAIT(&event, 6);
		say(jif_task_timed_out(t) ? 't' : 'e');
	}
	JIF_TASK_END;
}

Test(await, event_ends_a_wait_or_its_time_does)
{
	begin(wait_for_event);
	pass(6);
	jif_event_wake(&event);
	expect_in(1, "e", 7);
	expect_in(7, "et", 14);
	wake();
	expect("ete", 14);
	jif_task_stop(&task);
}

Test(await, event_that_has_come_already_is_taken)
{
	jif_event_wake(&event);
	begin(wait_for_event);
	expect_in(1, "e", 1);
}

static void wait_though_woken(struct jif_task *t)
{
	JIF_TASK_BEGIN(t, &here);
	jif_task_wake(t);
	JIF_WAIT(&event, JIF_FOREVER);
	say('a');
	jif_task_wake(t);
	JIF_SLEEP(3);
	say('b');
	jif_task_wake(t);
	JIF_WAIT(&event, 3);
	say('c');
	JIF_TASK_END;
}

Test(await, wake_before_a_wait_does_not_end_it)
{
	begin(wait_though_woken);
	expect_in(20, "", 0);
	jif_event_wake(&event);
	pass(1);
	expect_in(3, "a", 21);
	expect_in(1, "ab", 25);
	expect_in(4, "abc", 29);
}

/* Time is up before the turn in which it begins to wait. */
Test(await, wait_that_begins_late_lasts_for_what_is_left)
{
	jif_task_init(&sched, &task, wait_though_woken, 1, 0);
	jif_task_wake(&task);
	jif_event_wake(&event);
	pass(1);
	jif_ticks(4);
	jif_sched_run(&sched);
	expect("ab", 5);
	jif_ticks(10);
	jif_sched_run(&sched);
	expect("ab", 5);
	expect_in(1, "abc", 16);
}

static void receive(struct jif_task *t)
{
	char letter;
	int err;

	JIF_TASK_BEGIN(t, &here);
	for (;;) {
		JIF_RECEIVE(&queue, &letter, 6, err);
		say(err ? '-' : letter);
	}
	JIF_TASK_END;
}

/* The wake is for nothing; the other task takes what has woken this one. */
Test(await, message_is_received_or_time_is_up)
{
	char letter;

	jif_queue_init(&queue, letters, 1, 2);
	begin(receive);
	pass(3);
	wake();
	jif_queue_send(&queue, "x");
	jif_queue_receive(&queue, &letter);
	expect_in(3, "", 0);
	jif_queue_send(&queue, "a");
	jif_queue_send(&queue, "b");
	expect_in(1, "ab", 7);
	expect_in(7, "ab-", 14);
	jif_task_stop(&task);
}

static void wait_for_ever(struct jif_task *t)
{
	uint32_t got;
	char letter;
	int err;

	JIF_TASK_BEGIN(t, &here);
	for (;;) {
		JIF_RECEIVE(&queue, &letter, JIF_FOREVER, err);
		say(err ? '-' : letter);
		JIF_WAIT_FLAGS(&flags, 3, JIF_FLAGS_ALL | JIF_FLAGS_CLEAR,
			       JIF_FOREVER, got);
		say((char)('0' + got));
	}
	JIF_TASK_END;
}

/* Wakes for nothing, a message that another takes, and one flag of two. */
Test(await, without_a_time_only_the_message_or_the_flags_end_a_wait)
{
	char letter;

	jif_queue_init(&queue, letters, 1, 2);
	jif_flags_init(&flags);
	begin(wait_for_ever);
	for (unsigned i = 0; i < 3; i++)
		wake();
	jif_queue_send(&queue, "x");
	jif_queue_receive(&queue, &letter);
	expect_in(100, "", 0);
	jif_queue_send(&queue, "a");
	pass(1);
	for (unsigned i = 0; i < 3; i++)
		wake();
	jif_flags_set(&flags, 1);
	expect_in(100, "a", 101);
	jif_flags_set(&flags, 2);
	expect_in(1, "a3", 202);
	jif_task_stop(&task);
}

static void take_flags(struct jif_task *t)
{
	uint32_t got;

	JIF_TASK_BEGIN(t, &here);
	for (;;) {
		JIF_WAIT_FLAGS(&flags, 3, JIF_FLAGS_ANY | JIF_FLAGS_CLEAR, 6,
			       got);
		say((char)('0' + got));
	}
	JIF_TASK_END;
}

Test(await, flags_are_got_or_time_is_up)
{
	jif_flags_init(&flags);
	jif_flags_set(&flags, 4);
	begin(take_flags);
	pass(3);
	wake();
	jif_flags_set(&flags, 2);
	jif_flags_clear(&flags, 2);
	expect_in(1, "2", 4);
	jif_flags_set(&flags, 3);
	expect_in(7, "23", 5);
	expect_in(1, "230", 12);
	cr_assert_eq(jif_flags_get(&flags), 4);
	jif_task_stop(&task);
}

static void yield(struct jif_task *t)
{
	JIF_TASK_BEGIN(t, &here);
	jif_task_wake(&other);
	say('a');
	JIF_YIELD();
	say('b');
	JIF_YIELD();
	say('c');
	JIF_TASK_END;
}

Test(await, others_that_are_ready_run_when_it_yields)
{
	begin(yield);
	while (jif_sched_run(&sched))
		;
	expect("aobc", 0);
}

Test(await, task_begins_anew_if_it_is_told_to)
{
	begin(sleep_twice);
	jif_await_init(&here);
	wake();
	expect_in(10, "aab", 10);
}

/* Two of them run the same code, from places of their own. */
struct walker {
	struct jif_task task;
	struct jif_await here;
	unsigned steps;
};

static void walk(struct jif_task *t)
{
	struct walker *walker = jif_container_of(t, struct walker, task);

	JIF_TASK_BEGIN(t, &walker->here);
	for (walker->steps = 0; walker->steps < 5; walker->steps++)
		JIF_SLEEP(walker->steps);
	JIF_TASK_END;
	walker->steps = 99;
}

Test(await, tasks_of_one_function_are_apart)
{
	static struct walker walkers[2];

	for (unsigned i = 0; i < 2; i++) {
		memset(&walkers[i], 0, sizeof(walkers[i]));
		jif_task_init(&sched, &walkers[i].task, walk, 1, 0);
		jif_task_wake(&walkers[i].task);
		pass(4);
	}
	cr_expect_eq(walkers[0].steps, 3);
	cr_expect_eq(walkers[1].steps, 2);
	pass(11);
	cr_expect_eq(walkers[0].steps, 99);
	cr_expect_eq(walkers[1].steps, 4);
	pass(1);
	cr_expect_eq(walkers[1].steps, 99);
}

/*
 * Random waits, and in every window a wake, an event or a tick. What the task
 * has to do is worked out from what happened, not from what jif says.
 */
static uint64_t chance;
static uint64_t since, time_now; /* ticks, when the wait began, and now */
static uint32_t span;		 /* of the wait */
static unsigned waits[5];	 /* of each kind */
static bool due;		 /* it may go on */

static void expect_due(unsigned kind)
{
	cr_assert(due || time_now > since + span, "%u at %u", kind,
		  (unsigned)time_now);
	waits[kind]++;
}

static void next_wait(void)
{
	since = time_now;
	span = random_next(&chance, 12);
	due = false;
}

static unsigned kind;

static void wait_at_random(struct jif_task *t)
{
	JIF_TASK_BEGIN(t, &here);
	for (;;) {
		kind = random_next(&chance, 5);
		next_wait();
		open = false;
		if (kind == 0) {
			JIF_SLEEP(span);
			expect_due(0);
		} else if (kind == 1) {
			if (!random_next(&chance, 2))
				span = UINT32_MAX;
			JIF_AWAIT_FOR(open, span);
			expect_due(1);
		} else if (kind == 2) {
			span = UINT32_MAX;
			JIF_AWAIT(open);
			expect_due(2);
		} else if (kind == 3) {
			due = true;
			JIF_WAIT(&event, span);
			waits[3]++;
		} else {
			due = true;
			JIF_YIELD();
			waits[4]++;
		}
	}
	JIF_TASK_END;
}

static void disturb(void)
{
	switch (random_next(&chance, 8)) {
	case 0:
		jif_task_wake(&task);
		break;
	case 1:
		jif_event_wake(&event);
		break;
	case 2:
		open = true;
		due = due || kind == 1 || kind == 2;
		jif_task_wake(&task);
		break;
	case 3:
		time_now++;
		jif_tick();
	}
}

Test(await, random_waits_end_in_time_and_none_is_lost)
{
	uint64_t late;
	unsigned turns;

	chance = random_begin(1);
	time_now = 0;
	begin(wait_at_random);
	unit_window = disturb;
	for (turns = 0; turns < 200000; turns++) {
		jif_sched_run(&sched);
		disturb();
		late = time_now - since;
		cr_assert(late < 400 || span == UINT32_MAX, "it is lost");
	}
	unit_window = NULL;
	for (unsigned i = 0; i < 5; i++)
		cr_expect_gt(waits[i], 1000, "%u: %u", i, waits[i]);
}

static void wait_twice(struct jif_task *t)
{
	JIF_TASK_BEGIN(t, &here);
	JIF_SLEEP(9);
	say('s');
	JIF_AWAIT_FOR(open, 4);
	say('t');
	JIF_TASK_END;
}

Test(await, waits_by_the_time_of_the_wheel)
{
	static const char *const wanted[] = { "", "s", "st" };

	unit_time = 5000;
	jif_wheel_init_time(&wheel, unit_tell_time);
	begin(wait_twice);
	for (unsigned i = 0; i < 16; i++, unit_time++) {
		while (jif_sched_run(&sched))
			;
		cr_assert_str_eq(said, wanted[(i >= 10) + (i >= 15)]);
	}
}
