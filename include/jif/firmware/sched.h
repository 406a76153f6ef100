/* SPDX-License-Identifier: MIT */
/*
 * jif/firmware/sched.h - a cooperative scheduler: tasks that run to completion
 *
 * A task is a function that is called when there is something to do for it, and
 * returns when it has done that. In between it may sleep, wait for an event, or
 * be released once a period. A main loop is for (;;) jif_sched_run(&sched);
 *
 * Each call that ends or begins a wait may come from any context, and none is
 * ever lost: a wake that comes while the task runs makes it run again, and an
 * event remembers a wake that nobody has waited for.
 *
 * Delays and time-outs count from jif_wheel_now(). They end less than
 * JIF_DELAY_MAX later. For a handler, that limit counts from the wheel's clock,
 * which is behind by the sleep that the handler ends; for urgent work or tasks,
 * by a week or, if a timer was postponed or deleted, by the sleep.
 */
#ifndef JIF_SCHED_H
#define JIF_SCHED_H

#include <jif/firmware/work.h>
#include <jif/timer.h>
#include <jif/types.h>
#include <jif/wheel.h>

JIF_BEGIN_DECLS

struct jif_task;

/**
 * typedef jif_task_fn - what a task does each time it runs
 * @task:	the task; it may be stopped by then, but not freed
 */
typedef void jif_task_fn(struct jif_task *task);

/**
 * struct jif_sched - a scheduler
 * @work:	a queue for work, which goes before the tasks; only turns run it
 */
struct jif_sched {
	struct jif_workqueue work;
	/* private: */
	struct jif_workqueue ready;   /* the tasks that are to run */
	struct jif_wheel *wheel;      /* drives all */
	void (*idle)(uint32_t ticks); /* sleeps */
	uint32_t (*clock)(void);      /* measures the tasks */
	bool running;		      /* a turn is under way */
	uint8_t picks;		      /* works and tasks of this pass */
};

/** struct jif_event - what tasks wait for */
struct jif_event {
	/* private: */
	struct jif_work *tail; /* the last task that waits */
	uint32_t set;	       /* it has come, unseen; or flags, messages */
};

/**
 * struct jif_task_record - what a task has done so far
 * @runs:	how often it has run
 * @last:	how long the last run took, by the scheduler's clock
 * @longest:	how long the longest one took
 * @total:	how long all of them took; wraps
 * @overruns:	how many took longer than the budget
 * @missed:	releases that came before the task had run for the one before
 */
struct jif_task_record {
	uint32_t runs;
	uint32_t last;
	uint32_t longest;
	uint32_t total;
	uint32_t overruns;
	uint32_t missed;
};

/** struct jif_task - a task */
struct jif_task {
	/* private: */
	struct jif_work work;	       /* in the ready ones, or in @event */
	struct jif_timer timer;	       /* ends its sleep or its wait */
	struct jif_timer release;      /* wakes it once a period */
	struct jif_task_record record; /* what it has done so far */
	struct jif_sched *sched;       /* the scheduler that runs it */
	jif_task_fn *fn;	       /* what it does */
	struct jif_event *event;       /* what it waits for, or NULL */
	uint32_t budget;	       /* of a run, by its clock; 0: none */
	uint32_t period;	       /* from release to release; 0: none */
	bool asleep;		       /* its timer ends a sleep or a wait */
	bool expired;		       /* @timer has made it ready */
	bool timed_out;		       /* that has ended the latest one */
	bool released;		       /* it has not run since its release */
	uint8_t how;		       /* it waits for @flags; 0: got them */
	uint32_t flags;		       /* see lib/firmware/flags.c */
};

/** JIF_EVENT_INIT - static initialiser of a struct jif_event */
#define JIF_EVENT_INIT                                                         \
	{                                                                      \
		0, 0                                                           \
	}

/**
 * jif_sched_init - make a scheduler without tasks
 * @sched:	memory
 * @wheel:	a wheel that nobody else runs, and that has been initialised; if
 *		it has no time source, it gets jif_time_jiffies()
 * @idle:	jif_port_idle(), or what sleeps as it does; NULL: never sleep
 * @clock:	a counter of 32 bits, in any unit; NULL: the wheel's time source
 * Context: before the scheduler is used.
 */
void jif_sched_init(struct jif_sched *sched, struct jif_wheel *wheel,
		    void (*idle)(uint32_t ticks), uint32_t (*clock)(void))
	JIF_AGREE_ON(CONFIG_JIF_WORK_PRIORITIES, jif_sched_init);

/**
 * jif_sched_run - one turn: the wheel, a piece of work or a task, sleep
 * @sched:	the scheduler
 *
 * Runs the wheel up to now, and then one piece of work or, if none is pending,
 * one task that is ready: the first of the highest priority. Every second turn
 * instead takes the next in a round of all that is pending, from turn to turn.
 * Work or a task of priority 0 is urgent. If it is ready already, it goes
 * before the wheel and all that is not urgent, every other time but one. If it
 * gets ready meanwhile, the rest of the wheel is for later turns. It waits for
 * one callback of a timer at most, and one more with each urgent one before it.
 *
 * If nothing is left to do then, sleeps as jif_wheel_sleep() does, until the
 * next expiry or until an interrupt comes. Between the last look and the sleep
 * interrupts are off, so that what they bring is seen, or ends the sleep.
 * Context: the main loop. Not re-entrant: a call within a turn changes nothing.
 * Return: how many callbacks, pieces of work and tasks ran.
 */
unsigned jif_sched_run(struct jif_sched *sched);

/**
 * jif_task_init - make a task, which does nothing until it is woken
 * @sched:	the scheduler that is to run it
 * @task:	memory that is not a task in use
 * @fn:		what it does
 * @priority:	0 to CONFIG_JIF_WORK_PRIORITIES - 1; 0 is the highest
 * @budget:	how long a run may take, by the scheduler's clock; 0: any time
 * Context: any.
 */
void jif_task_init(struct jif_sched *sched, struct jif_task *task,
		   jif_task_fn *fn, unsigned priority, uint32_t budget);

/**
 * jif_task_wake - have a task run
 * @task:	a task that has been initialised
 *
 * Ends its sleep or its wait for an event. Tasks of one priority run in the
 * order in which they got ready. A task that runs is not ready: it runs again.
 * Context: any.
 * Return: true if it has become ready; false if it was, or has no function or
 * no priority that exists.
 */
bool jif_task_wake(struct jif_task *task);

/**
 * jif_task_set_priority - from now on, a task is more or less urgent
 * @task:	a task that has been initialised
 * @priority:	0 to CONFIG_JIF_WORK_PRIORITIES - 1; 0 is the highest
 *
 * If it is ready, it goes behind those of that priority, unless that is what it
 * had. In the list of an event, it stays where it is.
 * Context: any.
 * Return: 0; -JIF_EINVAL if the task has no function or there is no such
 * priority, and nothing has changed.
 */
int jif_task_set_priority(struct jif_task *task, unsigned priority);

/**
 * jif_task_sleep - have a task run when some time has passed
 * @task:	a task that has been initialised; most often the one that runs
 * @delay:	at least so many whole ticks, as for jif_timer_add_in();
 *		JIF_FOREVER: until it is woken
 *
 * Replaces the sleep or wait that it is in. The call returns at once; what ends
 * is the run, when the task's function returns.
 * Context: any.
 * Return: 0: it sleeps; -JIF_EBUSY if it is ready, since a wake has come, and
 * will run; -JIF_ERANGE if too far, as for jif_timer_add_in(); -JIF_EINVAL if
 * it has no function or no such priority. After an error, nothing has changed.
 */
int jif_task_sleep(struct jif_task *task, uint32_t delay);

/**
 * jif_task_wait - have a task run when an event comes, or time is up
 * @task:	a task that has been initialised; most often the one that runs
 * @event:	the event
 * @timeout:	as the delay of jif_task_sleep(); JIF_FOREVER: none
 *
 * Like jif_task_sleep(). If @event has come already, the task takes it and is
 * ready at once. jif_task_wake() and a release end the wait too: a task that is
 * woken looks at what it has waited for.
 * Context: any.
 * Return: as jif_task_sleep(), but 0 also if @event has come already.
 */
int jif_task_wait(struct jif_task *task, struct jif_event *event,
		  uint32_t timeout);

/**
 * jif_task_timed_out - why does the task run?
 * @task:	a task
 * Context: its function.
 * Return: true if the time of its sleep or wait was up before it was woken.
 */
bool jif_task_timed_out(const struct jif_task *task);

/**
 * jif_task_start - have a task run once a period
 * @task:	a task that has been initialised
 * @first:	whole ticks until the first release, as for jif_timer_add_in()
 * @period:	from release to release, in jiffies, 1 to JIF_DELAY_MAX
 *
 * The releases lie on a grid, without drift. One that comes before the task has
 * run for the one before is missed, and counted. A release is a wake: it ends a
 * sleep or a wait. Starting anew gives up the old grid. What a single run of
 * the wheel covers and a period, added up, may be at most JIF_DELAY_MAX. A
 * drain without a function is a release, which begins a grid.
 * Context: any.
 * Return: 1 if it was started before, 0 if not; -JIF_ERANGE if @first is too
 * far or @period too long; -JIF_EINVAL if @period is 0, or as jif_task_sleep().
 * After an error, nothing has changed.
 */
JIF_MUST_CHECK
int jif_task_start(struct jif_task *task, uint32_t first, uint32_t period);

/**
 * jif_task_next - when will a timer make a task ready?
 * @task:	a task that has been initialised
 * @when:	set to that tick: the end of its sleep or time-out or its next
 *		release, whichever is sooner; absolute, in the wheel's time
 *
 * A task that is ready, or is woken before, runs without waiting for it.
 * Context: any.
 * Return: true if a timer will; false if it has neither a period nor a sleep or
 * wait that ends by itself, and then @when is left alone.
 */
bool jif_task_next(const struct jif_task *task, uint32_t *when);

/**
 * jif_task_stop - no more runs
 * @task:	a task that has been initialised
 *
 * Ends its releases, sleep and wait, and makes it not ready, until it is woken,
 * started or put to sleep again. A run under way goes on to its end.
 * Context: any.
 * Return: true if anything was to make it run.
 */
bool jif_task_stop(struct jif_task *task);

/**
 * jif_task_pending - is the task ready?
 * @task:	a task that has been initialised
 * Context: any.
 * Return: true if it is to run and does not run yet.
 */
bool jif_task_pending(const struct jif_task *task);

/* In C++, it hides the constructor of the structure of its name. */
JIF_MAY_SHADOW

/**
 * jif_task_record - what a task has done so far
 * @task:	a task that has been initialised
 * Context: the main loop and callbacks.
 * Return: its record, which goes on changing.
 */
const struct jif_task_record *jif_task_record(const struct jif_task *task);

JIF_END_MAY_SHADOW

/**
 * jif_event_init - make an event that has not come
 * @event:	memory that no task waits for; zeroed memory is such an event
 * Context: any.
 */
void jif_event_init(struct jif_event *event);

/**
 * jif_event_wake - an event has come
 * @event:	the event
 *
 * Wakes the task that has waited longest, one for each call. If none waits, the
 * event remembers that it has come, once, for the next one.
 * Context: any.
 * Return: true if a task was woken.
 */
bool jif_event_wake(struct jif_event *event);

/**
 * jif_event_wake_all - an event has come, for all that wait
 * @event:	the event
 *
 * If none waits, the event remembers that it has come, as jif_event_wake().
 * Context: any.
 * Return: how many tasks were woken.
 */
unsigned jif_event_wake_all(struct jif_event *event);

JIF_END_DECLS

#endif
