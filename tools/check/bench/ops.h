/* SPDX-License-Identifier: MIT */
/*
 * tools/check/bench/ops.h - what a row of the benchmark provides
 *
 * A program is the harness and one row. Time is virtual: a tick is whatever
 * the row makes of it, and its clock shows what run() said last, or the start.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct bench_ops - one way to keep timers
 * @size:	bytes of a timer that is part of an object of its user
 * @wheel_size:	bytes that all timers share and that are not allocated
 * @init:	makes it ready; false if it cannot be had here
 * @make:	makes an idle timer of @size bytes; returns what the other calls
 *		want, which is those bytes, or something that refers to them
 * @arm:	arms an idle timer
 * @cancel:	disarms a timer, pending or not
 * @rearm:	arms a timer, pending or not
 * @postpone:	as @rearm, in the cheapest way for heartbeats; NULL: @rearm is
 * @run:	goes to that tick, which is bench_now already, and calls
 *		bench_expire for all that is due
 * @ticks:	goes tick by tick to @end, with bench_now
 * @jump:	sets bench_now to when it has something to do next, and does it;
 *		NULL: it cannot tell
 * @search:	finds out how long a main loop may sleep; NULL: it cannot
 *
 * All expiries are absolute, in ticks, and later than the clock.
 */
struct bench_ops {
	size_t size;
	size_t wheel_size;
	bool (*init)(uint32_t now);
	void *(*make)(void *memory);
	void (*arm)(void *timer, uint32_t expires);
	void (*cancel)(void *timer);
	void (*rearm)(void *timer, uint32_t expires);
	void (*postpone)(void *timer, uint32_t expires);
	void (*run)(uint32_t now);
	void (*ticks)(uint32_t end);
	void (*jump)(void);
	void (*search)(void);
};

/** bench_ops - the row that this program is made of */
extern const struct bench_ops bench_ops;

/** bench_now - the tick that it is */
extern uint32_t bench_now;

/** bench_expire - what a row calls with each timer that expires; it is idle */
extern void (*bench_expire)(void *timer);

/*
 * The end of a row's file: its operations are the functions called row_init()
 * and so on, and what else is given here. Each row has a loop of its own around
 * its row_run(), which can be inlined there: the harness is not to cost more
 * than a tick without work does.
 */
#define BENCH_ROW(...)                                                         \
	static void row_ticks(uint32_t end)                                    \
	{                                                                      \
		for (uint32_t now = bench_now; now != end;) {                  \
			bench_now = ++now;                                     \
			row_run(now);                                          \
		}                                                              \
	}                                                                      \
	const struct bench_ops bench_ops                                       \
		__attribute__((externally_visible)) = { .init = row_init,      \
							.make = row_make,      \
							.arm = row_arm,        \
							.cancel = row_cancel,  \
							.run = row_run,        \
							.ticks = row_ticks,    \
							__VA_ARGS__ }
