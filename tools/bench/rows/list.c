/* SPDX-License-Identifier: MIT */
/*
 * rows/list.c - a sorted list, linked both ways
 */
#include "../ops.h"

struct timer {
	struct timer *next; /* NULL: it is idle */
	struct timer *prev;
	void (*fn)(struct timer *timer);
	uint32_t expires;
};

static struct timer head = { .next = &head, .prev = &head };

static bool init(uint32_t now)
{
	(void)now;
	return true;
}

static void expired(struct timer *timer)
{
	bench_expire(timer);
}

static void *make(void *memory)
{
	struct timer *timer = memory;

	timer->fn = expired;
	return timer;
}

/* Behind all that expire no later. */
static void arm(void *memory, uint32_t expires)
{
	struct timer *timer = memory;
	struct timer *after = head.prev;

	while (after != &head && after->expires > expires)
		after = after->prev;
	timer->expires = expires;
	timer->prev = after;
	timer->next = after->next;
	timer->next->prev = timer;
	after->next = timer;
}

static void cancel(void *memory)
{
	struct timer *timer = memory;

	if (!timer->next)
		return;
	timer->prev->next = timer->next;
	timer->next->prev = timer->prev;
	timer->next = NULL;
}

static void rearm(void *timer, uint32_t expires)
{
	cancel(timer);
	arm(timer, expires);
}

static void run(uint32_t now)
{
	struct timer *timer;

	while ((timer = head.next) != &head && timer->expires <= now) {
		cancel(timer);
		timer->fn(timer);
	}
}

static void jump(void)
{
	if (head.next != &head)
		run(bench_now = head.next->expires);
}

BENCH_TICKS(run)

const struct bench_ops bench_ops = {
	.size = sizeof(struct timer),
	.wheel_size = sizeof(head),
	.init = init,
	.make = make,
	.arm = arm,
	.cancel = cancel,
	.rearm = rearm,
	.run = run,
	.ticks = ticks,
	.jump = jump,
};
