/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/step/world.h - a wheel, what runs on it, and what is done to
 * that
 *
 * All of it is in one piece of memory, so that a moment of it can be put back.
 */
#pragma once

#include <jif/firmware/flags.h>
#include <jif/firmware/queue.h>
#include <jif/firmware/sched.h>
#include <jif/firmware/work.h>
#include <jif/periodic.h>
#include <jif/wheel.h>

/* Some timers do nothing but to be called; the others make something run. */
enum timer_number { PLAIN = 8, CALLS = PLAIN, DELAY, SLEEP, RELEASE, TIMERS };
#define ORACLE_MAX TIMERS
#include "../verbs.h"

enum work_number { WORK = TIMERS, DELAYED = WORK + 2, TASK, WORKS };

#define LOG_MAX	   40
#define WORLD_ROOM 2 /* for messages */
#define SETUP_MAX  12

/* Later than any timer; the periods of what never ends are longer. */
#define TICKS_END  3000000
#define TICKS_SELF UINT32_C(5)

enum world_verb {
	TICK = TIMER_VERBS,
	NOW64,
	RUN,
	CHECK,
	NEXT,
	NEXT_EXPIRY,
	EMPTY,
	DRAIN,
	WALK,
	RUN_BUDGET,
	PERIODIC_START,
	PERIODIC_STOP,
	WORK_QUEUE,
	WORK_CANCEL,
	WORK_RUN,
	DELAYED_QUEUE,
	DELAYED_MOD,
	DELAYED_CANCEL,
	DELAYED_PENDING,
	TASK_WAKE,
	TASK_SLEEP,
	TASK_WAIT,
	TASK_START,
	TASK_STOP,
	TASK_PENDING,
	EVENT_WAKE,
	FLAGS_SET,
	FLAGS_CLEAR,
	FLAGS_WAIT,
	FLAGS_TAKE,
	QUEUE_SEND,
	QUEUE_RECEIVE,
	QUEUE_WAIT,
	SCHED_RUN,
	VERBS,
};

/**
 * struct op - a call of the engine
 * @verb:	which
 * @object:	the number of the timer or the work; of a budgeted run, the
 *		budget; flags, of a wait for all and to be cleared four times
 *		as many; a message
 * @ticks:	a delay, or an absolute time, from the first clock of the world
 */
struct op {
	uint8_t verb;
	uint8_t object;
	int32_t ticks;
};

/**
 * struct state - how a world gets to where the call is made
 * @hand:	the day, hour, minute and second at which it begins
 * @near:	an expiry for interrupts: the past, or the tick being run
 * @same:	another one: that of a list
 * @far:	another one: on a higher level
 * @works:	interrupts do something with what runs on the wheel, too
 * @setup:	what is done then
 * @passed:	the jiffies that have passed before the call
 */
struct state {
	uint8_t hand[4];
	int32_t near;
	int32_t same;
	int32_t far;
	bool works;
	struct op setup[SETUP_MAX];
	uint32_t passed;
};

/**
 * struct entry - one that was called
 * @who:	the number of a timer or of work
 * @tick:	the clock by then; of what was drained and of work, 0
 */
struct entry {
	uint32_t who;
	uint32_t tick;
};

/**
 * struct outcome - all that is compared
 * @result:	of the call
 * @irq_result:	of the interrupt's
 * @pending:	a bit per timer, after the call
 * @rest:	the same at the end of all
 * @expires:	of those that are pending after the call; of paused ones, the
 *		time that they have left
 * @seen:	how often a walk has shown each
 * @count:	of @log
 * @log:	who was called, up to the end of all
 */
struct outcome {
	uint32_t result;
	uint32_t irq_result;
	uint32_t pending;
	uint32_t rest;
	uint32_t expires[TIMERS];
	uint8_t seen[TIMERS];
	uint32_t count;
	struct entry log[LOG_MAX];
};

/**
 * struct moment - what the clock and the log were when something happened
 */
struct moment {
	uint32_t clock;
	uint32_t count;
};

/**
 * struct world - the memory of a trial
 * @first:	the 64 bits of jiffies at WORLD_BASE
 * @irqs:	how often the interrupt came
 * @broken:	the number of an invariant that was, or 100: the scheduler
 *		sleeps on work; or 101: interrupts stay off
 * @calling:	the call is not over
 * @irq_at:	when the interrupt came
 * @irq_end_at:	when it was over
 * @end_at:	when the call was over
 * @got:	what came out
 */
struct world {
	struct jif_wheel wheel;
	struct jif_timer timer[PLAIN];
	struct jif_periodic periodic;
	struct jif_sched sched;
	struct jif_work work[2];
	struct jif_delayed_work delayed;
	struct jif_task task;
	struct jif_event event;
	struct jif_flags flags;
	struct jif_queue queue;
	unsigned char storage[WORLD_ROOM];
	uint64_t first;
	unsigned irqs;
	int broken;
	volatile bool calling;
	struct moment irq_at;
	struct moment irq_end_at;
	struct moment end_at;
	struct outcome got;
};

extern struct world world;

/* The clock at which each world begins: the wrap is an hour away. */
#define WORLD_BASE (UINT32_C(0) - 3600)

void world_build(const struct state *state);

/* Jiffies go on to that. */
void world_set_now(uint32_t now);

/* Does it, and returns what comes out, in the same words as the model. */
uint32_t world_do(const struct op *op);

/* The call; the interrupt; what comes after the call. */
void world_call(const struct op *op);
void world_irq(const struct op *op);
void world_settle(void);

static inline bool is_armed(const struct outcome *o, unsigned i)
{
	return o->pending >> i & 1;
}

/* Where the engine begins. */
extern const char step_engine[];

/* Puts them back, as memory is. */
void step_set_jiffies(uint64_t now);
