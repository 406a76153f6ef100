/* SPDX-License-Identifier: MIT */
/*
 * rows/faulty.c - a heap with a mistake, which the verification has to find
 */
#include "../ops.h"

/* The heap's own operations are not those of this row. */
#undef BENCH_ROW
#define BENCH_ROW(...) struct timer
#include "heap.c"

enum { LOSE, TWICE, EARLY, CANCELLED, LATE };

#define SELDOM 500

static void (*once)(void *timer);

static bool now_and_then(void)
{
	static unsigned calls;

	return ++calls % SELDOM == 0;
}

static void faulty_arm(void *timer, uint32_t expires)
{
	if (FAULT != LOSE || !now_and_then())
		row_arm(timer, expires);
}

static void faulty_cancel(void *timer)
{
	if (FAULT != CANCELLED || !now_and_then())
		row_cancel(timer);
}

static void expire(void *timer)
{
	once(timer);
	if (FAULT == TWICE && now_and_then())
		once(timer);
}

static void faulty_run(uint32_t now)
{
	once = bench_expire;
	bench_expire = expire;
	row_run(FAULT == EARLY ? now + 1 : FAULT == LATE ? now - 1 : now);
	bench_expire = once;
}

const struct bench_ops bench_ops = {
	.size = sizeof(struct timer),
	.init = row_init,
	.make = row_make,
	.arm = faulty_arm,
	.cancel = faulty_cancel,
	.rearm = row_rearm,
	.run = faulty_run,
	.jump = row_jump,
};
