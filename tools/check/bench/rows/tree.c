/* SPDX-License-Identifier: MIT */
/* A red-black tree, that of libbsd */
#include <bsd/sys/tree.h>

#include "../ops.h"

struct timer {
	RB_ENTRY(timer) node;
	void (*fn)(struct timer *timer);
	uint32_t expires;
	bool pending;
};

/* Behind all that expire no later: no two are equal. */
static int compare(const struct timer *a, const struct timer *b)
{
	return a->expires < b->expires ? -1 : 1;
}

RB_HEAD(tree, timer);
static struct tree head = RB_INITIALIZER(&head);
RB_GENERATE_INTERNAL(tree, timer, node, compare, static inline)

static struct timer *earliest; /* or NULL */

static void row_arm(void *memory, uint32_t expires)
{
	struct timer *timer = memory;

	timer->expires = expires;
	timer->pending = true;
	tree_RB_INSERT(&head, timer);
	if (!earliest || expires < earliest->expires)
		earliest = timer;
}

static void row_cancel(void *memory)
{
	struct timer *timer = memory;

	if (!timer->pending)
		return;
	if (timer == earliest)
		earliest = tree_RB_NEXT(timer);
	timer->pending = false;
	tree_RB_REMOVE(&head, timer);
}

static struct timer *first(uint32_t *expires)
{
	if (earliest)
		*expires = earliest->expires;
	return earliest;
}

#define SHARED (sizeof(head) + sizeof(earliest))
#include "sorted.h"
