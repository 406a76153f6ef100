/* SPDX-License-Identifier: MIT */
/*
 * tools/check/bench/workloads.c - what timers are asked to do
 *
 * Pointers and expiries are made up before the clock starts. A measured loop
 * reads them in order and makes an indirect call; the row "null" tells what
 * that costs.
 */
#include "harness.h"

#include <inttypes.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENOUGH	  200000 /* operations, so that the clock is fine enough */
#define HEARTBEAT 30	 /* to 60 ticks, with a beat each five, on average */
#define BEATS	  5
#define BEAT	  5
#define HOUR	  3600u
#define DELAYS	  65536 /* a power of two */
#define EMPTY	  100000
#define WEEKS	  7
#define SLEEPERS  10
#define EVENTS	  10000
#define DAY	  86400u
#define LONG	  43200000u /* half a day of milliseconds */

struct call {
	void *timer;
	uint32_t expires;
};

static uint32_t *delays;
static void (*again)(void *timer, uint32_t expires); /* how to re-arm */

static size_t rounds(size_t number)
{
	return once || number >= ENOUGH ? 1 : ENOUGH / number;
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
		again(call->timer, call->expires);
}

MEASURED static void run_each(uint32_t end)
{
	bench_ops.ticks(end);
}

static uint64_t time_of_run(uint32_t ticks)
{
	uint64_t begin = nanoseconds();

	run_each(bench_now + ticks);
	return nanoseconds() - begin;
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

/* Each timer once, in random order. */
static void shuffle(struct call *calls)
{
	size_t j;

	for (size_t i = 0; i < timers_count; i++) {
		j = draw((uint32_t)i + 1);
		calls[i].timer = calls[j].timer;
		calls[j].timer = timers[i];
	}
}

static struct call *arm_shuffled(size_t number, uint32_t least, uint32_t most)
{
	struct call *calls = allocate(number, sizeof(*calls));

	make_timers(number);
	shuffle(calls);
	draw_expiries(calls, least, most);
	arm_all(calls);
	return calls;
}

/* Once to warm up; for rows that allocate, too. */
void arm_and_cancel(size_t number)
{
	struct call *calls = arm_shuffled(number, 1, WEEK - 1);
	uint64_t arming = 0, cancelling = 0;
	uint64_t begin, armed, shuffled, cancelled;
	size_t n = rounds(number);

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
static uint64_t beat(struct call *calls, size_t n)
{
	uint64_t time = 0;
	uint64_t begin;

	for (size_t i = 0; i < n; i++) {
		draw_beats(calls);
		begin = nanoseconds();
		for (size_t j = 0; j < BEAT; j++) {
			rearm_each(calls + timers_count * j / BEAT,
				   calls + timers_count * (j + 1) / BEAT);
			run_each(bench_now + 1);
		}
		time += nanoseconds() - begin;
	}
	return time;
}

void rearm(size_t number)
{
	struct call *calls = arm_shuffled(number, HEARTBEAT, HEARTBEAT);
	size_t n = BEATS * rounds(BEATS * number);

	again = bench_ops.rearm;
	print("rearm", n * number, beat(calls, n));
}

/* A minute of heartbeats, not measured. */
static void warm_up(struct call *calls)
{
	for (size_t i = 0; i < MINUTE; i++) {
		if (i % BEAT == 0)
			draw_beats(calls);
		for (size_t j = timers_count * (i % BEAT) / BEAT;
		     j < timers_count * (i % BEAT + 1) / BEAT; j++)
			again(calls[j].timer, calls[j].expires);
		bench_ops.run(++bench_now);
	}
}

/* What postponing puts off is done, and counted, within a minute. */
void postpone(size_t number)
{
	struct call *calls = arm_shuffled(number, HEARTBEAT, HEARTBEAT);
	size_t n = MINUTE / BEAT * rounds(MINUTE / BEAT * number);

	again = bench_ops.postpone ? bench_ops.postpone : bench_ops.rearm;
	warm_up(calls);
	print("postpone", n * number, beat(calls, n));
}

/* One timer, far off. */
void empty_ticks(size_t number)
{
	arm_shuffled(1, WEEK, WEEK);
	print("empty", EMPTY, time_of_run(EMPTY));
}

void run_a_week(size_t number)
{
	uint64_t time;

	arm_shuffled(number, 1, WEEK - 1);
	time = time_of_run(WEEK);
	print("run", expired, time);
}

/* As run_each(), but each tick by itself; the shortest time of each is kept. */
static void time_ticks(uint32_t *shortest)
{
	uint64_t end = nanoseconds();
	uint64_t begin;

	for (uint32_t tick = 0; tick < WEEK; tick++) {
		begin = end;
		bench_ops.run(++bench_now);
		end = nanoseconds();
		if (end - begin < shortest[tick])
			shortest[tick] = (uint32_t)(end - begin);
	}
}

/* The same week again and again: what disturbs the machine comes only once. */
void worst_tick(size_t number)
{
	uint32_t *shortest = allocate(WEEK, sizeof(*shortest));
	struct call *calls = allocate(number, sizeof(*calls));
	uint32_t longest = 0;

	memset(shortest, 0xff, WEEK * sizeof(*shortest));
	make_timers(number);
	for (int i = once ? WEEKS - 1 : 0; i < WEEKS; i++) {
		draw_again();
		shuffle(calls);
		draw_expiries(calls, 1, WEEK - 1);
		arm_all(calls);
		time_ticks(shortest);
	}
	for (uint32_t tick = 0; tick < WEEK; tick++)
		if (shortest[tick] > longest)
			longest = shortest[tick];
	print("worst", 1, longest);
}

void churn(size_t number)
{
	uint32_t hours = (uint32_t)rounds(2 * number);
	uint64_t time;

	draw_delays(HOUR);
	arm_shuffled(number, 1, HOUR);
	bench_expire = renew;
	for (uint32_t i = 0; i < HOUR; i++)
		bench_ops.run(++bench_now);
	expired = 0;
	time = time_of_run(hours * HOUR);
	print("churn", expired, time);
}

void sparse(size_t number)
{
	uint64_t begin, time;
	size_t stops;

	if (!bench_ops.jump)
		exit(UNAVAILABLE);
	draw_delays(WEEK - 1);
	arm_shuffled(SLEEPERS, 1, WEEK - 1);
	bench_expire = renew;
	begin = nanoseconds();
	stops = sleep_each(EVENTS);
	time = nanoseconds() - begin;
	print("sparse", expired, time);
	print("stops", expired, stops);
}

MEASURED static void search_each(void)
{
	bench_ops.search();
}

/* How long to sleep: all timers are due within one day, the second from now. */
void search(size_t number)
{
	uint64_t begin;

	if (!bench_ops.search)
		exit(UNAVAILABLE);
	arm_shuffled(number, 2 * DAY, 3 * DAY - 1);
	begin = nanoseconds();
	search_each();
	print("search", 1, nanoseconds() - begin);
}

MEASURED static void wake_each(void)
{
	bench_ops.run(bench_now);
}

/* After a long sleep: all timers are due within the week that follows it. */
void wake(size_t number)
{
	uint64_t begin;

	arm_shuffled(number, LONG + 1, LONG + WEEK);
	bench_now += LONG;
	begin = nanoseconds();
	wake_each();
	print("wake", 1, nanoseconds() - begin);
}

struct line {
	void *timer;
	uint32_t tick;
	uint32_t expires; /* 0: cancel */
};

static struct line *lines;
static size_t lines_count;

static void add_line(uint32_t tick, size_t timer, uint32_t expires)
{
	struct line *line;

	if ((lines_count & (lines_count - 1)) == 0)
		lines = realloc(lines, (2 * lines_count + 1) * sizeof(*lines));
	if (!lines || timer >= timers_count)
		stop("the recording is too large");
	line = &lines[lines_count++];
	line->timer = timers[timer];
	line->tick = START + tick;
	line->expires = expires;
	if (expires)
		line->expires = START + (expires > tick ? expires : tick + 1);
}

MEASURED static void replay_each(const struct line *line,
				 const struct line *end)
{
	for (; line < end; line++) {
		while (bench_now != line->tick)
			bench_ops.run(++bench_now);
		if (line->expires)
			bench_ops.rearm(line->timer, line->expires);
		else
			bench_ops.cancel(line->timer);
	}
}

void replay(size_t number)
{
	uint32_t tick, expires;
	size_t timer;
	uint64_t begin;

	make_timers(number);
	while (scanf("%" SCNu32 " %zu %" SCNu32, &tick, &timer, &expires) == 3)
		add_line(tick, timer, expires);
	begin = nanoseconds();
	replay_each(lines, lines + lines_count);
	print("recording", lines_count, nanoseconds() - begin);
	print("fired", 1, expired);
}

static uint64_t allocated(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

/* All that is allocated, less the array of the harness. */
void memory(size_t number)
{
	uint64_t before = allocated();

	make_timers(0);
	print("wheel", 1, bench_ops.wheel_size + allocated() - before);
	before = allocated();
	make_timers(number);
	for (size_t i = 0; i < number; i++)
		bench_ops.arm(timers[i], bench_now + HOUR);
	print("timer", number, allocated() - before - number * sizeof(*timers));
}
