/* SPDX-License-Identifier: MIT */
/*
 * tools/bench/workloads.c - what timers are asked to do
 *
 * Pointers and expiries are made up before the clock starts. A measured loop
 * reads them in order and makes an indirect call; the row "null" tells what
 * that costs.
 */
#include "workloads.h"

#include <malloc.h>
#include <string.h>

#include "ops.h"
#include "report.h"
#include "timers.h"
#include "trace.h"
#include "verify.h"

#define ENOUGH 200000 /* operations, so that the clock is fine enough */
#define HEARTBEAT                                                              \
	30 /* to 60 ticks, its own, with a beat each five, on average */
#define BEATS	 5
#define BEAT	 5
#define HOUR	 3600u
#define DELAYS	 65536 /* a power of two */
#define EMPTY	 100000
#define WEEKS	 7
#define SLEEPERS 10
#define EVENTS	 10000

void (*bench_expire)(void *timer);
uint32_t bench_now = START;
uint32_t bench_tick = 1000000;
uint64_t bench_touched;

static size_t expired;
static uint32_t *delays;

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

	bench_ops.arm(timer, bench_now + delay);
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
		calls[i].expires = bench_now + least + draw(most - least + 1);
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
	bench_ops.ticks(end);
}

/* From one stop to the next; how many there were. */
MEASURED static size_t sleep_each(size_t events)
{
	size_t stops = 0;

	for (; expired < events; stops++)
		bench_ops.jump();
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
	timers_init();
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

/* Of any timers, while five ticks pass: some get several beats, some none. */
static void draw_beats(struct call *calls)
{
	uint32_t tick, which;

	for (size_t i = 0; i < timers_count; i++) {
		tick = bench_now + (uint32_t)(i * BEAT / timers_count);
		which = draw((uint32_t)timers_count);
		calls[i].timer = timers[which];
		calls[i].expires = tick + HEARTBEAT + which % (HEARTBEAT + 1);
	}
}

/* What gets no beat for too long expires, and is armed by its next one. */
static int heartbeats(size_t number, bool once)
{
	struct call *calls = arm_shuffled(number, HEARTBEAT, HEARTBEAT);
	size_t n = BEATS * rounds(BEATS * number, once);
	uint64_t time = 0;
	uint64_t begin;

	for (size_t i = 0; i < n; i++) {
		draw_beats(calls);
		begin = nanoseconds();
		for (size_t j = 0; j < BEAT; j++) {
			rearm_each(calls + number * j / BEAT,
				   calls + number * (j + 1) / BEAT);
			run_each(bench_now + 1);
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
	run_each(bench_now + EMPTY);
	print("empty", EMPTY, nanoseconds() - begin);
	return 0;
}

static int run_a_week(size_t number, bool once)
{
	uint64_t begin;

	(void)once;
	if (bench_ops.real)
		return UNAVAILABLE;
	arm_shuffled(number, 1, WEEK - 1);
	begin = nanoseconds();
	run_each(bench_now + WEEK);
	print("run", expired, nanoseconds() - begin);
	return 0;
}

/* As run_each(), but each tick by itself; the shortest time of each is kept. */
static uint64_t time_ticks(uint32_t *shortest)
{
	uint64_t most = 0;
	uint64_t end = nanoseconds();
	uint64_t begin, before;

	for (uint32_t tick = 0; tick < WEEK; tick++) {
		begin = end;
		before = bench_touched + expired;
		bench_ops.run(++bench_now);
		end = nanoseconds();
		if (end - begin < shortest[tick])
			shortest[tick] = (uint32_t)(end - begin);
		if (bench_touched + expired - before > most)
			most = bench_touched + expired - before;
	}
	return most;
}

/* The same week again and again: what disturbs the machine comes only once. */
static int worst_tick(size_t number, bool once)
{
	uint32_t *shortest = allocate(WEEK, sizeof(*shortest));
	struct call *calls;
	uint64_t most = 0;
	uint32_t longest = 0;

	if (bench_ops.real)
		return UNAVAILABLE;
	memset(shortest, 0xff, WEEK * sizeof(*shortest));
	calls = make_all(number);
	for (int i = once ? WEEKS - 1 : 0; i < WEEKS; i++) {
		draw_again();
		shuffle(calls);
		draw_expiries(calls, 1, WEEK - 1);
		arm_all(calls);
		most = time_ticks(shortest);
	}
	for (uint32_t tick = 0; tick < WEEK; tick++)
		if (shortest[tick] > longest)
			longest = shortest[tick];
	print("worst", 1, longest);
	print("touched", bench_touched ? 1 : 0, most);
	return 0;
}

static int churn(size_t number, bool once)
{
	uint32_t hours = (uint32_t)rounds(2 * number, once);
	uint64_t begin;

	if (bench_ops.real)
		return UNAVAILABLE;
	draw_delays(HOUR);
	arm_shuffled(number, 1, HOUR);
	bench_expire = renew;
	for (uint32_t i = 0; i < HOUR; i++)
		bench_ops.run(++bench_now);
	expired = 0;
	begin = nanoseconds();
	run_each(bench_now + hours * HOUR);
	print("churn", expired, nanoseconds() - begin);
	return 0;
}

static int sparse(size_t number, bool once)
{
	uint64_t begin, time;
	size_t stops;

	(void)number;
	(void)once;
	if (!bench_ops.jump)
		return UNAVAILABLE;
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

static uint64_t allocated(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

/* What is allocated, less the array of the harness. */
static int memory(size_t number, bool once)
{
	uint64_t before = allocated();

	(void)once;
	timers_init();
	if (!bench_ops.real)
		print("wheel", 1, bench_ops.wheel_size + allocated() - before);
	before = allocated();
	timers_make(number);
	for (size_t i = 0; i < number; i++)
		bench_ops.arm(timers[i], bench_now + HOUR);
	print("timer", number, allocated() - before - number * sizeof(*timers));
	return 0;
}

const struct workload *workload_find(const char *name)
{
	static const struct workload workloads[] = {
		{ "arm", arm_and_cancel }, { "rearm", heartbeats },
		{ "empty", empty_ticks },  { "run", run_a_week },
		{ "worst", worst_tick },   { "churn", churn },
		{ "sparse", sparse },	   { "trace", trace_replay },
		{ "memory", memory },	   { "verify", verify },
	};

	for (size_t i = 0; i < sizeof(workloads) / sizeof(*workloads); i++)
		if (!strcmp(workloads[i].name, name))
			return &workloads[i];
	return NULL;
}
