/* SPDX-License-Identifier: MIT */
/*
 * tools/check/bench/harness.c - one workload, once, on the row linked with it
 *
 * usage: ROW WORKLOAD NUMBER [once]
 *        ROW counted SECONDS WORKLOAD NUMBER...
 *
 * Prints what it has measured, a line each: what, how many operations, and the
 * nanoseconds of all of them. Exits with 77 if the row cannot do that here.
 *
 * The second form does several workloads once, each in a process of its own,
 * whose number comes first. A process that takes longer than SECONDS ends. So
 * valgrind starts once for all of them.
 */
#include "harness.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void (*bench_expire)(void *timer);
uint32_t bench_now = START;

void **timers;
size_t timers_count;
size_t expired;

bool once;

static uint64_t seed;

/* SplitMix64. */
uint32_t draw(uint32_t limit)
{
	uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)((z >> 32) * limit >> 32);
}

void draw_again(void)
{
	seed = 0;
}

void stop(const char *why)
{
	fprintf(stderr, "bench: error: %s\n", why);
	exit(1);
}

void *allocate(size_t number, size_t size)
{
	void *memory = calloc(number, size);

	if (!memory)
		stop("out of memory");
	return memory;
}

void count(void *timer)
{
	expired++;
}

void make_timers(size_t number)
{
	static bool ready;
	char *memory;

	if (!ready && !bench_ops.init(START))
		exit(UNAVAILABLE);
	ready = true;
	if (!number)
		return;
	memory = allocate(number, bench_ops.size);
	timers = allocate(number, sizeof(*timers));
	timers_count = number;
	for (size_t i = 0; i < number; i++)
		timers[i] = bench_ops.make(memory + i * bench_ops.size);
	bench_expire = count;
}

uint64_t nanoseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void print(const char *what, uint64_t operations, uint64_t value)
{
	printf("%s\t%" PRIu64 "\t%" PRIu64 "\n", what, operations, value);
}

static size_t number_of(const char *text)
{
	size_t number = text ? strtoul(text, NULL, 10) : 0;

	if (!number)
		stop("usage: ROW WORKLOAD NUMBER [once]");
	return number;
}

static void measure(const char *workload, size_t number)
{
	static const struct {
		const char *name;
		void (*measure)(size_t number);
	} workloads[] = {
		{ "arm", arm_and_cancel }, { "rearm", rearm },
		{ "postpone", postpone },  { "empty", empty_ticks },
		{ "run", run_a_week },	   { "worst", worst_tick },
		{ "churn", churn },	   { "sparse", sparse },
		{ "search", search },	   { "wake", wake },
		{ "recording", replay },   { "memory", memory },
		{ "verify", verify },
	};

	for (size_t i = 0; i < sizeof(workloads) / sizeof(*workloads); i++)
		if (!strcmp(workloads[i].name, workload)) {
			workloads[i].measure(number);
			return;
		}
	stop("no such workload");
}

static void measure_apart(const char *workload, size_t number, unsigned seconds)
{
	pid_t child = fork();
	int status;

	if (child < 0)
		stop("no more processes");
	if (!child) {
		alarm(seconds);
		print("process", 1, (uint64_t)getpid());
		fflush(stdout);
		measure(workload, number);
		exit(0);
	}
	if (waitpid(child, &status, 0) < 0)
		stop("a process is lost");
	if (WIFEXITED(status) && WEXITSTATUS(status) == UNAVAILABLE)
		return;
	if (status && !(WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM))
		stop("a workload has failed");
}

int main(int argc, char **argv)
{
	bool counted = argc > 2 && !strcmp(argv[1], "counted");

	once = argc > 3;
	for (int i = 3; counted && i < argc; i += 2)
		measure_apart(argv[i], number_of(argv[i + 1]),
			      (unsigned)number_of(argv[2]));
	if (!counted)
		measure(argc > 1 ? argv[1] : "",
			number_of(argc > 1 ? argv[2] : NULL));
	return 0;
}
