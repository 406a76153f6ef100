/* SPDX-License-Identifier: MIT */
/* lib/firmware/waiters.h - tasks that wait for an event, flags or messages */
#ifndef JIF_LIB_WAITERS_H
#define JIF_LIB_WAITERS_H

#include <jif/firmware/flags.h>
#include <jif/firmware/sched.h>

#include "../bug.h"
#include "work_list.h"

static inline struct jif_task *task_of(struct jif_work *work)
{
	return jif_container_of(work, struct jif_task, work);
}

/* Ends the wait, but for its timer. Not ready; interrupts are off. */
void jif_wake_waiter(struct jif_task *task);

/* Takes off the timer, unless the task sleeps again. Interrupts are off. */
void jif_drop_timer(struct jif_task *task);

/* Both, and interrupts are let in between. */
jif_irq_t jif_end_wait(struct jif_task *task, jif_irq_t flags);

/*
 * More than an event that a task waits for: flags, @want of them, or a message,
 * which stays; @how is 0 then. @set of the event has what there is.
 */
struct wish {
	uint32_t want;
	unsigned how;
};

/* What a task that waits like that gets; 0: it goes on waiting. */
static inline uint32_t flags_met(uint32_t set, uint32_t want, unsigned how)
{
	uint32_t got = set & want;

	return how & JIF_FLAGS_ALL && got != want ? 0 : got;
}

/* As jif_task_wait(). */
int jif_wait(struct jif_task *task, struct jif_event *event, uint32_t timeout,
	     const struct wish *wish);

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

/* Somebody waits. */
static inline struct jif_task *first_waiter(const struct jif_event *event)
{
	return waiter_after(event, event->tail);
}

#endif
