/* SPDX-License-Identifier: MIT */
/*
 * test/host/interleave/real.c - the same plans with real threads
 *
 * In place of machine.c: a plan runs again and again for so many seconds, each
 * time in a new process, until a tool or the plan says that something is wrong.
 */
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "machine.h"

#define HANGS_S 30
#define FAILED	7

uint64_t machine_moved = 1, machine_slack;

_Noreturn void machine_fail(void)
{
	printf("\n");
	fflush(stdout);
	_exit(FAILED);
}

void machine_wait(int fd, uint64_t until)
{
	if (fd >= 0)
		poll(&(struct pollfd){ fd, POLLIN, 0 }, 1, -1);
	else
		while (now_ns() < until)
			sched_yield();
}

void machine_finish(bool (*is_over)(void), uint64_t until)
{
	do {
		usleep(1000);
	} while (!is_over() && now_ns() < until);
}

/* How a process ends that runs the plan. */
static int run(void (*plan)(void))
{
	pid_t child;
	int status = 0;

	fflush(stdout);
	child = fork();
	if (!child) {
		alarm(HANGS_S);
		plan();
		_exit(0);
	}
	waitpid(child, &status, 0);
	return status;
}

bool machine_explore(const char *name, void (*plan)(void), unsigned seconds,
		     const char *late_ms)
{
	uint64_t end = now_ns() + seconds * 1000 * MS;
	const char *what = "nothing in";
	unsigned n = 0;
	int status;

	machine_slack = strtoul(late_ms, NULL, 10) * MS;
	do {
		n++;
		status = run(plan);
	} while (!status && now_ns() < end);
	if (WIFSIGNALED(status))
		what = "hangs at";
	else if (status)
		what = WEXITSTATUS(status) == FAILED ? "fails at" : "report at";
	printf("%s # %s %u\n", name, what, n);
	return !status;
}
