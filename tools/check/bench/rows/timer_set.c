/* SPDX-License-Identifier: MIT */
/*
 * rows/timer_set.c - what Seastar's timer_set does: a radix heap
 *
 * A bucket for each bit: that of a timer is the highest bit in which its expiry
 * differs from the time of the last run. When time has moved on, what is in
 * lower buckets than that of now is due, and what is in that one is either due
 * or goes to a lower one. The next expiry is looked up in the lowest bucket.
 */
#include <sys/queue.h>

#include "../ops.h"

#define BUCKETS 33
#define DUE	0

struct timer {
	TAILQ_ENTRY(timer) entry;
	void (*fn)(struct timer *timer);
	uint32_t expires;
	uint8_t bucket;
	bool pending;
};

TAILQ_HEAD(bucket, timer);
static struct bucket buckets[BUCKETS];
static uint64_t occupied;
static uint32_t last;
static uint32_t next = UINT32_MAX;

static unsigned bucket_of(uint32_t expires)
{
	uint32_t differs = expires ^ last;

	return differs ? 32 - (unsigned)__builtin_clz(differs) : DUE;
}

static void insert(struct timer *timer, unsigned bucket)
{
	timer->bucket = (uint8_t)bucket;
	TAILQ_INSERT_TAIL(&buckets[bucket], timer, entry);
	occupied |= UINT64_C(1) << bucket;
}

static void take(struct timer *timer)
{
	TAILQ_REMOVE(&buckets[timer->bucket], timer, entry);
	if (TAILQ_EMPTY(&buckets[timer->bucket]))
		occupied &= ~(UINT64_C(1) << timer->bucket);
}

static bool row_init(uint32_t now)
{
	for (unsigned i = 0; i < BUCKETS; i++)
		TAILQ_INIT(&buckets[i]);
	last = now;
	return true;
}

static void row_arm(void *memory, uint32_t expires)
{
	struct timer *timer = memory;

	timer->expires = expires;
	timer->pending = true;
	insert(timer, bucket_of(expires));
	if (expires < next)
		next = expires;
}

static void row_cancel(void *memory)
{
	struct timer *timer = memory;

	if (timer->pending)
		take(timer);
	timer->pending = false;
}

#include "timer.h"

/* All that is due becomes the lowest bucket. */
static void sort_out(uint32_t now)
{
	unsigned bucket = bucket_of(now);
	struct bucket reached = TAILQ_HEAD_INITIALIZER(reached);
	struct timer *timer;

	for (unsigned i = DUE + 1; i < bucket; i++)
		while ((timer = TAILQ_FIRST(&buckets[i]))) {
			take(timer);
			insert(timer, DUE);
		}
	TAILQ_CONCAT(&reached, &buckets[bucket], entry);
	occupied &= ~(UINT64_C(1) << bucket);
	last = now;
	while ((timer = TAILQ_FIRST(&reached))) {
		TAILQ_REMOVE(&reached, timer, entry);
		insert(timer,
		       timer->expires <= now ? DUE : bucket_of(timer->expires));
	}
}

static void find_next(void)
{
	uint64_t later = occupied & ~UINT64_C(1);
	struct timer *timer;

	next = UINT32_MAX;
	if (later)
		TAILQ_FOREACH(timer, &buckets[__builtin_ctzll(later)], entry)
	if (timer->expires < next)
		next = timer->expires;
}

static void row_run(uint32_t now)
{
	struct timer *timer;

	if (now < next)
		return;
	sort_out(now);
	find_next();
	while ((timer = TAILQ_FIRST(&buckets[DUE]))) {
		row_cancel(timer);
		timer->fn(timer);
	}
}

static void row_jump(void)
{
	if (!occupied)
		return;
	bench_now = next;
	row_run(next);
}

static void row_search(void)
{
}

BENCH_ROW(.size = sizeof(struct timer),
	  .wheel_size = sizeof(buckets) + sizeof(occupied) + sizeof(last) +
			sizeof(next),
	  .rearm = row_rearm, .jump = row_jump, .search = row_search);
