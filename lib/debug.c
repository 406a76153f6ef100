/* SPDX-License-Identifier: MIT */
/*
 * lib/debug.c - CONFIG_JIF_DEBUG: which misuse it is
 *
 * It knows no rings and no port: so it serves each wheel that a test builds.
 * What an entry points at is read, even if the entry may be broken: a pointer
 * to no memory at all faults here instead of later.
 */
#include <jif/debug.h>
#include <jif/jiffies.h>
#include <jif/sched.h>
#include <stdint.h>

#include "bug.h"
#include "wheel_debug.h"
#include "work.h"

/* Do both neighbours of an entry point back? */
#define IS_LINKED(entry)                                                       \
	((entry)->next && (entry)->prev && (entry)->next->prev == (entry) &&   \
	 (entry)->prev->next == (entry))

bool jif_powers_on;

void jif_tell_refused(const char *what, const void *object, void (*fn)(void))
{
	if (jif_warn)
		jif_warn(text_of(what), object, fn);
}

void jif_tell_misused(const char *what, const void *object, void (*fn)(void))
{
	if (CONFIG_JIF_DEBUG && !jif_warn)
		jif_panic(text_of(what));
	jif_tell_refused(what, object, fn);
}

void jif_tell_damaged(const char *what, const void *object, void (*fn)(void))
{
	jif_tell_refused(what, object, fn);
	if (CONFIG_JIF_DEBUG)
		jif_panic(text_of(what));
}

/* While jiffies are not counted, a wheel has a time of its own. */
void jif_clock_check(const void *wheel, uint32_t clk)
{
	uint32_t now = jif_now();

	if (now != (uint32_t)CONFIG_JIF_INITIAL_JIFFIES &&
	    now - clk - 1 < JIF_DELAY_MAX)
		jif_misused("a wheel without time source is behind jif_now()",
			    wheel, NULL);
}

void jif_source_check(const void *wheel, uint32_t ahead)
{
	if (ahead > JIF_DELAY_MAX)
		jif_refused("a wheel's time source is behind its clock", wheel,
			    NULL);
}

void jif_delay_check(const void *wheel, uint32_t behind)
{
	if (behind > JIF_DELAY_MAX)
		jif_misused("a wheel without time source is ahead of jif_now()",
			    wheel, NULL);
}

void jif_timer_refused(const struct jif_timer *timer, int err)
{
	const char *what = TEXT("a timer is armed that was never initialised");
	jif_timer_fn *fn = timer->fn;

	if (err == -JIF_EBUSY)
		what = TEXT("a timer is added that is pending");
	else if (timer->where == JIF_TIMER_NEW)
		what = TEXT("a timer is armed that has no function");
	else if (timer->where == JIF_TIMER_DEAD && timer->fn)
		what = TEXT("a timer is armed that was shut down");
	else
		fn = NULL;
	jif_tell_refused(what, timer, (void (*)(void))fn);
}

static bool is_in_slot(const struct jif_timer *entry, int slot)
{
	return entry->where == slot && IS_LINKED(entry) &&
	       entry->next->where == slot && entry->prev->where == slot;
}

/*
 * An entry points to @other: is @other the broken one? It is if it left the
 * slot; but not if it is an idle timer that does not point back, to which the
 * entry points by mistake. One that was zeroed and initialised has no links.
 */
static bool has_left(const struct jif_timer *other, int slot, bool points_back)
{
	return other->where != slot && (points_back || !other->next ||
					(other->where != JIF_TIMER_NEW &&
					 other->where != JIF_TIMER_IDLE));
}

/* Tells of @entry or, if that is as it should be, of a neighbour. */
static void tell_fault(const struct jif_timer *entry, int slot)
{
	const char *what = TEXT("W2: a pending timer was freed or overwritten");
	const struct jif_timer *next = entry->next, *prev = entry->prev;
	jif_timer_fn *fn;

	if (entry->where == slot && next &&
	    has_left(next, slot, next->prev == entry))
		entry = next;
	else if (entry->where == slot && prev &&
		 has_left(prev, slot, prev->next == entry))
		entry = prev;
	fn = entry->fn;
	if (entry->where == slot)
		what = TEXT("W2: links of a pending timer are broken");
	else if (entry->where == JIF_TIMER_NEW)
		what = TEXT("W2: a pending timer was initialised");
	else if (entry->where > JIF_TIMER_DEAD && entry->where < JIF_TIMER_IDLE)
		what = TEXT(
			"W2: a pending timer was initialised and armed again");
	else if (entry->where == JIF_TIMER_DEAD && !fn)
		what = TEXT("W2: a pending timer was zeroed");
	else
		fn = NULL;
	jif_tell_damaged(what, entry, (void (*)(void))fn);
}

/* Is a timer that is linked on the list that ends with @tail? */
static bool is_found(const struct jif_timer *tail,
		     const struct jif_timer *timer)
{
	const struct jif_timer *entry = timer;

	do {
		if (entry == tail)
			return true;
		entry = entry->prev;
		if (!IS_LINKED(entry))
			tell_fault(entry, timer->where);
	} while (entry != timer);
	return false;
}

/* Its neighbours have another entry between them. */
static bool is_copy(const struct jif_timer *timer)
{
	const struct jif_timer *other = timer->next ? timer->next->prev : NULL;

	return other && other != timer && timer->prev &&
	       timer->prev->next == other && other->where == timer->where;
}

bool jif_timer_is_on(struct jif_timer *const *list,
		     const struct jif_timer *timer)
{
	int slot = timer->where;

	if (is_in_slot(timer, slot) && is_found(*list, timer))
		return true;
	if (is_copy(timer)) {
		jif_timer_misused("W2: a pending timer was copied", timer);
		return false;
	}
	if (is_in_slot(timer, slot))
		jif_timer_misused("a timer is pending on another wheel", timer);
	else
		tell_fault(timer, slot);
	return false;
}

void jif_list_check(const struct jif_timer *tail, int slot)
{
	if (!is_in_slot(tail, slot))
		tell_fault(tail, slot);
	else if (!is_in_slot(tail->next, slot))
		tell_fault(tail->next, slot);
}

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
	bool is_task = work->fn && work->fn == jif_task_work;
	void (*fn)(void);
	const void *object = object_of(work, &fn);

	if (!is_task)
		jif_refused("work has no function, or a priority too many",
			    object, fn);
	else
		jif_refused("a task has a priority too many", object, fn);
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
