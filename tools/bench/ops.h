/* SPDX-License-Identifier: MIT */
/*
 * tools/bench/ops.h - what a row of the benchmark provides
 *
 * A program is the harness and one row. Time is virtual: a tick is whatever
 * the row makes of it, and its clock shows what run() said last, or the start.
 */
#ifndef BENCH_OPS_H
#define BENCH_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct bench_ops - one way to keep timers
 * @size:	bytes of a timer that is part of an object of its user
 * @wheel_size:	bytes that all timers share and that are not allocated
 * @real:	its clock is that of the machine, with ticks of bench_tick: time
 *		goes by between calls, too
 * @init:	makes it ready; false if it cannot be had here
 * @make:	makes an idle timer of @size bytes; returns what the other calls
 *		want, which is those bytes, or something that refers to them
 * @arm:	arms an idle timer
 * @cancel:	disarms a timer, pending or not
 * @rearm:	arms a timer, pending or not
 * @run:	goes to that tick, which is bench_now already, and calls
 *		bench_expire for all that is due
 * @ticks:	goes tick by tick to @end, with bench_now; by BENCH_TICKS()
 * @jump:	sets bench_now to when it has something to do next, and does it
 *
 * All expiries are absolute, in ticks, and later than the clock. What is NULL
 * cannot be done, and the workloads that need it are left out.
 */
struct bench_ops {
	size_t size;
	size_t wheel_size;
	bool real;
	bool (*init)(uint32_t now);
	void *(*make)(void *memory);
	void (*arm)(void *timer, uint32_t expires);
	void (*cancel)(void *timer);
	void (*rearm)(void *timer, uint32_t expires);
	void (*run)(uint32_t now);
	void (*ticks)(uint32_t end);
	void (*jump)(void);
};

/** bench_ops - the row that this program is made of */
extern const struct bench_ops bench_ops;

/** bench_tick - microseconds of a tick, if time is real */
extern uint32_t bench_tick;

/** bench_touched - entries that a row has moved, if it counts them */
extern uint64_t bench_touched;

/** bench_now - the tick that it is */
extern uint32_t bench_now;

/** bench_expire - what a row calls with each timer that expires; it is idle */
extern void (*bench_expire)(void *timer);

/*
 * Each row has a loop of its own around its run(), which can be inlined there:
 * the harness is not to cost more than a tick without work does.
 */
#define BENCH_TICKS(run)                                                       \
	static void ticks(uint32_t end)                                        \
	{                                                                      \
		for (uint32_t now = bench_now; now != end;) {                  \
			bench_now = ++now;                                     \
			run(now);                                              \
		}                                                              \
	}

#endif
