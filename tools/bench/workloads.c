/* SPDX-License-Identifier: MIT */
/*
 * tools/bench/workloads.c - what timers are asked to do
 *
 * Pointers and expiries are made up before the clock starts. A measured loop
 * reads them in order and makes an indirect call; the row "null" tells what
 * that costs.
 */
#include "workloads.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "ops.h"
#include "timers.h"

#define ENOUGH	  200000 /* operations, so that the clock is fine enough */
#define HEARTBEAT 30	 /* to 60 ticks, with a beat each ten, on average */
#define BEATS	  5
#define BEAT	  10
#define HOUR	  3600u
#define DELAYS	  65536 /* a power of two */
#define EMPTY	  100000
#define SLEEPERS  10
#define EVENTS	  10000
#define SKIPPED	  77

/* Not inlined, nor changed to suit its caller: callgrind finds it by name. */
#define MEASURED __attribute__((noipa))

void (*bench_expire)(void *timer);

static uint32_t clock_now = START;
static size_t expired;
static uint32_t *delays;

static uint64_t nanoseconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void print(const char *what, uint64_t operations, uint64_t ns)
{
	printf("%s\t%" PRIu64 "\t%" PRIu64 "\n", what, operations, ns);
}

static size_t rounds(size_t number, bool once)
{
	return once || number >= ENOUGH ? 1 : ENOUGH / number;
}

static void count(void *timer)
{
	(void)timer;
	expired++;
}

/* For ever: a timer that expires is armed again. */
static void renew(void *timer)
{
	uint32_t delay = delays[expired++ % DELAYS];

	bench_ops.arm(timer, clock_now + delay);
}

static void draw_delays(uint32_t most)
{
	delays = allocate(DELAYS, sizeof(*delays));
	for (size_t i = 0; i < DELAYS; i++)
		delays[i] = 1 + draw(most);
}

static void draw_expiries(struct call *calls, uint32_t least, uint32_t most)
{
	for (size_t i = 0; i < timers_count; i++)
		calls[i].expires = clock_now + least + draw(most - least + 1);
}

MEASURED static void arm_each(const struct call *call, const struct call *end)
{
	for (; call < end; call++)
		bench_ops.arm(call->timer, call->expires);
}

MEASURED static void cancel_each(const struct call *call,
				 const struct call *end)
{
	for (; call < end; call++)
		bench_ops.cancel(call->timer);
}

MEASURED static void rearm_each(const struct call *call, const struct call *end)
{
	for (; call < end; call++)
		bench_ops.rearm(call->timer, call->expires);
}

MEASURED static void run_each(uint32_t end)
{
	while (clock_now != end)
		bench_ops.run(++clock_now);
}

/* From one stop to the next; how many there were. */
MEASURED static size_t sleep_each(size_t events)
{
	size_t stops = 0;

	for (; expired < events && bench_ops.next(&clock_now); stops++)
		bench_ops.run(clock_now);
	return stops;
}

/* As arm_each(), where it is not measured. */
static void arm_all(const struct call *calls)
{
	for (size_t i = 0; i < timers_count; i++)
		bench_ops.arm(calls[i].timer, calls[i].expires);
}

static struct call *make_all(size_t number)
{
	timers_make(number);
	bench_expire = count;
	return allocate(number, sizeof(struct call));
}

static struct call *arm_shuffled(size_t number, uint32_t least, uint32_t most)
{
	struct call *calls = make_all(number);

	shuffle(calls);
	draw_expiries(calls, least, most);
	arm_all(calls);
	return calls;
}

/* Once to warm up; for rows that allocate, too. */
static int arm_and_cancel(size_t number, bool once)
{
	struct call *calls = arm_shuffled(number, 1, WEEK - 1);
	uint64_t arming = 0, cancelling = 0;
	uint64_t begin, armed, shuffled, cancelled;
	size_t n = rounds(number, once);

	for (size_t i = 0; i < number; i++)
		bench_ops.cancel(timers[i]);
	for (size_t i = 0; i < n; i++) {
		shuffle(calls);
		draw_expiries(calls, 1, WEEK - 1);
		begin = nanoseconds();
		arm_each(calls, calls + number);
		armed = nanoseconds();
		shuffle(calls);
		shuffled = nanoseconds();
		cancel_each(calls, calls + number);
		cancelled = nanoseconds();
		arming += armed - begin;
		cancelling += cancelled - shuffled;
	}
	print("arm", n * number, arming);
	print("cancel", n * number, cancelling);
	return 0;
}

/* Of any timers, while ten ticks pass: some get several beats, some none. */
static void draw_beats(struct call *calls)
{
	uint32_t tick;

	for (size_t i = 0; i < timers_count; i++) {
		tick = clock_now + (uint32_t)(i * BEAT / timers_count);
		calls[i].timer = timers[draw((uint32_t)timers_count)];
		calls[i].expires = tick + HEARTBEAT + draw(HEARTBEAT + 1);
	}
}

/* What gets no beat for too long expires, and is armed by its next one. */
static int heartbeats(size_t number, bool once)
{
	struct call *calls = arm_shuffled(number, HEARTBEAT, 2 * HEARTBEAT);
	size_t n = BEATS * rounds(BEATS * number, once);
	uint64_t time = 0;
	uint64_t begin;

	for (size_t i = 0; i < n; i++) {
		draw_beats(calls);
		begin = nanoseconds();
		for (size_t j = 0; j < BEAT; j++) {
			rearm_each(calls + number * j / BEAT,
				   calls + number * (j + 1) / BEAT);
			run_each(clock_now + 1);
		}
		time += nanoseconds() - begin;
	}
	print("rearm", n * number, time);
	return 0;
}

/* One timer, far off. */
static int empty_ticks(size_t number, bool once)
{
	uint64_t begin;

	(void)number;
	(void)once;
	arm_shuffled(1, WEEK, WEEK);
	begin = nanoseconds();
	run_each(clock_now + EMPTY);
	print("empty", EMPTY, nanoseconds() - begin);
	return 0;
}

static int run_a_week(size_t number, bool once)
{
	uint64_t begin;

	(void)once;
	arm_shuffled(number, 1, WEEK - 1);
	begin = nanoseconds();
	run_each(clock_now + WEEK);
	print("run", expired, nanoseconds() - begin);
	return 0;
}

static int churn(size_t number, bool once)
{
	uint32_t hours = (uint32_t)rounds(2 * number, once);
	uint64_t begin;

	draw_delays(HOUR);
	arm_shuffled(number, 1, HOUR);
	bench_expire = renew;
	for (uint32_t i = 0; i < HOUR; i++)
		bench_ops.run(++clock_now);
	expired = 0;
	begin = nanoseconds();
	run_each(clock_now + hours * HOUR);
	print("churn", expired, nanoseconds() - begin);
	return 0;
}

static int sparse(size_t number, bool once)
{
	uint64_t begin, time;
	size_t stops;

	(void)number;
	(void)once;
	if (!bench_ops.next)
		return SKIPPED;
	draw_delays(WEEK - 1);
	arm_shuffled(SLEEPERS, 1, WEEK - 1);
	bench_expire = renew;
	begin = nanoseconds();
	stops = sleep_each(EVENTS);
	time = nanoseconds() - begin;
	print("sparse", expired, time);
	print("stops", expired, stops);
	return 0;
}

const struct workload *workload_find(const char *name)
{
	static const struct workload workloads[] = {
		{ "arm", arm_and_cancel }, { "rearm", heartbeats },
		{ "empty", empty_ticks },  { "run", run_a_week },
		{ "churn", churn },	   { "sparse", sparse },
	};

	for (size_t i = 0; i < sizeof(workloads) / sizeof(*workloads); i++)
		if (!strcmp(workloads[i].name, name))
			return &workloads[i];
	return NULL;
}
