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

/* A way to keep timers. Expiries are absolute, in ticks, after the clock. */
struct bench_ops {
	size_t size; /* of a timer that is part of an object of its user */
	size_t wheel_size; /* that all timers share and that is not allocated */
	bool (*init)(uint32_t now); /* false if it cannot be had here */
	/* Makes an idle timer of @size bytes; returns what the others want. */
	void *(*make)(void *memory);
	void (*arm)(void *timer, uint32_t expires);   /* an idle timer */
	void (*cancel)(void *timer);		      /* pending or not */
	void (*rearm)(void *timer, uint32_t expires); /* pending or not */
	/* The cheapest way for heartbeats; NULL: that is to rearm. */
	void (*postpone)(void *timer, uint32_t expires);
	/* To that tick, which is bench_now; all that is due expires. */
	void (*run)(uint32_t now);
	void (*ticks)(uint32_t end); /* tick by tick, with bench_now */
	/* Goes to when it has something to do, and does it; NULL: cannot. */
	void (*jump)(void);
	void (*search)(void); /* how long may one sleep? NULL: cannot */
};

extern const struct bench_ops bench_ops; /* the row of this program */
extern uint32_t bench_now;		 /* the tick that it is */

/* What a row calls with each timer that expires; it is idle. */
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
