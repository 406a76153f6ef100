/* SPDX-License-Identifier: MIT */
/*
 * jif/load.h - how busy the machine is: asleep, in each task, and in the rest
 *
 * In counts of the scheduler's clock, which has to go on while the machine
 * sleeps. A window is from one jif_load_next() to the next. Time neither idle
 * nor in a task went to interrupts, callbacks, work and the scheduler.
 */
#ifndef JIF_LOAD_H
#define JIF_LOAD_H

#include <jif/sched.h>

JIF_BEGIN_DECLS

/**
 * struct jif_load_task - a task's part; @name and @busy are there to be read
 * @next:	another one, or NULL
 * @task:	the task
 * @name:	for reports
 * @total:	how long all its runs before this window took
 * @busy:	how long those that ended in the last window took
 */
struct jif_load_task {
	struct jif_load_task *next;
	const struct jif_task *task;
	const char *name;
	uint32_t total;
	uint32_t busy;
};

/**
 * struct jif_load - a window; @tasks, @span and @idle are there to be read
 * @clock:	the scheduler's
 * @tasks:	those that were added, the latest first
 * @begin:	when this window began
 * @slept:	for how long the machine has slept in it
 * @span:	how long the last window was
 * @idle:	for how much of that the machine slept
 */
struct jif_load {
	uint32_t (*clock)(void);
	struct jif_load_task *tasks;
	uint32_t begin;
	uint32_t slept;
	uint32_t span;
	uint32_t idle;
};

/**
 * jif_load_init - begin the first window
 * @load:	memory
 * @clock:	what jif_sched_init() was given; NULL: jif_now()
 * Context: before @load is used.
 */
void jif_load_init(struct jif_load *load, uint32_t (*clock)(void));

/**
 * jif_load_add - measure a task, too
 * @load:	the window
 * @entry:	memory that is on no list, and stays
 * @task:	a task that has been initialised
 * @name:	for reports
 * Context: the main loop and callbacks.
 */
void jif_load_add(struct jif_load *load, struct jif_load_task *entry,
		  const struct jif_task *task, const char *name);

/**
 * jif_load_sleep - sleep, and count that as idle
 * @load:	the window
 * @idle:	jif_port_idle(), or what sleeps as it does
 * @ticks:	handed on to @idle
 *
 * For the idle function of a scheduler. A handler that runs within @idle counts
 * as idle.
 * Context: the main loop, with interrupts off.
 */
void jif_load_sleep(struct jif_load *load, void (*idle)(uint32_t ticks),
		    uint32_t ticks);

/**
 * jif_load_next - end a window, and begin the next one
 * @load:	what @span, @idle and each task's @busy are set in
 *
 * A window is less than 2^32 counts long.
 * Context: the main loop and callbacks.
 */
void jif_load_next(struct jif_load *load);

/**
 * jif_load_share - what part of the last window it was
 * @load:	has a window that ended
 * @counts:	@idle, or a task's @busy
 * Context: the main loop and callbacks.
 * Return: in 1/1000, rounded down; from 2^22 counts on, within one of that. At
 * most 1000, also if it began before the window.
 */
unsigned jif_load_share(const struct jif_load *load, uint32_t counts);

JIF_END_DECLS

#endif
