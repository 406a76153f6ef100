/* SPDX-License-Identifier: MIT */
/*
 * rows/sorted.h - the rest of a row that keeps its timers in order of expiry
 *
 * To be included after struct timer, which has a function fn, after row_arm(),
 * row_cancel() and, with OWN_REARM, row_rearm(), and after first(), which tells
 * the timer that expires first, or NULL, and when that is. SHARED is how many
 * bytes all timers share.
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

static bool row_init(uint32_t now)
{
	return true;
}

static void row_run(uint32_t now)
{
	struct timer *timer;
	uint32_t expires;

	while ((timer = first(&expires)) && expires <= now) {
		row_cancel(timer);
		timer->fn(timer);
	}
}

static void row_jump(void)
{
	if (first(&bench_now))
		row_run(bench_now);
}

static void row_search(void)
{
	uint32_t expires;

	first(&expires);
}

BENCH_ROW(.size = sizeof(struct timer), .wheel_size = SHARED,
	  .rearm = row_rearm, .jump = row_jump, .search = row_search);
