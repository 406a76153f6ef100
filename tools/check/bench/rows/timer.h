/* SPDX-License-Identifier: MIT */
/*
 * rows/timer.h - how a timer that has a function fn is made and armed anew
 *
 * To be included after struct timer, row_arm() and row_cancel().
 */
static void row_expired(struct timer *timer)
{
	bench_expire(timer);
}

static void *row_make(void *memory)
{
	struct timer *timer = memory;

	timer->fn = row_expired;
	return timer;
}

#ifndef OWN_REARM
static void row_rearm(void *timer, uint32_t expires)
{
	row_cancel(timer);
	row_arm(timer, expires);
}
#endif
