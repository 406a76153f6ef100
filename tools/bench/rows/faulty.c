/* SPDX-License-Identifier: MIT */
/*
 * rows/faulty.c - a heap with a mistake, which the verification has to find
 *
 * Linked with rows/heap.c, whose operations are called heap_ops then.
 */
#include "../ops.h"

enum { LOSE, TWICE, EARLY, CANCELLED, LATE };

#define SELDOM	  500
#define HEAP_SIZE 64 /* no timer of the heap is larger */

extern const struct bench_ops heap_ops;

static void (*once)(void *timer);

static bool now_and_then(void)
{
	static unsigned calls;

	return ++calls % SELDOM == 0;
}

static bool init(uint32_t now)
{
	return heap_ops.init(now);
}

static void *make(void *memory)
{
	return heap_ops.make(memory);
}

static void arm(void *timer, uint32_t expires)
{
	if (FAULT != LOSE || !now_and_then())
		heap_ops.arm(timer, expires);
}

static void cancel(void *timer)
{
	if (FAULT != CANCELLED || !now_and_then())
		heap_ops.cancel(timer);
}

static void rearm(void *timer, uint32_t expires)
{
	heap_ops.rearm(timer, expires);
}

static void expire(void *timer)
{
	once(timer);
	if (FAULT == TWICE && now_and_then())
		once(timer);
}

static void run(uint32_t now)
{
	once = bench_expire;
	bench_expire = expire;
	heap_ops.run(FAULT == EARLY ? now + 1 : FAULT == LATE ? now - 1 : now);
	bench_expire = once;
}

BENCH_TICKS(run)

const struct bench_ops bench_ops = {
	.size = HEAP_SIZE,
	.init = init,
	.make = make,
	.arm = arm,
	.cancel = cancel,
	.rearm = rearm,
	.run = run,
	.ticks = ticks,
};
