/* SPDX-License-Identifier: MIT */
/*
 * test/firmware/model/tasks.h - what work and tasks have to do, told by arrays
 *
 * The model shares no code and no idea with lib/firmware/work.c and
 * lib/firmware/sched.c: there are no lists. Whatever waits, be it for a time,
 * an event or its turn, has the number of the act that made it wait, and who is
 * next is searched for among all. Time has 64 bits. The functions return what
 * the library should.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#ifndef TASKS_WORKS
#define TASKS_WORKS   8 /* the last TASKS_DELAYED of them are delayed work */
#define TASKS_DELAYED 4
#define TASKS_TASKS   8
#define TASKS_EVENTS  2
#define TASKS_ROOM    3
#endif
#define TASKS_NEVER UINT64_MAX

/* What is waited for besides events. */
#define TASKS_FLAGS ((int)TASKS_EVENTS)
#define TASKS_QUEUE ((int)TASKS_EVENTS + 1)

/* All that can run, and all timers: works, then tasks; releases are apart. */
#define TASKS_ITEMS  (TASKS_WORKS + TASKS_TASKS)
#define TASKS_TIMERS (TASKS_ITEMS + TASKS_TASKS)

/**
 * struct tasks_item - work, or a task
 * @priority:	0 is the highest
 * @ready:	the act that made it ready; 0: it is not
 * @ran:	it has run in this pass
 * @event:	what it waits for: an event, flags, messages; -1: nothing
 * @waiting:	the act that made it wait
 * @want:	flags for which it waits
 * @all:	for all of them
 * @clear:	and has them cleared
 * @got:	flags that it has got and not taken
 * @expired:	its time was up
 * @released:	a release came, and it has not run since
 * @period:	0: none
 * @runs:	how often it has run
 * @missed:	releases
 */
struct tasks_item {
	unsigned priority;
	uint64_t ready;
	bool ran;
	int event;
	uint64_t waiting;
	uint32_t want;
	bool all, clear;
	uint32_t got;
	bool expired, released;
	uint32_t period, runs, missed;
};

/**
 * struct tasks_timer - one of them
 * @expires:	or TASKS_NEVER
 * @armed:	the act that armed it
 */
struct tasks_timer {
	uint64_t expires, armed;
};

/**
 * struct tasks - all of it
 * @acts:	how many there have been
 * @clock:	of the wheel
 * @now:	jiffies
 * @target:	up to where the wheel is run
 * @items:	works and tasks
 * @timers:	of the items, and then the releases of the tasks
 * @set:	events that nobody has seen
 * @flags:	that are set
 * @messages:	the oldest one first
 * @sent:	how many of them there are
 * @picks:	how many the scheduler has run in this pass
 */
struct tasks {
	uint64_t acts, clock, now, target;
	struct tasks_item items[TASKS_ITEMS];
	struct tasks_timer timers[TASKS_TIMERS];
	bool set[TASKS_EVENTS];
	uint32_t flags;
	uint8_t messages[TASKS_ROOM];
	unsigned sent, picks;
};

void tasks_init(struct tasks *model, uint64_t now);

/* Work. The last ones have a delay; their cancel is that of delayed work. */
bool tasks_queue(struct tasks *model, unsigned work);
bool tasks_cancel(struct tasks *model, unsigned work);
bool tasks_delay(struct tasks *model, unsigned work, uint32_t delay, bool mod);
bool tasks_work_pending(const struct tasks *model, unsigned work);

/* Tasks, from 0 on. */
bool tasks_wake(struct tasks *model, unsigned task);
int tasks_suspend(struct tasks *model, unsigned task, int event,
		  uint32_t delay);
bool tasks_start(struct tasks *model, unsigned task, uint32_t first,
		 uint32_t period);
bool tasks_stop(struct tasks *model, unsigned task);
void tasks_set_priority(struct tasks *model, unsigned task, unsigned priority);
bool tasks_event(struct tasks *model, unsigned event);

/* The task that has waited longest, of those for that; -1: none. */
int tasks_first_waiter(const struct tasks *model, int event);

/* Flags; -16: the task is ready already. Setting some: 1, one was woken. */
int tasks_wait_flags(struct tasks *model, unsigned task, uint32_t want,
		     bool all, bool clear, uint32_t delay);
uint32_t tasks_set(struct tasks *model, uint32_t set);
uint32_t tasks_clear(struct tasks *model, uint32_t clear);
uint32_t tasks_flags(struct tasks *model, unsigned task);

/* Messages; -28: there is no room, -2: there is none. */
int tasks_send(struct tasks *model, uint8_t message);
int tasks_receive(struct tasks *model, uint8_t *message);

/* The timer that is due next, up to the clock; -1 if there is none. */
int tasks_due(const struct tasks *model);
/* It expires. */
void tasks_expire(struct tasks *model, unsigned timer);
/* The first of all expiries, or TASKS_NEVER. */
uint64_t tasks_next(const struct tasks *model);

/* What runs next, of the works or of the tasks; -1 if the pass is over. */
int tasks_first(const struct tasks *model, bool of_tasks);
/* It is taken off; returns whether its time was up. */
bool tasks_take(struct tasks *model, unsigned item);
/* A run begins, or ends: a pass that is over makes way for the next one. */
void tasks_turn_over(struct tasks *model, bool of_tasks);
bool tasks_any_ready(const struct tasks *model, bool of_tasks);
/* Is any work or task of priority 0 ready? */
bool tasks_urgent(const struct tasks *model);

/*
 * What a scheduler runs next, -1: nothing. Work goes before tasks, the highest
 * priority first; every other time, what has not run in this pass.
 */
int tasks_next_item(const struct tasks *model);
/* The scheduler takes it off; returns whether its time was up. */
bool tasks_pick(struct tasks *model, unsigned item);
/* A turn had nothing to run: so all may have run in the next pass. */
void tasks_begin_pass(struct tasks *model);
