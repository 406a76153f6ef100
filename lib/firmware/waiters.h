/* SPDX-License-Identifier: MIT */
/*
 * lib/firmware/waiters.h - the tasks that wait for an event, as all that is
 * waited for shares them
 */
#ifndef JIF_LIB_WAITERS_H
#define JIF_LIB_WAITERS_H

#include <jif/firmware/sched.h>

#include "../bug.h"
#include "work_list.h"

static inline struct jif_task *task_of(struct jif_work *work)
{
	return jif_container_of(work, struct jif_task, work);
}

/*
 * The one that waits behind @work; behind the last one, the first. One that was
 * initialised, and then woken, is a ring of its own.
 */
static inline struct jif_task *waiter_after(const struct jif_event *event,
					    const struct jif_work *work)
{
	struct jif_task *task = task_of(work_first(work));

	if (CONFIG_JIF_DEBUG && task->event != event)
		jif_damaged("W2: a waiting task was initialised", task,
			    (void (*)(void))task->fn);
	return task;
}

#endif
