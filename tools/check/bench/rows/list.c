/* SPDX-License-Identifier: MIT */
/* A sorted list, linked both ways */
#include <sys/queue.h>

#include "../ops.h"

struct timer {
	TAILQ_ENTRY(timer) entry;
	void (*fn)(struct timer *timer);
	uint32_t expires;
	bool pending;
};

TAILQ_HEAD(list, timer);
static struct list head = TAILQ_HEAD_INITIALIZER(head);

/* Behind all that expire no later. */
static void row_arm(void *memory, uint32_t expires)
{
	struct timer *timer = memory;
	struct timer *after;

	timer->expires = expires;
	timer->pending = true;
	TAILQ_FOREACH_REVERSE(after, &head, list, entry)
	if (after->expires <= expires)
		break;
	if (after)
		TAILQ_INSERT_AFTER(&head, after, timer, entry);
	else
		TAILQ_INSERT_HEAD(&head, timer, entry);
}

static void row_cancel(void *memory)
{
	struct timer *timer = memory;

	if (timer->pending)
		TAILQ_REMOVE(&head, timer, entry);
	timer->pending = false;
}

static struct timer *first(uint32_t *expires)
{
	struct timer *timer = TAILQ_FIRST(&head);

	if (timer)
		*expires = timer->expires;
	return timer;
}

#define SHARED sizeof(head)
#include "sorted.h"
