/* SPDX-License-Identifier: MIT */
/*
 * tools/bench/timers.h - the timers of a row, and chance
 */
#ifndef BENCH_TIMERS_H
#define BENCH_TIMERS_H

#include <stddef.h>
#include <stdint.h>

#define WEEK 604800u

/* Shortly after 0: where the counter wraps is not for all rows. */
#define START 1000u

/**
 * struct call - one call of arm(), rearm() or cancel(), made up before the
 * clock starts
 * @timer:	what ops.h calls a timer
 * @expires:	absolute
 */
struct call {
	void *timer;
	uint32_t expires;
};

/** timers - in the order of memory; timers_count of them */
extern void **timers;
extern size_t timers_count;

/**
 * timers_init - make the row ready, if it is not
 *
 * Exits with UNAVAILABLE if it cannot be had on this machine.
 */
void timers_init(void);

/**
 * timers_make - make idle timers
 * @count:	how many
 */
void timers_make(size_t count);

/**
 * draw - any number below a limit
 * @limit:	not 0
 *
 * Return: the same numbers in each program, from its start on.
 */
uint32_t draw(uint32_t limit);

/**
 * draw_again - from now on, the same numbers again
 */
void draw_again(void);

/**
 * shuffle - call each timer once, in random order
 * @calls:	timers_count of them; their expiries are left alone
 */
void shuffle(struct call *calls);

/**
 * allocate - zeroed memory, or exit
 * @count:	of how many
 * @size:	bytes each
 */
void *allocate(size_t count, size_t size);

#endif
