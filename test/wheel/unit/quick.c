/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/unit/quick.c - runs tests that were compiled for Criterion
 *
 * It is linked in the place of Criterion's library, which takes 7 ms per test,
 * where the same tests run again: here it is a fork. The first test that fails
 * ends it, and the last line says how.
 *
 * usage: PROGRAM SECONDS [only] WORD [NAME]...: a test may use so much of the
 * processor's time; suites that have the word in their names come first, or no
 * others; tests of these names are left out.
 */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern struct criterion_test *__start_cr_tst[], *__stop_cr_tst[];
extern struct criterion_suite *__start_cr_sts[] __attribute__((weak)),
	*__stop_cr_sts[] __attribute__((weak));

struct criterion_options criterion_options;

static const struct criterion_test *running;
static struct criterion_test_extra_data none;
static rlim_t seconds;
static bool failed;

static const struct criterion_test_extra_data *suite_of(const char *name)
{
	for (struct criterion_suite **it = __start_cr_sts; it < __stop_cr_sts;
	     it++)
		if (!strcmp((*it)->name, name))
			return (*it)->data;
	return &none;
}

void criterion_internal_test_setup(void)
{
	const struct criterion_test_extra_data *suite =
		suite_of(running->category);

	if (suite->init)
		suite->init();
	if (running->data->init)
		running->data->init();
}

void criterion_internal_test_main(void (*fn)(void))
{
	fn();
}

void criterion_internal_test_teardown(void)
{
	const struct criterion_test_extra_data *suite =
		suite_of(running->category);

	if (running->data->fini)
		running->data->fini();
	if (suite->fini)
		suite->fini();
}

char *cr_translate_assert_msg(int index, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, index);
	text = strdup(va_arg(arguments, const char *));
	va_end(arguments);
	return text;
}

int cr_asprintf(char **text, const char *format, ...)
{
	va_list arguments;
	int length;

	va_start(arguments, format);
	length = vasprintf(text, format, arguments);
	va_end(arguments);
	return length;
}

void cr_asprintf_free(char *text)
{
	free(text);
}

void criterion_send_assert(struct criterion_assert_stats *stats)
{
	fprintf(stderr, "%s:%u: %s\n", stats->file, stats->line,
		stats->message);
}

void cri_asserts_passed_incr(void)
{
}

void criterion_continue_test(void)
{
	failed = true;
}

void criterion_abort_test(void)
{
	_exit(EXIT_FAILURE);
}

/* How it fails, or NULL. */
static const char *run(const struct criterion_test *test)
{
	const struct rlimit time = { seconds, seconds };
	const struct rlimit core = { 0, 0 };
	int status = 0;
	pid_t child;

	running = test;
	child = fork();
	if (!child) {
		setrlimit(RLIMIT_CPU, &time);
		setrlimit(RLIMIT_CORE, &core);
		test->test();
		exit(failed);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		exit(EXIT_FAILURE);
	if (WIFSIGNALED(status) && WTERMSIG(status) == test->data->signal)
		return NULL;
	if (WIFSIGNALED(status))
		return WTERMSIG(status) == SIGKILL ? "does not end" : "crashes";
	return status || test->data->signal ? "differs" : NULL;
}

static bool is_left_out(const struct criterion_test *test, char **names)
{
	while (*names && strcmp(*names, test->name))
		names++;
	return *names || test->data->disabled ||
	       suite_of(test->category)->disabled;
}

int main(int argc, char **argv)
{
	struct criterion_test **it;
	const char *how;
	unsigned tests = 0;
	int only = argc > 3 && !strcmp(argv[2], "only");
	char **word = argv + 2 + only;

	if (argc < 3)
		return EXIT_FAILURE;
	seconds = strtoul(argv[1], NULL, 10);
	for (int first = 1; first >= only; first--) {
		for (it = __start_cr_tst; it < __stop_cr_tst; it++) {
			if ((strstr((*it)->category, *word) != NULL) != first ||
			    is_left_out(*it, word + 1))
				continue;
			how = run(*it);
			if (how) {
				printf("%s %s\n", (*it)->data->identifier_,
				       how);
				return EXIT_FAILURE;
			}
			tests++;
		}
	}
	printf("%u tests\n", tests);
	return !tests && !only;
}
