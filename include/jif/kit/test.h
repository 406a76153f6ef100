/* SPDX-License-Identifier: MIT */
/*
 * jif/kit/test.h - test firmware on a host, in simulated time
 *
 * For a program that is compiled with CONFIG_JIF_PORT_SIM=1: the product, its
 * tests, and jif. docs/tests.md is a walk through an example.
 *
 * A window is a place at which an interrupt can come in: wherever the engine
 * turns interrupts on again, at each tick, where the machine goes to sleep and
 * wakes up, where a fake of the board calls jif_sim_irq(), and, in sources that
 * are compiled with -O0 -fsanitize=thread and linked with lib/kit/access.c
 * instead of a sanitizer, before each access to memory. Interrupts that the
 * product turns off, by jif_sim.off, close it.
 *
 * Times are ticks since jif_test_begin(). What fails prints the last 50 events
 * on standard error, and aborts or calls jif_test_on_fail, which a framework
 * sets. The kit sets @irq and @sleep of jif_sim, and jif_trace.
 */
#ifndef JIF_TEST_H
#define JIF_TEST_H

#include <jif/kit/sim.h>
#include <jif/wheel.h>

JIF_BEGIN_DECLS

/*
 * Ends a test that fails, when all has been printed; NULL: it aborts. With
 * Criterion, it calls cr_assert_fail, with Unity TEST_FAIL_MESSAGE.
 */
extern void (*jif_test_on_fail)(const char *why);

/**
 * jif_test_begin - power on
 * @now:	what jiffies are; -10u is ten ticks before the wrap
 * @turn:	one turn of the product's main loop: runs its wheel
 *
 * Forgets what a test before it has watched, noted and expected. Then the test
 * initialises the product, all of its state.
 * Context: the beginning of a test.
 */
void jif_test_begin(uint32_t now, void (*turn)(void));

/**
 * jif_test_run - let time pass
 * @ticks:	how many, at most JIF_DELAY_MAX; 0: the main loop turns once
 *
 * The main loop turns at once, and after each tick. If it sleeps, by
 * jif_port_idle(), it sleeps as long as it wants, but not beyond @ticks.
 * Context: the test, which fails if it is what this runs; see jif_test_stall().
 */
void jif_test_run(uint32_t ticks);

/**
 * jif_test_run_next - let time pass until a timer expires
 * @wheel:	the product's
 *
 * The main loop turns once. If nothing was overdue for that, time jumps to the
 * tick before the next expiry; the turns in between, in which no timer expires,
 * are left out. So a timer of a month takes no longer than one of a second.
 * Context: the test.
 * Return: false if the wheel is empty, and then no time has passed.
 */
bool jif_test_run_next(struct jif_wheel *wheel);

/**
 * jif_test_stall - let time pass, but not the main loop turn
 * @ticks:	how many, at most JIF_DELAY_MAX
 *
 * In a fake of the board: this call of it takes so long.
 * Context: the test, or anything the product calls.
 */
void jif_test_stall(uint32_t ticks);

/**
 * jif_test_raise - a handler of the product runs now, as an interrupt
 * @handler:	the handler
 * Context: the test, or anything the product calls with interrupts on.
 */
#define jif_test_raise(handler) jif_test_raise_named(handler, #handler)
void jif_test_raise_named(void (*handler)(void), const char *name);

/**
 * jif_test_irq - from here on, a handler of the product may come in
 * @handler:	the handler; NULL: none from here on
 *
 * Where jif_test_each_window() or jif_test_random() says; else nowhere.
 * Context: a test.
 */
#define jif_test_irq(handler) jif_test_irq_named(handler, #handler)
void jif_test_irq_named(void (*handler)(void), const char *name);

/**
 * jif_test_each_window - run a test once for each window
 * @test:	begins with jif_test_begin(), and does the same each time
 *
 * Runs it first without an interrupt, and counts the windows; then, for each of
 * them, with one that comes in there. A run fails by what this header offers;
 * the others go on. JIF_TEST_WINDOW=N in the environment has only N tried.
 * Context: a test.
 * Return: how many windows were tried, which is printed too.
 */
#define jif_test_each_window(test) jif_test_each_window_named(test, #test)
unsigned long jif_test_each_window_named(void (*test)(void), const char *name);

/**
 * jif_test_random - run a test many times, with interrupts at random
 * @test:	begins with jif_test_begin()
 * @runs:	how many times
 *
 * About three interrupts a run. The seed is printed, that of the clock, or
 * JIF_TEST_SEED=N of the environment; that of a run that fails is printed too,
 * and gives the same run again, as the first one.
 * Context: a test.
 */
#define jif_test_random(test, runs) jif_test_random_named(test, runs, #test)
void jif_test_random_named(void (*test)(void), unsigned runs, const char *name);

/**
 * jif_test_watch - log what becomes of a timer
 * @wheel:	the wheel that it is or will be on
 * @timer:	the timer; of a periodic timer or delayed work, its @timer
 * @name:	what the log calls it
 *
 * Logs when it is armed, moved and cancelled, and when its function is called.
 * Context: a test, once the product has been initialised.
 */
void jif_test_watch(struct jif_wheel *wheel, struct jif_timer *timer,
		    const char *name);

/**
 * jif_test_note - log something that a test expects
 * @name:	what it is called
 * @value:	a number that goes with it
 * Context: a fake of the board, or a callback of the test.
 */
void jif_test_note(const char *name, uint32_t value);

/**
 * jif_test_expect - what has to be next
 * @at:		how many ticks after jif_test_begin()
 * @name:	a watched timer that has expired, or what was noted
 * @value:	of a note; of a timer, by how many ticks it was late
 *
 * What has fired or was noted has to be expected in the order in which it came.
 * Context: a test.
 */
#define jif_test_expect(at, name, value)                                       \
	jif_test_expect_at(at, name, value, __FILE__, __LINE__)
void jif_test_expect_at(uint32_t at, const char *name, uint32_t value,
			const char *file, int line);

/**
 * jif_test_ignore - what need not be expected
 * @name:	a timer, or a note
 * Context: a test.
 */
void jif_test_ignore(const char *name);

/**
 * jif_test_expect_no_more - nothing has fired or was noted since
 * Context: a test.
 */
#define jif_test_expect_no_more() jif_test_expect_no_more_at(__FILE__, __LINE__)
void jif_test_expect_no_more_at(const char *file, int line);

/**
 * jif_test_count - how often something has happened
 * @name:	a watched timer that has expired, or what was noted
 * Context: a test.
 * Return: how often, since jif_test_begin().
 */
unsigned jif_test_count(const char *name);

/**
 * jif_test_check - something has to be true
 * @condition:	what
 *
 * Like the assertion of a framework. But where that ends the test,
 * jif_test_each_window() and jif_test_random() go on with the next run.
 * Context: a test.
 */
#define jif_test_check(condition)                                              \
	jif_test_check_at(condition, #condition, __FILE__, __LINE__)
void jif_test_check_at(bool is_true, const char *what, const char *file,
		       int line);

/**
 * jif_test_print - print the last 50 events
 *
 * On standard error, as a test that fails does, with the window or seed of the
 * run that is under way. For the tear-down of a framework whose own assertions
 * may fail; on an abort, it is called anyway.
 * Context: any.
 */
void jif_test_print(void);

/* jif_test_place - the product's latest access to memory; access.c sets it */
extern const void *jif_test_place;

JIF_END_DECLS

#endif
