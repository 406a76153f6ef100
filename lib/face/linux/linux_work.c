/* SPDX-License-Identifier: MIT */
/*
 * lib/face/linux/linux_work.c - the kernel's work, on a queue
 *
 * As in lib/firmware/work.c, delayed work is armed until its timer has queued
 * it, so that it cannot be missed in between.
 *
 * Work that is disabled has a priority that does not exist, one more each time.
 */
#include <jif/face/linux/workqueue.h>

#include "../../bug.h"
#include "../../port/jif_port.h"

#define DISABLED 8

JIF_STATIC_ASSERT(DISABLED >= CONFIG_JIF_WORK_PRIORITIES,
		  "such a priority may not exist");

struct workqueue_struct jif_linux_system_wq;

void jif_linux_init_work(struct jif_workqueue *queue)
{
	jif_linux_system_wq.queue = queue;
}

/* A program that asks for current_work() has the other one. */
JIF_WEAK void jif_linux_work_run(struct jif_work *entry)
{
	struct work_struct *work =
		jif_container_of(entry, struct work_struct, entry);

	work->func(work);
}

bool queue_work(struct workqueue_struct *wq, struct work_struct *work)
{
	jif_irq_t flags = jif_irq_save();
	bool queued = !work->armed && !work->entry.priority &&
		      jif_work_queue(wq->queue, &work->entry);

	if (queued)
		work->wq = wq;
	jif_irq_restore(flags);
	return queued;
}

bool cancel_work(struct work_struct *work)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = jif_work_pending(&work->entry);

	if (pending)
		jif_work_cancel(work->wq->queue, &work->entry);
	jif_irq_restore(flags);
	return pending;
}

bool disable_work(struct work_struct *work)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = cancel_work(work);

	JIF_BUG_ON(work->entry.priority == UINT8_MAX);
	if (work->entry.priority)
		work->entry.priority++;
	else
		work->entry.priority = DISABLED;
	jif_irq_restore(flags);
	return pending;
}

bool enable_work(struct work_struct *work)
{
	jif_irq_t flags = jif_irq_save();
	uint8_t *priority = &work->entry.priority;
	bool enabled;

	if (*priority > DISABLED)
		(*priority)--;
	else
		*priority = 0;
	enabled = !*priority;
	jif_irq_restore(flags);
	return enabled;
}

bool flush_work(struct work_struct *work)
{
	bool pending = cancel_work(work);

	if (pending)
		jif_linux_work_run(&work->entry);
	return pending;
}

int execute_in_process_context(work_func_t fn, struct execute_work *ew)
{
	bool in_irq = jif_in_irq();

	if (!in_irq) {
		fn(&ew->work);
	} else {
		INIT_WORK(&ew->work, fn);
		schedule_work(&ew->work);
	}
	return in_irq;
}

/* The first run may only end a pass that was under way. */
void flush_workqueue(struct workqueue_struct *wq)
{
	jif_workqueue_run(wq->queue, JIF_FOREVER);
	jif_workqueue_run(wq->queue, JIF_FOREVER);
}

void drain_workqueue(struct workqueue_struct *wq)
{
	while (jif_workqueue_run(wq->queue, JIF_FOREVER))
		;
}

void jif_linux_work_expire(struct timer_list *timer)
{
	struct delayed_work *dwork = from_timer(dwork, timer, timer);
	jif_irq_t flags = jif_irq_save();

	if (dwork->work.armed && !timer_pending(timer)) {
		dwork->work.armed = false;
		queue_work(dwork->wq, &dwork->work);
	}
	jif_irq_restore(flags);
}

bool delayed_work_pending(const struct delayed_work *dwork)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = work_pending(&dwork->work);

	jif_irq_restore(flags);
	return pending;
}

bool cancel_delayed_work(struct delayed_work *dwork)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = dwork->work.armed;

	if (pending)
		timer_delete(&dwork->timer);
	else
		pending = cancel_work(&dwork->work);
	dwork->work.armed = false;
	jif_irq_restore(flags);
	return pending;
}

bool disable_delayed_work(struct delayed_work *dwork)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = cancel_delayed_work(dwork);

	disable_work(&dwork->work);
	jif_irq_restore(flags);
	return pending;
}

bool mod_delayed_work(struct workqueue_struct *wq, struct delayed_work *dwork,
		      unsigned long delay)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = cancel_delayed_work(dwork);

	if (!delay) {
		queue_work(wq, &dwork->work);
	} else if (!dwork->work.entry.priority) {
		dwork->wq = wq;
		dwork->work.armed = true;
		mod_timer(&dwork->timer, jiffies + delay);
	}
	jif_irq_restore(flags);
	return pending;
}

bool queue_delayed_work(struct workqueue_struct *wq, struct delayed_work *dwork,
			unsigned long delay)
{
	jif_irq_t flags = jif_irq_save();
	bool idle = !delayed_work_pending(dwork);

	if (idle) {
		mod_delayed_work(wq, dwork, delay);
		idle = delayed_work_pending(dwork);
	}
	jif_irq_restore(flags);
	return idle;
}

bool flush_delayed_work(struct delayed_work *dwork)
{
	bool pending = cancel_delayed_work(dwork);

	if (pending)
		jif_linux_work_run(&dwork->work.entry);
	return pending;
}
