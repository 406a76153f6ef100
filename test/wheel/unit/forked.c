/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/unit/forked.c - each row of misuse in a process of its own
 *
 * The last line says how many came to what, and others what panics without
 * jif_warn, for misuse.out to agree with.
 * The main() of quick.c, of which the rest is used, is renamed.
 */
#include <jif/debug.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "misuse.h"
#include "unit.h"

#define SECONDS 5

/* What a row comes to; a child exits with one of the first three. */
enum outcome { HOLDS, DIFFERS, STOPS, HANGS, FAULT, OUTCOMES };

static const char *const words[OUTCOMES] = { "hold", "differ", "stop", "hang",
					     "fault" };
static unsigned counts[OUTCOMES], told, tests, failed;
static const struct misuse *running;

static void on_panic(int number)
{
	misuse_end(running);
	_exit(running->kind >= DAMAGED ? STOPS : FAULT);
}

static void run_child(const struct misuse *row)
{
	const struct rlimit core = { 0, 0 };

	running = row;
	setrlimit(RLIMIT_CORE, &core);
	alarm(SECONDS);
	if (CONFIG_JIF_DEBUG)
		signal(SIGABRT, on_panic);
	misuse_begin();
	row->happen();
	if (row->kind == REFUSED || CONFIG_JIF_DEBUG)
		misuse_end(row);
	_exit(HOLDS);
}

static enum outcome outcome_of(const struct misuse *row)
{
	int status;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child)
		run_child(row);
	if (child < 0 || waitpid(child, &status, 0) != child)
		exit(EXIT_FAILURE);
	if (WIFSIGNALED(status))
		return WTERMSIG(status) == SIGALRM ? HANGS : FAULT;
	return (enum outcome)WEXITSTATUS(status);
}

/* Without jif_warn: does it panic? */
static bool panics(const struct misuse *row)
{
	const struct rlimit core = { 0, 0 };
	int status = 0;
	pid_t child;

	fflush(stdout);
	child = fork();
	if (!child) {
		setrlimit(RLIMIT_CORE, &core);
		close(STDERR_FILENO);
		misuse_begin();
		jif_warn = NULL;
		row->happen();
		_exit(HOLDS);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		exit(EXIT_FAILURE);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static bool is_right(const struct misuse *row, enum outcome outcome)
{
	if (row->kind == FAULTS)
		return outcome == FAULT;
	if (row->kind == REFUSED)
		return outcome == HOLDS;
	if (CONFIG_JIF_DEBUG)
		return outcome == (row->kind >= DAMAGED ? STOPS : HOLDS);
	return outcome <= STOPS ||
	       (outcome == FAULT && (row->kind == FATAL || row->kind == GONE));
}

static void run_rows(const struct misuse *rows, unsigned count)
{
	for (const struct misuse *row = rows; row < rows + count; row++) {
		enum outcome outcome = outcome_of(row);
		bool right = is_right(row, outcome);

		tests++;
		failed += !right;
		counts[outcome]++;
		told += CONFIG_JIF_DEBUG && row->what && outcome == HOLDS;
		printf("%sok %u - %s, %s: %s\n", right ? "" : "not ", tests,
		       row->name, CONFIG_JIF_DEBUG ? "debug" : "release",
		       words[outcome]);
		if (CONFIG_JIF_DEBUG && row->what && row->kind < DAMAGED &&
		    panics(row))
			printf("# panics: %s\n", row->what);
	}
}

int main(void)
{
	run_rows(misuse_rows, misuse_count);
	run_rows(misuse_above, misuse_above_count);
	run_rows(misuse_host, misuse_host_count);
	printf("1..%u\n", tests);
	if (CONFIG_JIF_DEBUG)
		printf("# debug: %u reported and refused, %u reported and "
		       "stopped, %u not reported, %u faults, %u hangs\n",
		       told, counts[STOPS], counts[HOLDS] - told, counts[FAULT],
		       counts[HANGS]);
	else
		printf("# release: %u without a fault, %u faults, %u hangs\n",
		       counts[HOLDS] + counts[DIFFERS], counts[FAULT],
		       counts[HANGS]);
	return failed > 0;
}
