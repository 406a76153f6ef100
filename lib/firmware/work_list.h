/* SPDX-License-Identifier: MIT */
/* lib/firmware/work_list.h - lists of work, where @next is not NULL; passes */
#ifndef JIF_LIB_WORK_LIST_H
#define JIF_LIB_WORK_LIST_H

#include <jif/firmware/work.h>

#include "../bug.h"
#include "../shared.h"

#define JIF_ENTRY	struct jif_work
#define LIST_NAME(name) work_##name
#include "../wheel_list.h"

/* What @delayed says: not part of delayed work; idle or queued; or waiting. */
enum {
	WORK_PLAIN,
	WORK_DELAYED,
	WORK_ARMED,
};

/* Debug: a list that is broken at @work is reported, and stops the program. */
void jif_work_check(const struct jif_work *work);
void jif_work_refused(const struct jif_work *work);

/* Debug: is pending work on the list that ends with @tail? Reports if not. */
bool jif_work_is_on(const struct jif_work *tail, const struct jif_work *work);

/* Debug: reports a queue that was never, or is now to be, initialised. */
bool jif_workqueue_check(const struct jif_workqueue *queue);
void jif_workqueue_check_init(const struct jif_workqueue *queue);

/* Debug: the function of all works that are part of tasks. */
extern jif_work_fn *jif_task_work;

static inline bool is_listed(const struct jif_work *work)
{
	return work->next;
}

static inline struct jif_work *work_first(const struct jif_work *tail)
{
	if (CONFIG_JIF_DEBUG)
		jif_work_check(tail);
	return tail->next;
}

static inline void work_append(struct jif_work **tail, struct jif_work *work)
{
	if (CONFIG_JIF_DEBUG && *tail)
		jif_work_check(*tail);
	work_add_head(tail, work);
	*tail = work;
}

static inline void work_remove(struct jif_work **tail, struct jif_work *work)
{
	if (CONFIG_JIF_DEBUG)
		jif_work_check(work);
	work_del(tail, work);
	work->next = NULL;
}

static inline void set_occupied(struct jif_workqueue *queue, unsigned map)
{
	WRITE_SHARED(&queue->occupied, (uint8_t)map);
}

/* Work that is on no list, and valid. */
static inline void work_push(struct jif_workqueue *queue, struct jif_work *work)
{
	work_append(&queue->tail[work->priority], work);
	set_occupied(queue, queue->occupied | 1u << work->priority);
}

/* Needs no lock. Work queued right after this look is not seen by it. */
static inline bool has_work(const struct jif_workqueue *queue)
{
	return READ_SHARED(&queue->occupied);
}

/*
 * Takes off what runs next: the first of the highest priority; if @fresh, of
 * what has not run in this pass. NULL if there is none. Interrupts are off.
 */
struct jif_work *jif_workqueue_take(struct jif_workqueue *queue, bool fresh);

/* jif_work_queue(); interrupts are off. */
bool jif_work_append(struct jif_workqueue *queue, struct jif_work *work);

static inline void work_begin_pass(struct jif_workqueue *queue)
{
	if (!++queue->pass)
		queue->pass = 1;
}

#endif
