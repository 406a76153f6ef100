/* SPDX-License-Identifier: MIT */
/* lib/kit/test.c - time, windows and expectations; see jif/kit/test.h */
#include <inttypes.h>
#include <jif/jiffies.h>
#include <jif/kit/test.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../delay.h"
#include "log.h"

/* Interrupts in a run at random, on average; failing runs that are named. */
#define IRQS_WANTED 3
#define NAMED	    10

/* Where the program was loaded: what reads the file cannot know. */
#ifdef __PIE__
extern const char __executable_start[];
#define LOADED_AT ((uintptr_t)__executable_start)
#else
#define LOADED_AT 0
#endif

void (*jif_test_on_fail)(const char *why);
const void *jif_test_place;

/* The board, and how the run of a test is to go. */
static struct machine {
	void (*turn)(void);    /* of the main loop */
	uint32_t until;	       /* no sleep goes beyond that */
	bool runs;	       /* jif_test_run() is under way */
	void (*handler)(void); /* may come in at a window; or NULL */
	const char *name;      /* of that */
	unsigned long window;  /* how many a handler may have come in at */
	unsigned long chosen;  /* the one at which it does; 0: none */
	unsigned long odds;    /* at random, in one of so many; 0: not */
	uint64_t seed;	       /* of a run at random */
	uint64_t random;       /* the state of the generator */
	bool wakes;	       /* it ends the sleep, and comes in then */
	const void *place;     /* the product's last access before it */
	jmp_buf *back;	       /* where a run goes on that fails, or NULL */
	bool quiet;	       /* a run before it has failed and has said why */
} machine;

static uint32_t next_random(void)
{
	machine.random = machine.random * UINT64_C(6364136223846793005) +
			 UINT64_C(1442695040888963407);
	return (uint32_t)(machine.random >> 32);
}

/* Does the handler come in at this window? */
static bool is_chosen(void)
{
	machine.window++;
	if (machine.odds)
		return next_random() % machine.odds == 0;
	return machine.window == machine.chosen;
}

/* What jif_sim_irq() calls in each window. */
static void window(void)
{
	bool comes = machine.wakes;

	if (!machine.handler || (!comes && !is_chosen()))
		return;
	machine.wakes = false;
	machine.place = jif_test_place;
	jif_log_add(LOG_IRQ, machine.name, (uint32_t)machine.window);
	machine.handler();
}

/* A sleep has two windows: when it has begun, and a tick before its end. */
static uint32_t sleep_for(uint32_t ticks)
{
	uint32_t left = machine.until - jif_now();

	if (left > JIF_DELAY_MAX)
		left = 0;
	if (ticks > left)
		ticks = left;
	if (machine.handler && !machine.wakes) {
		machine.wakes = is_chosen();
		if (machine.wakes)
			ticks = 0;
		else if (ticks && (machine.wakes = is_chosen()))
			ticks--;
	}
	if (ticks)
		jif_log_add(LOG_SLEEP, "sleep", ticks);
	return ticks;
}

/* Where the product was, if the tool that knows is there. */
static void print_place(void)
{
	uintptr_t at = (uintptr_t)machine.place - 1 - LOADED_AT;
	char command[80];

	if (!machine.place)
		return;
	fprintf(stderr, "the product's last access before the interrupt: ");
	snprintf(command, sizeof(command),
		 "addr2line -psf -e /proc/$PPID/exe %#lx >&2",
		 (unsigned long)at);
	if (system(command))
		fprintf(stderr, "%#lx\n", (unsigned long)at);
}

void jif_test_print(void)
{
	if (machine.odds)
		fprintf(stderr, "with JIF_TEST_SEED=%" PRIu64 ":\n",
			machine.seed);
	else if (machine.chosen)
		fprintf(stderr, "with JIF_TEST_WINDOW=%lu:\n", machine.chosen);
	print_place();
	jif_log_print();
}

static void on_abort(int signal_number)
{
	signal(signal_number, SIG_DFL);
	jif_test_print();
}

static void end(const char *why)
{
	if (jif_test_on_fail) {
		jif_test_on_fail(why);
		return;
	}
	signal(SIGABRT, SIG_DFL);
	abort();
}

JIF_PRINTF(3, 4)
static void fail(const char *file, int line, const char *format, ...)
{
	char why[256];
	va_list values;
	int n = snprintf(why, sizeof(why), "%s:%d: ", file, line);

	va_start(values, format);
	vsnprintf(why + n, sizeof(why) - (size_t)n, format, values);
	va_end(values);
	if (!machine.back || !machine.quiet) {
		fprintf(stderr, "%s\n", why);
		jif_test_print();
	}
	if (machine.back)
		longjmp(*machine.back, 1);
	end(why);
}

void jif_test_begin(uint32_t now, void (*turn)(void))
{
	machine.handler = NULL; /* the last run's: a tick may have a window */
	JIF_POWER_ON(true);
	jif_sim = (struct jif_sim){ .irq = window, .sleep = sleep_for };
	jif_jiffies = now;
	machine.turn = turn;
	machine.until = now;
	machine.runs = false;
	machine.wakes = false;
	machine.place = NULL;
	jif_test_place = NULL;
	jif_log_clear(now);
	signal(SIGABRT, on_abort);
}

void jif_test_run(uint32_t ticks)
{
	uint32_t before;

	if (ticks > JIF_DELAY_MAX)
		jif_panic("jif_test_run() of more than JIF_DELAY_MAX ticks");
	if (machine.runs) {
		fail(__FILE__, __LINE__, "jif_test_run() in what it runs");
		return;
	}
	JIF_POWER_ON(false);
	machine.runs = true;
	machine.until = jif_now() + ticks;
	do {
		before = jif_now();
		machine.turn();
		if (jif_now() == before &&
		    jif_time_before(before, machine.until)) {
			jif_tick();
			jif_sim_irq();
		}
	} while (jif_time_before(before, machine.until));
	machine.runs = false;
}

bool jif_test_run_next(struct jif_wheel *wheel)
{
	uint32_t when, ticks;
	bool overdue = jif_wheel_next_expiry(wheel, &when) &&
		       jif_time_after_eq(time_or_jiffies(wheel), when);

	jif_test_run(0);
	if (overdue || !jif_wheel_next_expiry(wheel, &when))
		return overdue;
	ticks = when - time_or_jiffies(wheel);
	if (ticks - 1 < JIF_DELAY_MAX)
		jif_ticks(ticks - 1);
	jif_test_run(ticks <= JIF_DELAY_MAX);
	return true;
}

void jif_test_stall(uint32_t ticks)
{
	jif_log_add(LOG_STALL, "stall", ticks);
	for (; machine.handler && ticks; ticks--) {
		jif_tick();
		jif_sim_irq();
	}
	jif_ticks(ticks);
}

void jif_test_raise_named(void (*handler)(void), const char *name)
{
	bool was = jif_sim.in_irq;

	if (jif_sim.off)
		jif_panic("jif_test_raise() with interrupts off");
	jif_log_add(LOG_IRQ, name, 0);
	jif_sim.in_irq = true;
	handler();
	jif_sim.in_irq = was;
}

void jif_test_irq_named(void (*handler)(void), const char *name)
{
	machine.handler = handler;
	machine.name = name;
}

/* One run of a test, that may fail. */
static bool passes(void (*test)(void))
{
	jmp_buf back;

	machine.window = 0;
	machine.back = &back;
	if (!setjmp(back)) {
		test();
		machine.back = NULL;
		return true;
	}
	machine.back = NULL;
	machine.quiet = true;
	return false;
}

/* What the environment says; 0 for nothing. */
static uint64_t given(const char *name)
{
	const char *text = getenv(name);

	return text ? strtoull(text, NULL, 10) : 0;
}

/* A run to count the windows; it has to pass. */
static unsigned long windows_of(void (*test)(void), const char *name)
{
	machine.chosen = 0;
	machine.odds = 0;
	machine.quiet = false;
	if (!passes(test))
		end(name);
	if (!machine.window)
		jif_panic("there is no window: jif_test_irq() opens them");
	return machine.window;
}

unsigned long jif_test_each_window_named(void (*test)(void), const char *name)
{
	unsigned long windows = windows_of(test, name);
	unsigned long only = (unsigned long)given("JIF_TEST_WINDOW");
	unsigned long failed = 0, tried = 0;

	for (unsigned long at = only ? only : 1; at <= windows; at++) {
		machine.chosen = at;
		tried++;
		if (!passes(test)) {
			if (failed++ < NAMED)
				printf("# %s: fails in window %lu\n", name, at);
		} else if (machine.window < at) {
			jif_panic("a test has to be the same each time");
		}
		if (only)
			break;
	}
	machine.chosen = 0;
	machine.place = NULL;
	printf("# %s: tried %lu of %lu windows, %lu failed\n", name, tried,
	       windows, failed);
	if (failed)
		end(name);
	return tried;
}

void jif_test_random_named(void (*test)(void), unsigned runs, const char *name)
{
	unsigned long windows = windows_of(test, name);
	uint64_t seed = given("JIF_TEST_SEED");
	unsigned failed = 0;

	if (!seed)
		seed = (uint64_t)time(NULL);
	printf("# %s: %u runs from JIF_TEST_SEED=%" PRIu64 " on\n", name, runs,
	       seed);
	for (; runs; runs--, seed++) {
		machine.odds = windows / IRQS_WANTED + 1;
		machine.seed = seed;
		machine.random = seed;
		next_random();
		if (passes(test))
			continue;
		if (failed++ < NAMED)
			printf("# %s: fails with JIF_TEST_SEED=%" PRIu64 "\n",
			       name, seed);
	}
	machine.odds = 0;
	machine.place = NULL;
	if (failed)
		end(name);
}

void jif_test_check_at(bool is_true, const char *what, const char *file,
		       int line)
{
	if (!is_true)
		fail(file, line, "not true: %s", what);
}

void jif_test_expect_at(uint32_t at, const char *name, uint32_t value,
			const char *file, int line)
{
	const struct log_event *got = jif_log_next();

	if (!got)
		fail(file, line, "expected at %lu: %s, %lu; nothing has come",
		     (unsigned long)at, name, (unsigned long)value);
	else if (got->when != at || got->value != value ||
		 strcmp(jif_log_name(got), name))
		fail(file, line,
		     "expected at %lu: %s, %lu; got at %lu: %s, %lu",
		     (unsigned long)at, name, (unsigned long)value,
		     (unsigned long)got->when, jif_log_name(got),
		     (unsigned long)got->value);
}

void jif_test_expect_no_more_at(const char *file, int line)
{
	const struct log_event *got = jif_log_next();

	if (got)
		fail(file, line, "expected nothing; got at %lu: %s, %lu",
		     (unsigned long)got->when, jif_log_name(got),
		     (unsigned long)got->value);
}
