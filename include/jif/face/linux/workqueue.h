/* SPDX-License-Identifier: MIT */
/*
 * jif/face/linux/workqueue.h - work by the names of the Linux kernel
 *
 * As jif/face/linux/timer.h. All work is on the queue of jif_linux_init_work(),
 * at its highest priority, and runs in the main loop. There are no threads:
 * nothing here waits, and what has to be finished when a call returns is run by
 * that call. Context: any, if none is named.
 */
#ifndef JIF_LINUX_WORKQUEUE_H
#define JIF_LINUX_WORKQUEUE_H

#include <jif/face/linux/timer.h>
#include <jif/firmware/work.h>

JIF_BEGIN_DECLS

/* Where work waits. */
struct workqueue_struct {
	struct jif_workqueue *queue;
};

struct work_struct;
typedef void (*work_func_t)(struct work_struct *work);

/** struct work_struct - a piece of work, of which only @func is public */
struct work_struct {
	/* private: */
	struct jif_work entry;	     /* in the queue */
	work_func_t func;	     /* what runs */
	struct workqueue_struct *wq; /* where it was queued last */
	bool armed;		     /* delayed, and waits for its timer */
};

/**
 * struct delayed_work - work that waits for a timer
 * @work:	the work
 * @timer:	queues it; clients read its expires
 * @wq:		where to
 */
struct delayed_work {
	struct work_struct work;
	struct timer_list timer;
	struct workqueue_struct *wq;
};

void jif_linux_work_run(struct jif_work *entry);
void jif_linux_work_expire(struct timer_list *timer);

#define __WORK_INITIALIZER(name, fn)                                           \
	{                                                                      \
		JIF_WORK_INIT(jif_linux_work_run, 0), (fn), 0, false           \
	}
#define __DELAYED_WORK_INITIALIZER(name, fn, flags)                            \
	{                                                                      \
		__WORK_INITIALIZER(name, fn),                                  \
			__TIMER_INITIALIZER(jif_linux_work_expire, flags), 0   \
	}

#define DECLARE_WORK(name, fn)                                                 \
	struct work_struct name = __WORK_INITIALIZER(name, fn)

#define DECLARE_DELAYED_WORK(name, fn)                                         \
	struct delayed_work name = __DELAYED_WORK_INITIALIZER(name, fn, 0)

#define DECLARE_DEFERRABLE_WORK(name, fn)                                      \
	struct delayed_work name =                                             \
		__DELAYED_WORK_INITIALIZER(name, fn, TIMER_DEFERRABLE)

/**
 * jif_linux_init_work - where work goes that names no queue
 * @queue:	a queue that the main loop runs, by itself or by a scheduler
 * Context: before the first work is queued.
 */
void jif_linux_init_work(struct jif_workqueue *queue);

/* The queue that jif_linux_init_work() was given. */
extern struct workqueue_struct jif_linux_system_wq;
#define system_wq			    (&jif_linux_system_wq)
#define system_highpri_wq		    system_wq
#define system_long_wq			    system_wq
#define system_unbound_wq		    system_wq
#define system_freezable_wq		    system_wq
#define system_power_efficient_wq	    system_wq
#define system_percpu_wq		    system_wq
#define system_dfl_wq			    system_wq
#define system_bh_wq			    system_wq
#define system_bh_highpri_wq		    system_wq
#define system_freezable_power_efficient_wq system_wq

enum {
	WQ_BH = 1 << 0,
	WQ_UNBOUND = 1 << 1,
	WQ_FREEZABLE = 1 << 2,
	WQ_MEM_RECLAIM = 1 << 3,
	WQ_HIGHPRI = 1 << 4,
	WQ_CPU_INTENSIVE = 1 << 5,
	WQ_SYSFS = 1 << 6,
	WQ_POWER_EFFICIENT = 1 << 7,
	WQ_PERCPU = 1 << 8,
	WQ_MAX_ACTIVE = 512,
	WQ_UNBOUND_MAX_ACTIVE = WQ_MAX_ACTIVE,
	WQ_DFL_ACTIVE = WQ_MAX_ACTIVE / 2,
	WORK_CPU_UNBOUND = 0,
	WORK_BUSY_PENDING = 1 << 0,
	WORK_BUSY_RUNNING = 1 << 1,
};

/* None is made: it is system_wq, whatever the arguments. */
#define alloc_workqueue(...)		    system_wq
#define alloc_ordered_workqueue(...)	    system_wq
#define create_workqueue(name)		    system_wq
#define create_singlethread_workqueue(name) system_wq
#define create_freezable_workqueue(name)    system_wq

static inline void INIT_WORK(struct work_struct *work, work_func_t func)
{
	jif_work_init(&work->entry, jif_linux_work_run, 0);
	work->func = func;
	work->wq = NULL;
	work->armed = false;
}

static inline void INIT_DELAYED_WORK(struct delayed_work *dwork,
				     work_func_t func)
{
	INIT_WORK(&dwork->work, func);
	timer_setup(&dwork->timer, jif_linux_work_expire, 0);
	dwork->wq = NULL;
}

static inline void INIT_DEFERRABLE_WORK(struct delayed_work *dwork,
					work_func_t func)
{
	INIT_DELAYED_WORK(dwork, func);
	dwork->timer.flags = TIMER_DEFERRABLE;
}

#define INIT_WORK_ONSTACK(work, func)	       INIT_WORK(work, func)
#define INIT_DELAYED_WORK_ONSTACK(dwork, func) INIT_DELAYED_WORK(dwork, func)
#define destroy_work_on_stack(work)	       ((void)(work))
#define destroy_delayed_work_on_stack(dwork)   ((void)(dwork))

static inline struct delayed_work *to_delayed_work(struct work_struct *work)
{
	return jif_container_of(work, struct delayed_work, work);
}

#define from_work(var, work, field)                                            \
	jif_container_of(work, __typeof__(*(var)), field)

/* Is it queued, or does it wait for its timer? */
static inline bool work_pending(const struct work_struct *work)
{
	return work->armed || jif_work_pending(&work->entry);
}

bool delayed_work_pending(const struct delayed_work *dwork)
	JIF_LINUX(delayed_work_pending);

bool queue_work(struct workqueue_struct *wq, struct work_struct *work)
	JIF_LINUX(queue_work);
#define queue_work_on(cpu, wq, work) ((void)(cpu), queue_work(wq, work))

static inline bool schedule_work(struct work_struct *work)
{
	return queue_work(system_wq, work);
}
#define schedule_work_on(cpu, work) ((void)(cpu), schedule_work(work))

bool cancel_work(struct work_struct *work) JIF_LINUX(cancel_work);

/* Those with _sync are for the main loop. */
#define cancel_work_sync cancel_work

/*
 * Until enable_work() is called once for each call of this, at most 248 of
 * them, it is refused as if it were pending. enable_work() changes no other.
 */
bool disable_work(struct work_struct *work) JIF_LINUX(disable_work);

#define disable_work_sync(work) disable_work(work)
bool enable_work(struct work_struct *work) JIF_LINUX(enable_work);

static inline bool enable_and_queue_work(struct workqueue_struct *wq,
					 struct work_struct *work)
{
	if (!enable_work(work))
		return false;
	queue_work(wq, work);
	return true;
}

/* NULL in an interrupt handler, too. */
struct work_struct *current_work(void) JIF_LINUX(current_work);

unsigned work_busy(struct work_struct *work) JIF_LINUX(work_busy);

/*
 * From the main loop, callbacks and other work: takes it off its queue and
 * calls its function, before what was queued earlier.
 */
bool flush_work(struct work_struct *work) JIF_LINUX(flush_work);

/* From the main loop and callbacks; from work of a queue, they do nothing. */
void flush_workqueue(struct workqueue_struct *wq) JIF_LINUX(flush_workqueue);
#define flush_scheduled_work() flush_workqueue(system_wq)
void drain_workqueue(struct workqueue_struct *wq) JIF_LINUX(drain_workqueue);
#define destroy_workqueue(wq) drain_workqueue(wq)

/* @delay jiffies from now; 0 is at once. False: it stays as it is. */
bool queue_delayed_work(struct workqueue_struct *wq, struct delayed_work *dwork,
			unsigned long delay) JIF_LINUX(queue_delayed_work);
#define queue_delayed_work_on(cpu, wq, dwork, delay)                           \
	((void)(cpu), queue_delayed_work(wq, dwork, delay))

static inline bool schedule_delayed_work(struct delayed_work *dwork,
					 unsigned long delay)
{
	return queue_delayed_work(system_wq, dwork, delay);
}
#define schedule_delayed_work_on(cpu, dwork, delay)                            \
	((void)(cpu), schedule_delayed_work(dwork, delay))

bool mod_delayed_work(struct workqueue_struct *wq, struct delayed_work *dwork,
		      unsigned long delay) JIF_LINUX(mod_delayed_work);
#define mod_delayed_work_on(cpu, wq, dwork, delay)                             \
	((void)(cpu), mod_delayed_work(wq, dwork, delay))

bool cancel_delayed_work(struct delayed_work *dwork)
	JIF_LINUX(cancel_delayed_work);

#define cancel_delayed_work_sync cancel_delayed_work

/* As flush_work(), without waiting for its timer. */
bool flush_delayed_work(struct delayed_work *dwork)
	JIF_LINUX(flush_delayed_work);

bool disable_delayed_work(struct delayed_work *dwork)
	JIF_LINUX(disable_delayed_work);

#define disable_delayed_work_sync(dwork) disable_delayed_work(dwork)
#define enable_delayed_work(dwork)	 enable_work(&(dwork)->work)

/*
 * Who reads runs to its end before the main loop runs any work. With
 * CONFIG_JIF_SMP, what runs on other cores is not waited for.
 */
struct rcu_work {
	struct work_struct work;
};

#define INIT_RCU_WORK(rwork, func)	   INIT_WORK(&(rwork)->work, func)
#define INIT_RCU_WORK_ONSTACK(rwork, func) INIT_RCU_WORK(rwork, func)

static inline struct rcu_work *to_rcu_work(struct work_struct *work)
{
	return jif_container_of(work, struct rcu_work, work);
}

/* It runs after what runs now. */
#define queue_rcu_work(wq, rwork) queue_work(wq, &(rwork)->work)

/* Not while the caller reads. */
#define flush_rcu_work(rwork) flush_work(&(rwork)->work)

struct execute_work {
	struct work_struct work;
};

/*
 * Timers' functions run in the main loop here, so @fn is called at once there.
 * An interrupt handler has it queued on system_wq. 0 if it was called, else 1.
 */
int execute_in_process_context(work_func_t fn, struct execute_work *ew)
	JIF_LINUX(execute_in_process_context);

JIF_END_DECLS

#endif
