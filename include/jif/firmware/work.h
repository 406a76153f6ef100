/* SPDX-License-Identifier: MIT */
/*
 * jif/firmware/work.h - deferred work, run in the main loop
 *
 * An interrupt handler or a callback does what cannot wait and queues the rest.
 * Priority 0 goes first; work of one priority runs in the order in which it was
 * queued. Delayed work is work that a timer queues.
 */
#ifndef JIF_WORK_H
#define JIF_WORK_H

#include <jif/wheel.h>

JIF_BEGIN_DECLS

struct jif_work;

/**
 * typedef jif_work_fn - what the work is
 * @work:	not pending by then: it may be queued, initialised anew or freed
 */
typedef void jif_work_fn(struct jif_work *work);

/** struct jif_work - a piece of deferred work */
struct jif_work {
	/* private: */
	struct jif_work *next; /* after the last one, the first; NULL: idle */
	struct jif_work *prev; /* before the first one, the last */
	jif_work_fn *fn;
	uint16_t ran;	  /* the pass in which it was run last */
	uint8_t priority; /* 0 is the highest */
	uint8_t delayed;  /* see lib/firmware/work_list.h */
};

/** struct jif_workqueue - where work waits */
struct jif_workqueue {
	/* private: */
	struct jif_wheel *wheel; /* for delayed work */
	uint16_t pass;		 /* over all that is pending; never 0 */
	uint8_t occupied;	 /* a bit per priority: its list has entries */
	bool running;
	struct jif_work *tail[CONFIG_JIF_WORK_PRIORITIES]; /* the last ones */
};

/**
 * struct jif_delayed_work - work that waits for a timer
 * @work:	the work; jif_work_queue() takes it, too
 */
struct jif_delayed_work {
	struct jif_work work;
	/* private: */
	struct jif_timer timer;	     /* queues it */
	struct jif_workqueue *queue; /* where to, or where it was queued last */
};

/**
 * JIF_WORK_INIT - static initialiser of a struct jif_work
 * @fn:		what runs
 * @priority:	0 to CONFIG_JIF_WORK_PRIORITIES - 1; 0 is the highest
 */
#define JIF_WORK_INIT(fn, priority)                                            \
	{                                                                      \
		0, 0, (fn), 0, (priority), 0                                   \
	}

/**
 * jif_workqueue_init - make an empty queue
 * @queue:	memory
 * @wheel:	for delayed work, from its jif_wheel_now() on; NULL: for none
 * Context: before the queue is used.
 */
void jif_workqueue_init(struct jif_workqueue *queue, struct jif_wheel *wheel)
	JIF_AGREE_ON(CONFIG_JIF_WORK_PRIORITIES, jif_workqueue_init);

/**
 * jif_workqueue_run - run what is pending
 * @queue:	the queue
 * @max:	stop after that many; JIF_FOREVER: no limit
 *
 * The highest priority goes first, after each work anew: work queued during the
 * run takes part in it. But no work runs twice in a run, unless initialised
 * anew, so that work which queues itself starves nobody: it waits for the next
 * run, as do what is behind it at its priority and what ran elsewhere. The next
 * run goes on where @max has stopped this one. Interrupts are as they were.
 * Context: the main loop. Not re-entrant.
 * Return: how many ran; 0 from work that this queue runs: nothing has changed.
 */
unsigned jif_workqueue_run(struct jif_workqueue *queue, uint32_t max);

/**
 * jif_workqueue_empty - is no work pending on the queue?
 * @queue:	the queue
 *
 * Delayed work counts once its timer has expired.
 * Context: any.
 * Return: true if none is.
 */
bool jif_workqueue_empty(const struct jif_workqueue *queue);

/**
 * jif_work_init - make work ready to be queued
 * @work:	memory that is not pending work
 * @fn:		what runs
 * @priority:	0 to CONFIG_JIF_WORK_PRIORITIES - 1; 0 is the highest
 * Context: any.
 */
void jif_work_init(struct jif_work *work, jif_work_fn *fn, unsigned priority);

/**
 * jif_work_queue - have work run in the main loop
 * @queue:	the queue
 * @work:	work that has been initialised
 *
 * Work that is pending stays where it is. While it runs it is not: its function
 * or an interrupt handler may queue it again, and it runs once more.
 * Context: any.
 * Return: true if it was queued; false if it is pending, or has no function or
 * no priority that exists, and then nothing has changed.
 */
bool jif_work_queue(struct jif_workqueue *queue, struct jif_work *work);

/**
 * jif_work_cancel - take work off the queue
 * @queue:	the queue it is on
 * @work:	work, pending or not; if it waits for a timer, it goes on so
 *
 * Work runs from the moment at which it is taken off for its function. Until
 * then this call returns true, and the function does not run; after it, the
 * call returns false, and the function runs or has run.
 * Context: any.
 * Return: true if it was pending.
 */
bool jif_work_cancel(struct jif_workqueue *queue, struct jif_work *work);

/**
 * jif_work_pending - is the work queued?
 * @work:	work; zeroed memory counts as work that is not
 * Context: any.
 * Return: true if it is queued and does not run yet.
 */
bool jif_work_pending(const struct jif_work *work);

/**
 * jif_delayed_work_init - make delayed work ready to be queued
 * @dwork:	memory that is not pending delayed work
 * @fn:		what runs; it finds its object by jif_container_of() of @work
 * @priority:	0 to CONFIG_JIF_WORK_PRIORITIES - 1; 0 is the highest
 * Context: any.
 */
void jif_delayed_work_init(struct jif_delayed_work *dwork, jif_work_fn *fn,
			   unsigned priority);

/**
 * jif_delayed_work_queue - queue work when some time has passed
 * @queue:	a queue that has a wheel
 * @dwork:	delayed work that has been initialised
 * @delay:	at least so many whole ticks; 0: queue it at once
 *
 * Delayed work that waits for its timer, or is queued, stays as it is.
 * Context: any.
 * Return: true if it was idle and waits now; false if it is pending, @delay is
 * more than jif_timer_add_in() takes, the queue has no wheel, or
 * jif_work_queue() would refuse the work, and then nothing has changed.
 */
JIF_MUST_CHECK
bool jif_delayed_work_queue(struct jif_workqueue *queue,
			    struct jif_delayed_work *dwork, uint32_t delay);

/**
 * jif_delayed_work_mod - queue work when another time has passed
 * @queue:	a queue that has a wheel
 * @dwork:	delayed work that has been initialised
 * @delay:	as for jif_delayed_work_queue()
 *
 * The same as jif_delayed_work_cancel() and jif_delayed_work_queue() in one.
 * Context: any.
 * Return: 1 if it was pending, 0 if it was idle; -JIF_ERANGE as
 * jif_timer_add_in(), or -JIF_EINVAL if the queue has no wheel, or the work no
 * function or no priority that exists, and nothing has changed.
 */
JIF_MUST_CHECK
int jif_delayed_work_mod(struct jif_workqueue *queue,
			 struct jif_delayed_work *dwork, uint32_t delay);

/**
 * jif_delayed_work_cancel - neither wait nor run
 * @dwork:	delayed work, pending or not
 *
 * Like jif_work_cancel(). There is no moment between the expiry of the timer
 * and the queueing at which this call would come too late.
 * Context: any.
 * Return: true if it was pending.
 */
bool jif_delayed_work_cancel(struct jif_delayed_work *dwork);

/**
 * jif_delayed_work_pending - does it wait for its timer, or in the queue?
 * @dwork:	delayed work
 * Context: any.
 * Return: true if it is to run and does not run yet.
 */
bool jif_delayed_work_pending(const struct jif_delayed_work *dwork);

/**
 * jif_delayed_work_next - when will its timer queue it?
 * @dwork:	delayed work
 * @when:	set to that tick: absolute, in the time of the queue's wheel
 * Context: any.
 * Return: true if it waits for its timer; else false, and @when is left alone.
 */
bool jif_delayed_work_next(const struct jif_delayed_work *dwork,
			   uint32_t *when);

JIF_END_DECLS

#endif
