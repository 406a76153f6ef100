/* SPDX-License-Identifier: MIT */
/* The test kit finds what is wrong, and only that */
#define _POSIX_C_SOURCE 200112L
#include <criterion/criterion.h>
#include <jif/firmware/sched.h>
#include <jif/jiffies.h>
#include <jif/kit/test.h>
#include <jif/periodic.h>
#include <jif/port.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../wheel/unit/panic.h"

#define MONTH UINT32_C(2592000000)

static struct jif_wheel wheel;
static struct jif_timer timers[3];
static unsigned turns, fired, ahead;

static uint32_t hal(const struct jif_wheel *any)
{
	return jif_now() + ahead;
}

static void turn(void)
{
	turns++;
	jif_wheel_run(&wheel, hal(&wheel));
}

static void turn_nothing(void)
{
	turns++;
}

static void fire(struct jif_timer *timer)
{
	fired++;
}

static void idle_for(uint32_t ticks)
{
	jif_sim.off = 1;
	jif_port_idle(ticks);
	jif_sim.off = 0;
}

static void begin_at(uint32_t now)
{
	static const char *const names[] = { "a", "b", "c" };

	turns = 0;
	fired = 0;
	jif_test_begin(now, turn);
	jif_wheel_init(&wheel, jif_now());
	for (unsigned i = 0; i < 3; i++) {
		jif_timer_init(&timers[i], fire);
		jif_test_watch(&wheel, &timers[i], names[i]);
	}
}

static void begin(void)
{
	begin_at(-10u);
}

/* On that very tick. */
static void arm(struct jif_timer *timer, uint32_t ticks)
{
	cr_assert_eq(jif_timer_add(&wheel, timer, jif_now() + ticks), 0);
}

/* The test framework, as far as failing tests go: it jumps, as Unity does. */
static jmp_buf back;

static void leave(const char *why)
{
	longjmp(back, 1);
}

static bool fails(void (*test)(void))
{
	jif_test_on_fail = leave;
	if (setjmp(back))
		return true;
	test();
	return false;
}

static void power_on(void)
{
	unsetenv("JIF_TEST_WINDOW");
	unsetenv("JIF_TEST_SEED");
	jif_test_on_fail = NULL;
	begin();
}

TestSuite(kit, .init = power_on);

/* --- time --- */

Test(kit, main_loop_turns_at_once_and_after_each_tick)
{
	jif_test_run(0);
	cr_assert_eq(turns, 1);
	cr_assert_eq(jif_now(), UINT32_C(0xfffffff6), "it begins there");
	jif_test_run(5);
	cr_assert_eq(turns, 7);
	cr_assert_eq(jif_now(), -5u);
	begin_at(1234567);
	cr_assert_eq(jif_now(), 1234567);
}

Test(kit, main_loop_does_not_turn_in_a_stall)
{
	arm(&timers[0], 3);
	jif_test_stall(100);
	cr_assert_eq(turns, 0);
	cr_assert_eq(jif_now(), 90);
	jif_test_run(0);
	jif_test_expect(100, "a", 97);
}

static void turn_for_100(void)
{
	if (!turns++)
		jif_test_stall(100);
}

Test(kit, no_tick_passes_after_a_stall_beyond_the_end)
{
	jif_test_begin(0, turn_for_100);
	jif_test_run(10);
	cr_assert_eq(turns, 2, "at the begin, and once after the stall");
	cr_assert_eq(jif_now(), 100);
}

Test(kit, more_ticks_than_a_delay_panic, .signal = SIGABRT)
{
	panic_with("jif_test_run() of more than JIF_DELAY_MAX ticks");
	jif_test_run(JIF_DELAY_MAX + 1);
}

Test(kit, next_expiry_is_a_jump)
{
	arm(&timers[0], MONTH / 2);
	cr_assert(jif_test_run_next(&wheel));
	jif_test_expect(MONTH / 2, "a", 0);
	cr_assert_lt(turns, 10);
	cr_assert_not(jif_test_run_next(&wheel));
	cr_assert_eq(jif_now(), MONTH / 2 - 10);
}

Test(kit, expiry_that_is_overdue_is_the_next_one)
{
	arm(&timers[0], 5);
	arm(&timers[1], 5000);
	jif_test_stall(20);
	cr_assert(jif_test_run_next(&wheel));
	jif_test_expect(20, "a", 15);
	jif_test_expect_no_more();
	cr_assert(jif_test_run_next(&wheel));
	jif_test_expect(5000, "b", 0);
	cr_assert_not(jif_test_run_next(&wheel));
	arm(&timers[0], 5);
	jif_test_stall(20);
	cr_assert(jif_test_run_next(&wheel), "also if it is the only one");
	jif_test_expect(5020, "a", 15);
}

Test(kit, time_of_a_wheel_is_that_of_its_source)
{
	ahead = 1000000;
	begin_at(0);
	jif_wheel_init_time(&wheel, hal);
	cr_assert_eq(jif_timer_add_in(&wheel, &timers[0], MONTH / 2), 0);
	cr_assert(jif_test_run_next(&wheel));
	jif_test_expect(MONTH / 2 + 1, "a", 0);
}

/* --- what fires --- */

static void abc(void)
{
	begin();
	arm(&timers[1], 20);
	arm(&timers[0], 20);
	arm(&timers[2], 5);
	jif_test_run(30);
}

static void right(void)
{
	abc();
	jif_test_expect(5, "c", 0);
	jif_test_expect(20, "b", 0);
	jif_test_expect(20, "a", 0);
	jif_test_expect_no_more();
	jif_test_check(jif_test_count("a") == 1);
}

static void wrong_order(void)
{
	abc();
	jif_test_expect(5, "c", 0);
	jif_test_expect(20, "a", 0);
}

static void wrong_time(void)
{
	abc();
	jif_test_expect(6, "c", 0);
}

static void wrong_value(void)
{
	begin();
	jif_test_note("led", 1);
	jif_test_expect(0, "led", 0);
}

static void too_few(void)
{
	right();
	jif_test_expect(20, "a", 0);
}

static void too_many(void)
{
	abc();
	jif_test_expect(5, "c", 0);
	jif_test_expect_no_more();
}

static void not_true(void)
{
	begin();
	jif_test_check(jif_test_count("a") == 1);
}

Test(kit, expectation_that_is_right_passes)
{
	cr_assert_not(fails(right));
}

Test(kit, expectation_that_is_wrong_fails)
{
	cr_assert(fails(wrong_order), "order");
	cr_assert(fails(wrong_time), "time");
	cr_assert(fails(wrong_value), "value");
	cr_assert(fails(too_few), "too few");
	cr_assert(fails(too_many), "too many");
	cr_assert(fails(not_true), "not true");
}

static unsigned ends;

static void count_end(const char *why)
{
	ends++;
}

static void (*within)(void);

static void turn_within(void)
{
	if (!turns++)
		within();
}

static void run_within(void)
{
	jif_test_run(3);
}

static void run_next_within(void)
{
	jif_test_run_next(&wheel);
}

static void run_10(void)
{
	begin();
	jif_test_begin(0, turn_within);
	jif_wheel_init(&wheel, jif_now());
	jif_test_run(10);
}

/* It would end the other one too soon. */
Test(kit, run_within_a_run_fails)
{
	within = run_within;
	cr_assert(fails(run_10));
	within = run_next_within;
	cr_assert(fails(run_10));
	jif_test_begin(0, turn_nothing);
	jif_test_run(10);
	cr_assert_eq(jif_now(), 10, "in the next test, it is the first one");
	within = run_within;
	ends = 0;
	jif_test_on_fail = count_end;
	run_10();
	cr_assert_eq(ends, 1);
	cr_assert_eq(jif_now(), 10, "and is none, if that goes on");
}

/* What a function prints, also if it jumps. */
static const char *said_by(void (*print)(void))
{
	static char text[16384];
	FILE *said = tmpfile();
	int output = dup(STDOUT_FILENO);
	int console = dup(STDERR_FILENO);
	size_t n;

	fflush(stdout);
	dup2(fileno(said), STDOUT_FILENO);
	dup2(fileno(said), STDERR_FILENO);
	setvbuf(stdout, NULL, _IONBF, 0);
	fails(print);
	dup2(output, STDOUT_FILENO);
	dup2(console, STDERR_FILENO);
	close(output);
	close(console);
	rewind(said);
	n = fread(text, 1, sizeof(text) - 1, said);
	fclose(said);
	text[n] = '\0';
	return text;
}

static void (*aborts)(void);

/* In a child, without a framework. */
static void abort_apart(void)
{
	int status;
	pid_t child = fork();

	if (!child) {
		jif_test_on_fail = NULL;
		aborts();
		_exit(EXIT_SUCCESS);
	}
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_assert(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

static const char *said_before_abort(void (*test)(void))
{
	aborts = test;
	return said_by(abort_apart);
}

static void bad_led(void)
{
	begin_at(7);
	jif_test_note("led", 1);
	jif_test_expect_at(3, "led", 0, "l.c", 12);
}

static void bad_end(void)
{
	begin_at(7);
	jif_test_note("led", 1);
	jif_test_expect_no_more_at("l.c", 13);
}

static void bad_begin(void)
{
	begin_at(7);
	jif_test_expect_at(3, "led", 9, "l.c", 14);
}

#define ONE_EVENT                                                              \
	"the last 1 events, in ticks since power-on at 7:\n"                   \
	"         0  led = 1\n"
#define NO_EVENT "the last 0 events, in ticks since power-on at 7:\n"

/* An emulator says more at the end. */
static void expect_to_abort(void (*test)(void), const char *want)
{
	const char *text = said_before_abort(test);

	cr_assert_eq(strncmp(text, want, strlen(want)), 0, "%s", text);
	cr_assert_not(strstr(text + strlen(want), "the last "), "%s", text);
}

Test(kit, failure_aborts_unless_a_framework_ends_the_test)
{
	expect_to_abort(
		bad_led,
		"l.c:12: expected at 3: led, 0; got at 0: led, 1\n" ONE_EVENT);
	expect_to_abort(
		bad_end,
		"l.c:13: expected nothing; got at 0: led, 1\n" ONE_EVENT);
	expect_to_abort(
		bad_begin,
		"l.c:14: expected at 3: led, 9; nothing has come\n" NO_EVENT);
}

static const char *why_it_ends;

static void keep_why(const char *why)
{
	why_it_ends = why;
	cr_assert_eq(strlen(why), 255);
	cr_assert_eq(memcmp(why, "long.c:1: not true: xxx", 23), 0);
}

Test(kit, reason_has_255_characters_at_most)
{
	char long_one[400];

	memset(long_one, 'x', sizeof(long_one));
	long_one[399] = '\0';
	jif_test_on_fail = keep_why;
	jif_test_check_at(false, long_one, "long.c", 1);
	cr_assert_not_null(why_it_ends);
}

/* Moving a pending timer is one event. */
static void all_kinds(void)
{
	static struct jif_timer late;

	begin_at(-100000u);
	arm(&timers[0], 70000);
	arm(&timers[1], 5);
	jif_timer_mod(&wheel, &timers[1], jif_now() + 6);
	jif_test_run(1);
	jif_timer_del(&wheel, &timers[1]);
	arm(&timers[2], 1);
	jif_test_run(1);
	arm(&timers[1], 4);
	jif_test_stall(7);
	jif_test_run(0);
	jif_test_note("n", 70000);
	jif_test_raise_named(turn, "handler");
	jif_timer_init(&late, fire);
	arm(&late, 70000 - 9);
	jif_test_watch(&wheel, &late, "late");
	jif_test_run(70000 - 9);
	jif_timer_del(&wheel, &timers[1]);
	arm(&timers[1], 1);
	jif_timer_del(&wheel, &timers[1]);
}

Test(kit, all_that_has_happened_is_printed)
{
	all_kinds();
	cr_assert_str_eq(
		said_by(jif_test_print),
		"the last 16 events, in ticks since power-on at 4294867296:\n"
		"         0  a is armed for 70000\n"
		"         0  b is armed for 5\n"
		"         0  b is armed for 6\n"
		"         1  b is cancelled\n"
		"         1  c is armed for 2\n"
		"         2  c expires, 0 late\n"
		"         2  b is armed for 6\n"
		"         2  stall of 7 ticks\n"
		"         9  b expires, 3 late\n"
		"         9  n = 70000\n"
		"         9  interrupt: handler, in window 0\n"
		"         9  late is armed for 70000\n"
		"     70000  a expires, 0 late\n"
		"     70000  late expires, 0 late\n"
		"     70000  b is armed for 70001\n"
		"     70000  b is cancelled\n");
}

Test(kit, panic_prints_what_has_happened, .signal = SIGABRT)
{
	panic_with("  n = 7\n");
	jif_test_note("n", 7);
	jif_panic("the product");
}

Test(kit, last_fifty_events_are_printed)
{
	const char *text;
	unsigned lines = 0;

	for (unsigned i = 0; i < 51; i++)
		jif_test_note("n", 1000 + i);
	text = said_by(jif_test_print);
	cr_assert(strstr(text, "last 50 events") && strstr(text, "n = 1001\n"));
	cr_assert(!strstr(text, "n = 1000\n") && strstr(text, "n = 1050\n"));
	for (; *text; text++)
		lines += *text == '\n';
	cr_assert_eq(lines, 51);
}

static void note_numbers(uint32_t from, uint32_t end)
{
	for (; from < end; from++)
		jif_test_note("n", from);
}

Test(kit, no_more_events_are_printed_than_there_are)
{
	note_numbers(0, 49);
	cr_assert_eq(memcmp(said_by(jif_test_print), "the last 49 ", 12), 0);
}

static void move_late(void)
{
	begin_at(0);
	jif_test_run(70000);
	arm(&timers[1], 70000);
	jif_test_watch(&wheel, &timers[1], "again");
	jif_timer_mod(&wheel, &timers[1], 150000);
	jif_timer_del(&wheel, &timers[1]);
	jif_test_run(1);
	arm(&timers[1], 5);
	jif_test_run(1);
	jif_timer_mod(&wheel, &timers[1], 70010);
	jif_test_print();
}

/* Only what is moved at once, not what is cancelled and armed a tick later. */
Test(kit, moving_is_an_event_and_watching_is_none)
{
	cr_assert_str_eq(said_by(move_late),
			 "the last 5 events, in ticks since power-on at 0:\n"
			 "     70000  again is armed for 140000\n"
			 "     70000  again is armed for 150000\n"
			 "     70000  again is cancelled\n"
			 "     70001  again is armed for 70006\n"
			 "     70002  again is armed for 70010\n");
}

Test(kit, timers_of_one_name_are_counted_together)
{
	jif_test_watch(&wheel, &timers[1], "a");
	arm(&timers[0], 1);
	arm(&timers[1], 1);
	jif_test_run(1);
	cr_assert_eq(jif_test_count("a"), 2);
}

Test(kit, timer_that_is_watched_again_is_not_armed_again)
{
	arm(&timers[0], 7);
	jif_test_watch(&wheel, &timers[0], "again");
	jif_test_run(7);
	jif_test_expect(7, "again", 0);
	jif_test_expect_no_more();
}

static void note_names(unsigned n)
{
	static char names[257][16];

	begin();
	for (unsigned i = 0; i < n; i++) {
		snprintf(names[i], sizeof(names[i]), "n%u", i);
		jif_test_note(names[i], 0);
	}
}

static void note_too_many_names(void)
{
	note_names(256 - 3 + 1);
}

Test(kit, more_names_than_there_is_room_for_panic)
{
	note_names(256 - 3);
	jif_test_note("a", 1);
	cr_assert(strstr(said_before_abort(note_too_many_names),
			 "more than 256 timers, handlers and notes"));
}

static void expect_what_is_lost(void)
{
	jif_test_expect(0, "n", 2);
}

Test(kit, more_events_than_there_is_room_for_panic)
{
	note_numbers(0, 65536);
	cr_assert_eq(jif_test_count("n"), 65536);
	jif_test_expect(0, "n", 0);
	note_numbers(65536, 65537);
	jif_test_expect(0, "n", 1);
	note_numbers(65537, 65539);
	cr_assert(strstr(said_before_abort(expect_what_is_lost),
			 "too many events since the last expectation"));
}

Test(kit, raise_with_interrupts_off_panics, .signal = SIGABRT)
{
	panic_with("jif_test_raise() with interrupts off");
	jif_sim.off = 1;
	jif_test_raise(turn);
}

Test(kit, cancelled_and_ignored_ones_are_not_expected)
{
	jif_test_ignore("b");
	for (unsigned i = 0; i < 3; i++)
		arm(&timers[i], 5);
	jif_timer_del(&wheel, &timers[0]);
	jif_test_run(5);
	jif_test_expect(5, "c", 0);
	jif_test_expect_no_more();
	cr_assert_eq(jif_test_count("a"), 0);
	cr_assert_eq(jif_test_count("b"), 1);
	cr_assert_eq(fired, 2);
}

Test(kit, all_of_a_name_are_ignored_and_those_to_come)
{
	static struct jif_timer late, other;

	jif_timer_init(&late, fire);
	jif_timer_init(&other, fire);
	jif_test_watch(&wheel, &timers[1], "a");
	jif_test_ignore("a");
	jif_test_ignore("late");
	jif_test_watch(&wheel, &late, "late");
	jif_test_watch(&wheel, &other, "c");
	arm(&timers[0], 5);
	arm(&timers[1], 5);
	arm(&late, 5);
	arm(&other, 5);
	jif_test_run(5);
	jif_test_expect(5, "c", 0);
	jif_test_expect_no_more();
	cr_assert_eq(fired, 4);
}

static struct jif_timer keeps = JIF_TIMER_INIT(fire);

/* The last time, it is not watched. */
Test(kit, static_timer_goes_on_into_the_next_test)
{
	for (unsigned i = 0; i < 3; i++) {
		begin();
		if (i < 2)
			jif_test_watch(&wheel, &keeps, "keeps");
		arm(&keeps, 5);
		jif_test_run(5);
		if (i < 2)
			jif_test_expect(5, "keeps", 0);
		jif_test_expect_no_more();
		cr_assert_eq(fired, 1);
	}
}

static struct jif_periodic periodic;

static void on_period(struct jif_periodic *p)
{
	fired++;
	if (fired == 2)
		cr_assert_eq(jif_periodic_start(&wheel, p, 7, 100, JIF_FOREVER),
			     1);
}

Test(kit, periodic_timer_is_watched_and_may_be_started_anew)
{
	jif_periodic_init(&periodic, on_period, JIF_CATCHUP_EACH);
	jif_test_watch(&wheel, &periodic.timer, "period");
	(void)!jif_periodic_start(&wheel, &periodic, 10, 10, JIF_FOREVER);
	jif_test_run(50);
	jif_test_expect(10, "period", 0);
	jif_test_expect(20, "period", 0);
	jif_test_expect(27, "period", 0);
	jif_test_expect_no_more();
	cr_assert_eq(fired, 3);
}

/* --- windows --- */

static void (*tried)(void);

static void try_each_window(void)
{
	jif_test_each_window(tried);
}

static bool fails_somewhere(void (*test)(void))
{
	tried = test;
	return fails(try_each_window);
}

static const char *said_of_windows(void (*test)(void))
{
	tried = test;
	return said_by(try_each_window);
}

static unsigned runs, raised, came_at;

static void handler(void)
{
	raised++;
	came_at = turns;
}

static void stop_in_time(void)
{
	begin();
	jif_test_irq(handler);
	jif_sim_irq();
	jif_test_irq(NULL);
}

/* Five windows and no other; an interrupt in the third or fourth is fatal. */
static void five_windows(void)
{
	runs++;
	begin();
	came_at = 0;
	jif_test_irq(handler);
	for (turns = 1; turns <= 5; turns++)
		jif_sim_irq();
	jif_test_irq(NULL);
	jif_sim_irq();
	jif_test_check(came_at != 3 && came_at != 4);
}

static unsigned times_in(const char *text, const char *word)
{
	unsigned n = 0;

	while ((text = strstr(text, word))) {
		text += strlen(word);
		n++;
	}
	return n;
}

static void try_five_twice(void)
{
	tried = five_windows;
	cr_assert(fails(try_each_window));
	cr_assert(fails(try_each_window));
}

Test(kit, windows_that_fail_are_named_and_the_first_one_is_told)
{
	const char *text = said_by(try_five_twice);

	cr_assert_eq(times_in(text, "not true: came_at != 3 &&"), 2);
	cr_assert_eq(times_in(text, "with JIF_TEST_WINDOW=3:\nthe last "), 2);
	cr_assert_eq(times_in(text, "interrupt: handler, in window 3\n"), 2);
	cr_assert_eq(times_in(text,
			      "# tried: fails in window 3\n"
			      "# tried: fails in window 4\n"
			      "# tried: tried 5 of 5 windows, 2 failed\n"),
		     2);
}

/* Each of 15 windows fails; only ten are named. */
static void fifteen_windows(void)
{
	begin();
	raised = 0;
	jif_test_irq(handler);
	for (turns = 0; turns < 15; turns++)
		jif_sim_irq();
	jif_test_irq(NULL);
	jif_test_check(!raised);
}

static void count_and_go_on(void)
{
	ends = 0;
	jif_test_on_fail = count_end;
	jif_test_each_window(tried);
	jif_test_check(false);
}

Test(kit, failure_after_the_windows_is_one_of_its_own)
{
	tried = fifteen_windows;
	cr_assert_eq(times_in(said_by(count_and_go_on), "not true: false"), 1);
	cr_assert_eq(ends, 2);
	tried = stop_in_time;
	said_by(count_and_go_on);
	cr_assert_eq(ends, 1);
}

static void hundred_at_random(void)
{
	jif_test_random(fifteen_windows, 100);
}

static void try_at_random(void)
{
	cr_assert(fails(hundred_at_random));
}

Test(kit, ten_that_fail_are_named_and_what_is_given_is_decimal)
{
	const char *text = said_of_windows(fifteen_windows);

	cr_assert_eq(times_in(text, ": fails in window "), 10);
	cr_assert(strstr(text, ": tried 15 of 15 windows, 15 failed\n"));
	setenv("JIF_TEST_WINDOW", "12", 1);
	text = said_of_windows(fifteen_windows);
	cr_assert(strstr(text, "with JIF_TEST_WINDOW=12:\n"));
	cr_assert(strstr(text, ": tried 1 of 15 windows, 1 failed\n"));
	setenv("JIF_TEST_SEED", "4294967296", 1);
	text = said_by(try_at_random);
	cr_assert(strstr(text, ": 100 runs from JIF_TEST_SEED=4294967296 on"));
	cr_assert(strstr(text, "\nwith JIF_TEST_SEED=4294967296:\n"));
	cr_assert(strstr(text, "fails with JIF_TEST_SEED=4294967305\n"));
	cr_assert_not(strstr(text, "with JIF_TEST_WINDOW"));
	cr_assert_eq(times_in(text, ": fails with JIF_TEST_SEED="), 10);
	cr_assert_eq(memcmp(said_by(jif_test_print), "the last ", 9), 0);
	unsetenv("JIF_TEST_SEED");
	text = said_by(try_at_random);
	cr_assert_not(strstr(text, " from JIF_TEST_SEED=0 on"), "the clock's");
}

static void not_even_without(void)
{
	begin();
	jif_test_irq(handler);
	jif_sim_irq();
	jif_test_check(false);
}

Test(kit, test_that_fails_without_an_interrupt_is_not_tried_with_one)
{
	raised = 0;
	cr_assert(fails_somewhere(not_even_without));
	cr_assert_eq(raised, 0);
}

/* A place is where a call returns to: what called is a byte before. */
static void after_an_access(void)
{
	begin();
	raised = 0;
	jif_test_irq(handler);
	jif_test_place = (const char *)fifteen_windows + 1;
	jif_sim_irq();
	jif_test_irq(NULL);
	jif_test_check(!raised);
}

#define LAST_ACCESS "the product's last access before the interrupt: "

Test(kit, last_access_is_named_by_its_line)
{
	const char *text = said_of_windows(after_an_access);

	cr_assert_eq(times_in(text, "with JIF_TEST_WINDOW=1:\n" LAST_ACCESS
				    "fifteen_windows at "),
		     1);
	cr_assert_not(strstr(text, "0x"));
	cr_assert_lt(strstr(text, LAST_ACCESS), strstr(text, "the last "));
	cr_assert_eq(memcmp(said_by(jif_test_print), "the last ", 9), 0);
}

#ifdef __PIE__
extern const char __executable_start[];
#define LOADED_AT ((uintptr_t)__executable_start)
#else
#define LOADED_AT 0
#endif

Test(kit, last_access_is_a_number_if_there_is_no_tool)
{
	char last[100];

	setenv("PATH", "", 1);
	snprintf(last, sizeof(last), "%#lx\n",
		 (unsigned long)((uintptr_t)fifteen_windows - LOADED_AT));
	cr_assert(strstr(said_of_windows(after_an_access), last));
}

/* It fails before an interrupt comes. */
static void fail_early(void)
{
	begin();
	jif_test_irq(handler);
	jif_test_check(++runs < 4);
	jif_sim_irq();
	jif_test_place = (const void *)fifteen_windows;
	jif_sim_irq();
	jif_sim_irq();
}

/* What has interrupted it is before its first access. */
static void fail_late(void)
{
	begin();
	raised = 0;
	jif_test_irq(handler);
	jif_sim_irq();
	jif_test_place = (const void *)fifteen_windows;
	jif_test_check(!raised);
}

static void try_both(void)
{
	runs = 0;
	cr_assert(fails_somewhere(fail_early));
	cr_assert_eq(runs, 4);
	cr_assert(fails_somewhere(fail_late));
}

Test(kit, last_access_is_not_that_of_another_run)
{
	cr_assert_not(strstr(said_by(try_both), LAST_ACCESS));
}

static void print_ticks(void)
{
	jif_test_begin(0, turn_nothing);
	jif_test_irq(handler);
	jif_test_run(2);
	jif_test_irq(NULL);
	jif_test_print();
}

/* Where jiffies are no machine word, to count them closes interrupts. */
#define COUNT_HAS_A_WINDOW (sizeof(long) < 8)

Test(kit, interrupt_may_come_at_each_tick)
{
	char want[100];

	setenv("JIF_TEST_WINDOW", "1", 1);
	sprintf(want,
		"\n         1  interrupt: handler, in window 1\n"
		"# tried: tried 1 of %d windows, 0 failed\n",
		2 + 2 * COUNT_HAS_A_WINDOW);
	cr_assert(strstr(said_of_windows(print_ticks), want));
}

static void come_once(void)
{
	jif_test_irq(NULL);
}

static void stall_with_one_interrupt(void)
{
	begin_at(0);
	jif_test_irq(come_once);
	jif_test_stall(100);
	jif_test_check(jif_now() == 100);
}

Test(kit, stall_goes_on_when_no_more_interrupts_come)
{
	cr_assert_eq(jif_test_each_window(stall_with_one_interrupt),
		     100 + 101 * COUNT_HAS_A_WINDOW);
}

Test(kit, test_without_a_window_panics, .signal = SIGABRT)
{
	jif_test_each_window(begin);
}

static void one_window_less(void)
{
	five_windows();
	jif_test_irq(handler);
	if (runs == 1)
		jif_sim_irq();
}

Test(kit, test_that_differs_from_run_to_run_panics, .signal = SIGABRT)
{
	jif_test_on_fail = leave;
	runs = 0;
	if (!setjmp(back))
		jif_test_each_window(one_window_less);
}

/* --- at random --- */

static unsigned pattern;

static void note_window(void)
{
	pattern |= 1u << turns;
}

static void ten_windows(void)
{
	begin();
	pattern = 0;
	jif_test_irq(note_window);
	for (turns = 0; turns < 10; turns++)
		jif_sim_irq();
}

static unsigned pattern_of(const char *seed)
{
	setenv("JIF_TEST_SEED", seed, 1);
	jif_test_random(ten_windows, 1);
	return pattern;
}

/* As reckoned apart, from Knuth's MMIX generator: a seed holds for good. */
Test(kit, seed_of_another_day_gives_the_run_of_that_day)
{
	cr_assert_eq(pattern_of("1"), 0x28);
	cr_assert_eq(pattern_of("20260101"), 0x130);
}

/* --- a main loop that sleeps --- */

static struct jif_sched sched;
static struct jif_task task;
static struct jif_event event;
static unsigned woken;

static void turn_and_sleep(void)
{
	turns++;
	jif_sched_run(&sched);
}

static void wait_again(struct jif_task *t)
{
	woken++;
	jif_test_note(jif_task_timed_out(t) ? "timeout" : "event", 0);
	jif_task_wait(t, &event, 1000);
}

static void begin_asleep(void)
{
	jif_test_begin(-500u, turn_and_sleep);
	turns = 0;
	woken = 0;
	event = (struct jif_event)JIF_EVENT_INIT;
	jif_wheel_init(&wheel, jif_now());
	jif_sched_init(&sched, &wheel, jif_port_idle, NULL);
	jif_task_init(&sched, &task, wait_again, 0, 0);
	jif_task_wait(&task, &event, 1000);
}

static void wake(void)
{
	jif_event_wake(&event);
}

Test(kit, sleep_ends_when_time_is_up_or_an_interrupt_comes)
{
	begin_asleep();
	jif_test_run(300);
	cr_assert_eq(jif_now(), -200u);
	jif_test_raise(wake);
	jif_test_run(1500);
	jif_test_expect(300, "event", 0);
	jif_test_expect(1301, "timeout", 0);
	jif_test_expect_no_more();
	cr_assert_eq(jif_now(), 1300);
	cr_assert_lt(turns, 100, "it sleeps");
}

/* A turn that takes longer than the test lets time pass, and then sleeps. */
static void oversleep(void)
{
	turns++;
	jif_test_stall(5);
	idle_for(10);
}

Test(kit, sleep_that_begins_too_late_is_none)
{
	jif_test_begin(-2u, oversleep);
	turns = 0;
	jif_test_run(3);
	cr_assert_eq(jif_now(), 8);
	cr_assert_eq(turns, 2);
}

/* Interrupts are off between two sleeps: what has ended the first one waits. */
static void doze_twice(void)
{
	jif_sim.off = 1;
	jif_port_idle(10);
	jif_port_idle(10);
	jif_sim.off = 0;
	jif_sim_irq();
}

static void sleep_twice(void)
{
	jif_test_begin(0, doze_twice);
	raised = 0;
	jif_test_irq(handler);
	jif_test_run(40);
	jif_test_irq(NULL);
	jif_test_check(raised == (runs++ > 0));
}

Test(kit, interrupt_that_has_ended_a_sleep_waits_for_the_window)
{
	runs = 0;
	cr_assert_geq(jif_test_each_window(sleep_twice), 4);
}

static void doze(void)
{
	idle_for(10);
	jif_sim_irq();
}

static void print_a_sleep(void)
{
	jif_test_begin(7, doze);
	jif_test_irq(handler);
	jif_test_run(10);
	jif_test_irq(NULL);
	jif_test_print();
}

#define OF(n) "the last " #n " events, in ticks since power-on at 7:\n"

static const char *const sleeps[] = {
	OF(1) "         0  sleep of 10 ticks\n",
	"with JIF_TEST_WINDOW=1:\n",
	OF(2) "         0  interrupt: handler, in window 1\n",
	"         1  sleep of 9 ticks\n",
	"with JIF_TEST_WINDOW=2:\n",
	OF(3) "         0  sleep of 9 ticks\n",
	"         9  interrupt: handler, in window 2\n",
	"         9  sleep of 1 ticks\n",
	"with JIF_TEST_WINDOW=3:\n",
	OF(2) "         0  sleep of 10 ticks\n",
	"        10  interrupt: handler, in window 3\n",
	"with JIF_TEST_WINDOW=4:\n",
	OF(2) "         0  sleep of 10 ticks\n",
	"        10  interrupt: handler, in window 4\n",
	"with JIF_TEST_WINDOW=5:\n",
	OF(2) "         0  sleep of 10 ticks\n",
	"        10  interrupt: handler, in window 5\n",
	"# tried: tried 5 of 5 windows, 0 failed\n",
};

/* The last two are those of the turn at the end of the run. */
Test(kit, sleep_has_windows_at_its_begin_and_a_tick_before_its_end)
{
	const char *text = said_of_windows(print_a_sleep);

	for (unsigned i = 0; i < sizeof(sleeps) / sizeof(*sleeps); i++) {
		cr_assert_eq(strncmp(text, sleeps[i], strlen(sleeps[i])), 0,
			     "\"%s\", not \"%s\"", text, sleeps[i]);
		text += strlen(sleeps[i]);
	}
	cr_assert_str_empty(text);
}

static void doze_before_the_run(void)
{
	begin();
	jif_test_run(100);
	begin_at(3);
	jif_test_irq(handler);
	idle_for(10);
	jif_test_irq(NULL);
	jif_test_check(jif_now() == 3);
}

Test(kit, what_a_test_leaves_behind_is_not_there_in_the_next)
{
	cr_assert_eq(jif_test_each_window(doze_before_the_run), 1);
	begin();
	raised = 0;
	jif_test_irq(handler);
	jif_sim_irq();
	cr_assert_eq(raised, 0);
}

static void turn_and_arm(void)
{
	if (!turns++)
		arm(&timers[0], 5);
	jif_wheel_run(&wheel, jif_now());
}

Test(kit, next_expiry_is_that_after_a_turn)
{
	jif_test_begin(0, turn_and_arm);
	jif_wheel_init(&wheel, jif_now());
	cr_assert(jif_test_run_next(&wheel));
	cr_assert_eq(jif_now(), 5);
	cr_assert_eq(turns, 3, "at the begin, before the expiry and on it");
}

static void sleep_on(void)
{
	idle_for(UINT32_MAX);
	jif_wheel_run(&wheel, jif_now());
}

Test(kit, run_and_jump_go_as_far_as_a_delay)
{
	jif_test_begin(0, sleep_on);
	jif_test_run(JIF_DELAY_MAX);
	cr_assert_eq(jif_now(), JIF_DELAY_MAX);
	jif_wheel_init(&wheel, jif_now());
	arm(&timers[0], JIF_DELAY_MAX);
	cr_assert(jif_test_run_next(&wheel));
	cr_assert_eq(jif_now(), 2 * JIF_DELAY_MAX);
}

static bool in_irq, in_irq_after;

static void look(void)
{
	in_irq = jif_sim.in_irq;
}

static void raise_look(void)
{
	jif_test_raise(look);
	in_irq_after = jif_sim.in_irq;
	jif_test_print();
}

static void note_one(void)
{
	jif_test_note("n", 1);
}

static void print_a_stall(void)
{
	begin_at(0);
	jif_test_irq(note_one);
	jif_test_stall(2);
	jif_test_irq(NULL);
	jif_test_print();
}

Test(kit, stall_and_interrupt_are_printed_before_what_they_do)
{
	cr_assert(strstr(said_of_windows(print_a_stall),
			 "         0  stall of 2 ticks\n"
			 "         1  interrupt: note_one, in window 1\n"
			 "         1  n = 1\n"));
}

Test(kit, sleep_that_begins_as_late_as_can_be_is_none)
{
	jif_test_begin(0, turn_nothing);
	jif_ticks(JIF_DELAY_MAX + 1);
	idle_for(10);
	cr_assert_eq(jif_now(), JIF_DELAY_MAX + 1);
}

Test(kit, handler_that_is_raised_is_an_interrupt)
{
	cr_assert(strstr(said_by(raise_look),
			 "0  interrupt: look, in window 0\n"));
	cr_assert(in_irq);
	cr_assert_not(in_irq_after);
}

static void wake_anywhere(void)
{
	begin_asleep();
	jif_test_irq(wake);
	jif_test_run(990);
	jif_test_irq(NULL);
	jif_test_run(5);
	jif_test_check(woken == jif_test_count("event"));
	jif_test_check(woken <= 1);
}

/* Sleeps have windows at their begin and at their end. */
Test(kit, interrupt_may_end_each_sleep)
{
	cr_assert_geq(jif_test_each_window(wake_anywhere), 4);
}
