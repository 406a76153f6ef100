/* SPDX-License-Identifier: MIT */
/*
 * test/firmware/model/turns.h - turns of a scheduler, and the model of tasks.h
 *
 * The same act is done to both, by the main loop, by tasks and work while they
 * run, and by an interrupt in the windows in which the library lets one in. In
 * each window the model first catches up with what the library has done by
 * itself since: timers that have expired, and what has been taken off to run.
 * The model says which one that has to be. What is done is chosen by chance, or
 * by one who tries all.
 */
#pragma once

#include <jif/firmware/flags.h>
#include <jif/firmware/queue.h>

#include "tasks.h"

/* The length of messages. */
#define TURNS_MESSAGE 3

/**
 * struct turns_part - what takes part: the first ones
 * @choose:	by one who tries all; NULL: by chance
 * @works:	that have no delay
 * @delayed:	works
 * @tasks:	that sleep, wait and are woken
 * @events:	for which they wait
 * @flags:	of a set, for which they wait
 * @messages:	they are sent, and waited for
 * @periods:	they are released once a period, too
 * @priorities:	theirs change
 * @flat:	all have one priority
 * @few:	there is one delay, and what waits for flags wants all or any
 * @queue:	the queue is run, instead of turns
 */
struct turns_part {
	uint32_t (*choose)(uint32_t end);
	unsigned works, delayed, tasks, events, flags;
	bool messages, periods, priorities, flat, few, queue;
};

extern struct turns {
	void (*tell)(const char *who, const char *what, unsigned which);
	struct turns_part part;
	bool extra; /* one act more within the step */
	uint64_t seed, random;
	unsigned interrupts; /* one in so many windows */
	uint64_t acts, interrupted, ran, sleeps;
	char difference[160];
	struct tasks model;
	struct jif_wheel wheel;
	struct jif_sched sched;
	struct jif_work works[TASKS_WORKS];
	struct jif_delayed_work dworks[TASKS_WORKS];
	struct jif_task tasks[TASKS_TASKS];
	struct jif_event events[TASKS_EVENTS];
	struct jif_flags flags;
	struct jif_queue queue;
	unsigned char storage[TASKS_ROOM][TURNS_MESSAGE];
	uint16_t pass; /* of the tasks; as the model has begun it */
	int taken;     /* off the queue, and does not run yet */
	int waking;    /* all that wait for that event */
	unsigned woken;
	bool timed_out, in_fn, in_turn;
	bool running;	  /* the queue */
	bool acted;	  /* an interrupt has, in this turn */
	bool urged;	  /* something urgent was ready, in this turn */
	unsigned held_up; /* callbacks since it is ready */
} turns;

/* Nothing is to be done; @part NULL: all take part, by chance. */
void turns_begin(uint64_t seed, unsigned interrupts,
		 const struct turns_part *part);

/* A few acts or a turn; true: there is no difference so far. */
bool turns_step(void);

/*
 * One act, turn or run, of all there are; with @extra, there is one act of a
 * task, of work or of an interrupt within it.
 */
bool turns_try(bool extra);
