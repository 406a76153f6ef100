/* SPDX-License-Identifier: MIT */
/* Runs all the tests that were linked in, and prints TAP */
#include <criterion/criterion.h>
#include <jif/port.h>

/* The machine's port, or the simulated one: on all images, this turns them on
 * again after a test that has failed with interrupts off. */
#include "../../lib/port/jif_port.h"

extern const struct target_test target_tests_begin[];
extern const struct target_test target_tests_end[];

/* The exit status; test/target/run.sh says so. */
#define OVER_THE_LIMIT 3

#define LIMIT_S	       60u

static const struct target_test *volatile running;
static volatile unsigned failures;
static void *where_to_go_on[5];
static jif_irq_t irqs_on;

static void put_name(const struct target_test *test)
{
	target_put_text(test->suite);
	target_puts("::");
	target_put_text(test->name);
}

static void give_up(void)
{
	__builtin_longjmp(where_to_go_on, 1);
}

void target_failed(const char *what, const char *file, unsigned line,
		   bool fatal)
{
	failures++;
	target_puts("# ");
	put_name(running);
	target_puts(": ");
	target_put_text(file);
	target_puts(":");
	target_put_number(line);
	target_puts(": ");
	target_put_text(what);
	target_puts("\n");
	if (!fatal)
		return;
	if (jif_in_irq())
		target_exit(1);
	give_up();
}

void jif_panic(const char *why)
{
	/* A simulated handler is an ordinary function here. */
	if (running->data->signal == SIGABRT && jif_in_irq() &&
	    !CONFIG_JIF_PORT_SIM)
		target_leave_irq(give_up);
	if (running->data->signal == SIGABRT)
		give_up();
	target_puts("panic: ");
	while (*why)
		target_putc(*why++);
	target_puts("\n");
	target_exit(1);
}

static bool is_disabled(const struct target_test *test)
{
	return test->data->disabled ||
	       (test->suite_data && test->suite_data->disabled);
}

static void run(const struct target_test *test)
{
	const struct target_data *suite = test->suite_data;

	running = test;
	failures = 0;
	if (!__builtin_setjmp(where_to_go_on)) {
		if (suite && suite->init)
			suite->init();
		test->fn();
		if (test->data->signal)
			target_failed(TARGET_TEXT("no panic"), TARGET_TEXT(""),
				      0, true);
		if (suite && suite->fini)
			suite->fini();
	}
	target_irq = 0;
	jif_irq_restore(irqs_on);
	if (failures)
		target_puts("not ");
	target_puts("ok - ");
	put_name(test);
	target_puts("\n");
}

/* Where no test wants it. */
__attribute__((weak)) void target_leave_irq(void (*to)(void))
{
	target_exit(1);
}

__attribute__((weak)) void target_limit(uint32_t seconds)
{
}

void target_late(void)
{
	target_puts("over the limit of time\n");
	target_exit(OVER_THE_LIMIT);
}

int main(void)
{
	const struct target_test *test;
	unsigned tests = 0;
	bool failed = false;

	target_limit(LIMIT_S);
	jif_irq_restore(jif_irq_save());
	irqs_on = jif_irq_save();
	jif_irq_restore(irqs_on);
	for (test = target_tests_begin; test != target_tests_end; test++) {
		if (is_disabled(test))
			continue;
		run(test);
		tests++;
		failed |= failures != 0;
	}
	target_puts("1..");
	target_put_number(tests);
	target_puts("\n");
	target_exit(failed || !tests);
}
