/* SPDX-License-Identifier: MIT */
/*
 * lib/work.h - lists of work, as queues and events share them
 *
 * A list is known by its tail; it is a ring in both directions. Work on no list
 * has no next.
 */
#ifndef JIF_LIB_WORK_H
#define JIF_LIB_WORK_H

#include <jif/work.h>

#include "bug.h"

static inline bool is_listed(const struct jif_work *work)
{
	return work->next;
}

static inline void work_append(struct jif_work **tail, struct jif_work *work)
{
	struct jif_work *last = *tail;

	if (!last)
		last = work->next = work;
	work->prev = last;
	work->next = last->next;
	work->next->prev = work;
	last->next = work;
	*tail = work;
}

static inline void work_remove(struct jif_work **tail, struct jif_work *work)
{
	JIF_BUG_ON(work->next->prev != work || work->prev->next != work);
	if (*tail == work)
		*tail = work->prev != work ? work->prev : NULL;
	work->prev->next = work->next;
	work->next->prev = work->prev;
	work->next = NULL;
}

#endif
