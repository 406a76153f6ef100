/* SPDX-License-Identifier: MIT */
/* rows/heap.c - a binary heap in an array, with the expiries in it */
#include <stdlib.h>

#include "../ops.h"

#define ROOT	  1
#define PARENT(i) ((i) / 2)
#define CHILD(i)  ((i)*2)

struct timer {
	size_t place; /* in the heap; 0: nowhere */
	void (*fn)(struct timer *timer);
};

struct node {
	uint32_t expires;
	struct timer *timer;
};

static struct node *heap;
static size_t last = ROOT - 1; /* node in use, from ROOT on */
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
		parent = PARENT(place);
		if (heap[parent].expires <= node.expires)
			break;
		put(place, heap[parent]);
	}
	put(place, node);
}

static void sink(size_t place, struct node node)
{
	size_t child;

	while ((child = CHILD(place)) <= last) {
		if (child + 1 <= last &&
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
	if (place > ROOT && node.expires < heap[PARENT(place)].expires)
		rise(place, node);
	else
		sink(place, node);
}

static void row_arm(void *timer, uint32_t expires)
{
	if (++last >= room) {
		room = room ? 2 * room : 64;
		heap = realloc(heap, room * sizeof(*heap));
		if (!heap)
			abort();
	}
	rise(last, (struct node){ expires, timer });
}

static void row_cancel(void *memory)
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

static void row_rearm(void *memory, uint32_t expires)
{
	struct timer *timer = memory;

	if (timer->place)
		settle(timer->place, (struct node){ expires, timer });
	else
		row_arm(timer, expires);
}

static struct timer *first(uint32_t *expires)
{
	if (last < ROOT)
		return NULL;
	*expires = heap[ROOT].expires;
	return heap[ROOT].timer;
}

#define OWN_REARM
#define SHARED (sizeof(heap) + sizeof(last) + sizeof(room))
#include "sorted.h"
