/* SPDX-License-Identifier: MIT */
/*
 * rows/hashed.c - one wheel of 2^16 slots, without levels: a timer is in the
 * slot of the low bits of its expiry, and is looked at in each turn
 *
 * A limit: with half a megabyte of memory, hardly any work is left.
 */
#include "../ops.h"

#define SLOTS 65536u

struct timer {
	struct timer *next;
	struct timer *prev;
	void (*fn)(struct timer *timer);
	uint32_t expires;
	bool pending;
};

static struct timer *slots[SLOTS]; /* the last one of each ring, or NULL */
static uint32_t last;

static struct timer **slot_of(uint32_t expires)
{
	return &slots[expires % SLOTS];
}

static bool row_init(uint32_t now)
{
	last = now;
	return true;
}

static void row_arm(void *memory, uint32_t expires)
{
	struct timer *timer = memory;
	struct timer **slot = slot_of(expires);
	struct timer *tail = *slot ? *slot : timer;

	timer->expires = expires;
	timer->pending = true;
	timer->prev = tail;
	timer->next = *slot ? tail->next : timer;
	timer->next->prev = timer;
	tail->next = timer;
	*slot = timer;
}

static void row_cancel(void *memory)
{
	struct timer *timer = memory;
	struct timer **slot = slot_of(timer->expires);

	if (!timer->pending)
		return;
	timer->pending = false;
	if (*slot == timer)
		*slot = timer->prev != timer ? timer->prev : NULL;
	timer->prev->next = timer->next;
	timer->next->prev = timer->prev;
}

#include "timer.h"

/* A timer that is called may disarm any other one: the next look is anew. */
static struct timer *due(struct timer *tail, uint32_t now)
{
	struct timer *timer = tail;

	do {
		timer = timer->next;
		if (timer->expires <= now)
			return timer;
	} while (timer != tail);
	return NULL;
}

static void row_run(uint32_t now)
{
	struct timer *timer;

	if (now - last > SLOTS)
		last = now - SLOTS;
	while (last != now) {
		last++;
		while (*slot_of(last) && (timer = due(*slot_of(last), now))) {
			row_cancel(timer);
			timer->fn(timer);
		}
	}
}

BENCH_ROW(.size = sizeof(struct timer),
	  .wheel_size = sizeof(slots) + sizeof(last), .rearm = row_rearm);
