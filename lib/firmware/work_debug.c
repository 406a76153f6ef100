/* SPDX-License-Identifier: MIT */
/* lib/firmware/work_debug.c - CONFIG_JIF_DEBUG: which misuse of work it is */
#include <jif/debug.h>
#include <jif/firmware/sched.h>

#include "../bug.h"
#include "work_list.h"

jif_work_fn *jif_task_work;

static bool is_overwritten_work(const struct jif_work *work)
{
	return work->priority >= CONFIG_JIF_WORK_PRIORITIES;
}

/* The neighbour that is on no list, or that alone does not point back. */
static const struct jif_work *broken_work(const struct jif_work *work)
{
	const struct jif_work *next = work->next, *prev = work->prev;

	if (is_overwritten_work(work) || !next || !prev)
		return work;
	if (!next->next)
		return next;
	if (!prev->next)
		return prev;
	if (next->prev == work)
		return prev;
	return prev->next == work ? next : work;
}

/* A task, if that is what it is. */
static const void *object_of(const struct jif_work *work, void (**fn)(void))
{
	const struct jif_task *task =
		jif_container_of(work, const struct jif_task, work);

	*fn = (void (*)(void))work->fn;
	if (!work->fn || work->fn != jif_task_work)
		return work;
	*fn = (void (*)(void))task->fn;
	return task;
}

static void tell_work(const char *what, const struct jif_work *work)
{
	void (*fn)(void);
	const void *object = object_of(work, &fn);

	jif_tell_damaged(what, object, fn);
}

void jif_work_refused(const struct jif_work *work)
{
	const char *what = TEXT("a task has a priority too many");
	void (*fn)(void);
	const void *object = object_of(work, &fn);

	if (!work->fn || work->fn != jif_task_work)
		what = TEXT("work has no function, or a priority too many");
	jif_tell_refused(what, object, fn);
}

void jif_work_check(const struct jif_work *work)
{
	if (!is_overwritten_work(work) && IS_LINKED(work))
		return;
	work = broken_work(work);
	if (is_overwritten_work(work))
		jif_damaged("W2: pending work was freed or overwritten", work,
			    NULL);
	else if (!work->next && work->fn)
		tell_work(TEXT("W2: pending work was initialised"), work);
	else if (!work->next)
		tell_work(TEXT("W2: pending work was zeroed"), work);
	else if (IS_LINKED(work))
		tell_work(TEXT("W2: pending work was initialised and queued "
			       "again"),
			  work);
	else
		tell_work(TEXT("W2: links of pending work are broken"), work);
}

bool jif_work_is_on(const struct jif_work *tail, const struct jif_work *work)
{
	const struct jif_work *entry = work;

	do {
		jif_work_check(entry);
		if (entry == tail)
			return true;
		entry = entry->prev;
	} while (entry != work);
	jif_misused("work is cancelled on another queue", work,
		    (void (*)(void))work->fn);
	return false;
}

/* A bool that was never written may be none. */
static bool is_queue(const struct jif_workqueue *queue)
{
	const unsigned char *running = (const unsigned char *)&queue->running;

	return queue->pass && *running <= 1;
}

bool jif_workqueue_check(const struct jif_workqueue *queue)
{
	if (!is_queue(queue))
		jif_misused("a workqueue is used that was never initialised",
			    queue, NULL);
	return is_queue(queue);
}

/* Chance does not make map and lists agree. */
void jif_workqueue_check_init(const struct jif_workqueue *queue)
{
	bool agree = !jif_powers_on && is_queue(queue) && queue->occupied;

	for (unsigned i = 0; agree && i < CONFIG_JIF_WORK_PRIORITIES; i++)
		agree = (queue->occupied >> i & 1) == (queue->tail[i] != NULL);
	if (agree)
		jif_refused("a workqueue is initialised that has pending work",
			    queue, NULL);
}
