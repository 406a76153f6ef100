/* SPDX-License-Identifier: MIT */
/*
 * lib/linux/linux_work.c - the kernel's work, on a queue
 *
 * As in lib/work.c, delayed work is armed until its timer has queued it, so
 * that it cannot be missed in between.
 */
#include <jif/linux/workqueue.h>

#include "../port/jif_port.h"

struct workqueue_struct jif_linux_system_wq;

void jif_linux_init_work(struct jif_workqueue *queue)
{
	jif_linux_system_wq.queue = queue;
}

void jif_linux_work_run(struct jif_work *entry)
{
	struct work_struct *work =
		jif_container_of(entry, struct work_struct, entry);

	work->func(work);
}

bool queue_work(struct workqueue_struct *wq, struct work_struct *work)
{
	jif_irq_t flags = jif_irq_save();
	bool queued = !work->armed && jif_work_queue(wq->queue, &work->entry);

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

bool flush_work(struct work_struct *work)
{
	bool pending = cancel_work(work);

	if (pending)
		work->func(work);
	return pending;
}

/* The first run may only end a pass that was under way. */
void flush_workqueue(struct workqueue_struct *wq)
{
	jif_workqueue_run(wq->queue, UINT_MAX);
	jif_workqueue_run(wq->queue, UINT_MAX);
}

void drain_workqueue(struct workqueue_struct *wq)
{
	while (jif_workqueue_run(wq->queue, UINT_MAX))
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

bool mod_delayed_work(struct workqueue_struct *wq, struct delayed_work *dwork,
		      unsigned long delay)
{
	jif_irq_t flags = jif_irq_save();
	bool pending = cancel_delayed_work(dwork);

	dwork->wq = wq;
	dwork->work.armed = delay;
	if (delay)
		mod_timer(&dwork->timer, jiffies + delay);
	else
		queue_work(wq, &dwork->work);
	jif_irq_restore(flags);
	return pending;
}

bool queue_delayed_work(struct workqueue_struct *wq, struct delayed_work *dwork,
			unsigned long delay)
{
	jif_irq_t flags = jif_irq_save();
	bool idle = !delayed_work_pending(dwork);

	if (idle)
		mod_delayed_work(wq, dwork, delay);
	jif_irq_restore(flags);
	return idle;
}

bool flush_delayed_work(struct delayed_work *dwork)
{
	bool pending = cancel_delayed_work(dwork);

	if (pending)
		dwork->work.func(&dwork->work);
	return pending;
}
