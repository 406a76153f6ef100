/* SPDX-License-Identifier: MIT */
/*
 * test/host/interleave/real.c - the same plans with real threads
 *
 * In place of machine.c: a plan runs again and again for so many seconds, each
 * time in a new process, until a tool or the plan says that something is wrong.
 */
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "machine.h"

#define HANGS_S 30
#define FAILED	7

uint64_t machine_moved = 1, machine_slack = 800 * MS;

void expect(bool cond, const char *format, ...)
{
	va_list values;

	if (cond)
		return;
	va_start(values, format);
	printf("# ");
	vprintf(format, values);
	va_end(values);
	printf("\n");
	fflush(stdout);
	_exit(FAILED);
}

uint64_t machine_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 * MS + (uint64_t)now.tv_nsec;
}

void machine_wait(int fd, uint64_t until)
{
	if (fd >= 0)
		poll(&(struct pollfd){ fd, POLLIN, 0 }, 1, -1);
	else
		while (machine_now() < until)
			sched_yield();
}

void machine_finish(bool (*is_over)(void), uint64_t until)
{
	do {
		usleep(1000);
	} while (!is_over() && machine_now() < until + machine_slack);
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
		     const char *schedule)
{
	uint64_t end = machine_now() + seconds * 1000 * MS;
	const char *what = "nothing in";
	unsigned n = 0;
	int status;

	do {
		n++;
		status = run(plan);
	} while (!status && machine_now() < end);
	if (WIFSIGNALED(status))
		what = "hangs at";
	else if (status)
		what = WEXITSTATUS(status) == FAILED ? "fails at" : "report at";
	printf("%s # %s %u\n", name, what, n);
	return !status;
}
