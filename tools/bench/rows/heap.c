/* SPDX-License-Identifier: MIT */
/*
 * rows/heap.c - a binary heap in an array, with the expiries in it
 */
#include <stdlib.h>

#include "../ops.h"

#define ROOT 1

struct timer {
	size_t place; /* in the heap; 0: nowhere */
	void (*fn)(struct timer *timer);
};

struct node {
	uint32_t expires;
	struct timer *timer;
};

static struct node *heap;
static size_t last; /* nodes in use, from ROOT on */
static size_t room;

static void put(size_t place, struct node node)
{
	heap[place] = node;
	node.timer->place = place;
}

static void rise(size_t place, struct node node)
{
	size_t parent;

	for (; place > ROOT; place = parent) {
		parent = place / 2;
		if (heap[parent].expires <= node.expires)
			break;
		put(place, heap[parent]);
	}
	put(place, node);
}

static void sink(size_t place, struct node node)
{
	size_t child;

	while ((child = 2 * place) <= last) {
		if (child < last &&
		    heap[child + 1].expires < heap[child].expires)
			child++;
		if (node.expires <= heap[child].expires)
			break;
		put(place, heap[child]);
		place = child;
	}
	put(place, node);
}

static void settle(size_t place, struct node node)
{
	if (place > ROOT && node.expires < heap[place / 2].expires)
		rise(place, node);
	else
		sink(place, node);
}

static bool init(uint32_t now)
{
	(void)now;
	room = 64;
	heap = malloc(room * sizeof(*heap));
	return heap;
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

static void arm(void *timer, uint32_t expires)
{
	if (++last == room) {
		room *= 2;
		heap = realloc(heap, room * sizeof(*heap));
		if (!heap)
			abort();
	}
	rise(last, (struct node){ expires, timer });
}

static void cancel(void *memory)
{
	struct timer *timer = memory;
	size_t place = timer->place;
	struct node node;

	if (!place)
		return;
	timer->place = 0;
	node = heap[last--];
	if (place <= last)
		settle(place, node);
}

static void rearm(void *memory, uint32_t expires)
{
	struct timer *timer = memory;

	if (timer->place)
		settle(timer->place, (struct node){ expires, timer });
	else
		arm(timer, expires);
}

static void run(uint32_t now)
{
	struct timer *timer;

	while (last && heap[ROOT].expires <= now) {
		timer = heap[ROOT].timer;
		cancel(timer);
		timer->fn(timer);
	}
}

static void jump(void)
{
	if (last)
		run(bench_now = heap[ROOT].expires);
}

BENCH_TICKS(run)

const struct bench_ops bench_ops = {
	.size = sizeof(struct timer),
	.init = init,
	.make = make,
	.arm = arm,
	.cancel = cancel,
	.rearm = rearm,
	.run = run,
	.ticks = ticks,
	.jump = jump,
};
