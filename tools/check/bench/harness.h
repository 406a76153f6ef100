/* SPDX-License-Identifier: MIT */
/* The timers of a row, chance, and what is measured */
#pragma once

#include "ops.h"

#define UNAVAILABLE 77 /* exit status: the row cannot do that, or not here */

/* Not inlined, nor changed to suit its caller: callgrind finds it by name. */
#define MEASURED __attribute__((noipa))

#define MINUTE	 60u
#define WEEK	 604800u
#define START	 1000u /* shortly after 0: not all rows stand a wrap */

/* What ops.h calls timers, in the order of memory. */
extern void **timers;
extern size_t timers_count;

/* How many have expired: what bench_expire does, if nothing else is said. */
extern size_t expired;
void count(void *timer);

/* The row is made ready, if it is not, and so many idle timers, if any. */
void make_timers(size_t number);

/* Any number below a limit; the same ones in each program, from its start. */
uint32_t draw(uint32_t limit);
void draw_again(void);

/* The program ends, with an error. */
void stop(const char *why) __attribute__((noreturn));

/* Zeroed, or the program ends. */
void *allocate(size_t number, size_t size);

/* No more is to be done than is needed to count instructions. */
extern bool once;

/* Since some time. */
uint64_t nanoseconds(void);

/* A line that says what was measured: nanoseconds, if nothing else is said. */
void print(const char *what, uint64_t operations, uint64_t value);

/* What can be measured: each does so with so many timers, and prints that. */
void arm_and_cancel(size_t number);
void rearm(size_t number);
void postpone(size_t number);
void empty_ticks(size_t number);
void run_a_week(size_t number);
void worst_tick(size_t number);
void churn(size_t number);
void sparse(size_t number);
void search(size_t number);
void wake(size_t number);
void memory(size_t number);

/*
 * A recording. The standard input has a line per start or cancel, in the order
 * of time: the tick, the timer, from 0 on, and the tick at which it is to
 * expire, 0 being a cancel. All ticks up to that of a line are run before it is
 * done; what is to expire in the past expires on the next tick.
 */
void replay(size_t number);

/*
 * Does the row do what it is measured for? Anything at random, beside an
 * oracle: a timer that is armed has to expire once, not before it is due; one
 * that is cancelled, not at all. How late they expire is printed, in ticks, and
 * how many come after another one that was armed later, for the same tick.
 */
void verify(size_t number);
