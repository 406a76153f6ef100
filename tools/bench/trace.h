/* SPDX-License-Identifier: MIT */
/*
 * tools/bench/trace.h - a recording of what timers were asked to do
 */
#ifndef BENCH_TRACE_H
#define BENCH_TRACE_H

#include <stdbool.h>
#include <stddef.h>

/**
 * trace_replay - do what was recorded
 * @number:	how many timers there are, from number 0 on
 * @once:	not used
 *
 * The standard input has a line per start or cancel, in the order of time: the
 * tick, the timer and the tick at which it is to expire, 0 being a cancel. All
 * ticks up to that of a line are run before it is done; what is to expire in
 * the past expires on the next tick.
 *
 * Return: the exit status.
 */
int trace_replay(size_t number, bool once);

#endif
