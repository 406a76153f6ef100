/* SPDX-License-Identifier: MIT */
/* Which calls, in which states, and which interrupts */
#include "plan.h"

static const char *const names[] = {
	"tick",
	"now64",
	"wheel_run",
	"wheel_check",
	"wheel_next",
	"wheel_next_expiry",
	"wheel_empty",
	"wheel_drain",
	"wheel_walk",
	"wheel_run_budget",
	"periodic_start",
	"periodic_stop",
	"work_queue",
	"work_cancel",
	"workqueue_run",
	"delayed_work_queue",
	"delayed_work_mod",
	"delayed_work_cancel",
	"delayed_work_pending",
	"task_wake",
	"task_sleep",
	"task_wait",
	"task_start",
	"task_stop",
	"task_pending",
	"event_wake",
	"sched_run",
};

enum {
	SECONDS,
	MINUTES,
	HOURS,
	DAYS,
	ALONE,
	SOON,
	MIDNIGHT,
	JUMP,
	QUIET,
	LATER,
	WRAPPED,
	TURNING,
	WORKING,
	READY,
	WOKEN,
	WAITING,
};

/*
 * The first three timers are in one list: its first entry, one in the middle
 * and the last one. Number 3 is alone in its slot, 5 is idle where there is
 * room for it, or paused, 7 was postponed.
 */
const struct state plan_states[] = {
	[SECONDS] = { { 0, 0, 0, 10 },
		      0,
		      20,
		      700,
		      false,
		      { { MOD, 0, 20 },
			{ MOD, 1, 20 },
			{ MOD, 7, 20 },
			{ MOD, 2, 20 },
			{ POSTPONE, 7, 30 },
			{ MOD, 3, 30 },
			{ MOD, 4, 100 },
			{ MOD, 5, 20 },
			{ PAUSE, 5, 0 },
			{ MOD, 6, 700000 } },
		      0 },
	[MINUTES] = { { 0, 5, 58, 30 },
		      0,
		      130,
		      5000,
		      false,
		      { { MOD, 0, 130 },
			{ MOD, 1, 140 },
			{ MOD, 7, 135 },
			{ MOD, 2, 130 },
			{ POSTPONE, 7, 7000 },
			{ MOD, 3, 300 },
			{ MOD, 4, 1 },
			{ MOD, 6, 3601 } },
		      0 },
	[HOURS] = { { 1, 22, 10, 59 },
		    1,
		    7300,
		    90000,
		    false,
		    { { MOD, 0, 7300 },
		      { MOD, 1, 7400 },
		      { MOD, 7, 7300 },
		      { MOD, 2, 7300 },
		      { POSTPONE, 7, 7401 },
		      { MOD, 3, 20000 },
		      { MOD, 4, 30 },
		      { MOD, 5, 7300 },
		      { PAUSE, 5, 0 },
		      { MOD, 6, 86400 } },
		    0 },
	[DAYS] = { { 6, 23, 10, 59 },
		   1,
		   100000,
		   1000000,
		   false,
		   { { MOD, 0, 100000 },
		     { MOD, 1, 101000 },
		     { MOD, 7, 100000 },
		     { MOD, 2, 100000 },
		     { POSTPONE, 7, 704800 },
		     { MOD, 3, 604800 },
		     { MOD, 4, 30 },
		     { MOD, 6, 2000000 } },
		   0 },
	[ALONE] = { { 3, 4, 5, 6 }, 0, 50, 60, false, { { MOD, 0, 50 } }, 0 },
	/* Due on the next tick. */
	[SOON] = { { 0, 0, 0, 10 },
		   0,
		   1,
		   2,
		   false,
		   { { MOD, 0, 1 },
		     { MOD, 1, 1 },
		     { MOD, 7, 1 },
		     { MOD, 2, 1 },
		     { POSTPONE, 7, 2 },
		     { MOD, 3, 2 },
		     { MOD, 4, 60 } },
		   0 },
	/* All hands move on the next tick, and all levels have entries. */
	[MIDNIGHT] = { { 5, 23, 59, 50 },
		       86410,
		       86411,
		       86500,
		       false,
		       { { MOD, 0, 86410 },
			 { MOD, 1, 86410 },
			 { MOD, 2, 86410 },
			 { MOD, 7, 90100 },
			 { RUN, 0, 80000 },
			 { MOD, 3, 86410 },
			 { MOD, 4, 90010 },
			 { RUN, 0, 86400 },
			 { MOD, 5, 86410 },
			 { POSTPONE, 7, 90200 },
			 { MOD, 6, 86411 },
			 { RUN, 0, 86409 } },
		       0 },
	[JUMP] = { { 6, 20, 30, 40 },
		   61,
		   12000,
		   700000,
		   false,
		   { { MOD, 0, 12000 },
		     { MOD, 1, 12000 },
		     { MOD, 7, 59 },
		     { MOD, 2, 12000 },
		     { POSTPONE, 7, 11000 },
		     { MOD, 3, 61 },
		     { MOD, 4, 90000 },
		     { MOD, 6, 800000 } },
		   0 },
	[QUIET] = { { 0, 0, 0, 10 },
		    2,
		    40,
		    3,
		    false,
		    { { MOD, 0, 40 }, { MOD, 1, 40 }, { MOD, 2, 40 } },
		    0 },
	/* A budget has run out within a tick. */
	[LATER] = { { 0, 0, 0, 10 },
		    1,
		    2,
		    60,
		    false,
		    { { MOD, 5, 1 },
		      { PAUSE, 5, 0 },
		      { MOD, 0, 1 },
		      { MOD, 1, 1 },
		      { MOD, 7, 1 },
		      { MOD, 2, 1 },
		      { MOD, 3, 2 },
		      { POSTPONE, 7, 2 },
		      { RUN_BUDGET, 1, 5 } },
		    0 },
	/* The same, where the minute has just wrapped. */
	[WRAPPED] = { { 0, 0, 0, 58 },
		      1,
		      2,
		      60,
		      false,
		      { { MOD, 0, 2 },
			{ MOD, 1, 2 },
			{ MOD, 2, 2 },
			{ MOD, 3, 3 },
			{ RUN_BUDGET, 1, 5 } },
		      0 },
	[TURNING] = { { 0, 0, 0, 58 },
		      1,
		      2,
		      60,
		      false,
		      { { MOD, 0, 4000 } },
		      3599 },
	[WORKING] = { { 0, 0, 0, 58 },
		      1,
		      3,
		      60,
		      true,
		      { { PERIODIC_START, 0, 2 },
			{ DELAYED_MOD, 0, 2 },
			{ TASK_SLEEP, 0, 2 },
			{ TASK_START, 0, 2 },
			{ WORK_QUEUE, 0, 0 },
			{ MOD, 0, 2 },
			{ MOD, 1, 2 } },
		      0 },
	[READY] = { { 0, 0, 0, 58 },
		    1,
		    3,
		    60,
		    true,
		    { { DELAYED_MOD, 0, 0 },
		      { WORK_QUEUE, 0, 0 },
		      { TASK_WAKE, 0, 0 },
		      { WORK_QUEUE, 1, 0 },
		      { MOD, 0, 2 } },
		    0 },
	/* Nothing but a task, which an interrupt may stop. */
	[WOKEN] = { { 0, 0, 0, 58 }, 1, 3, 60, 1, { { TASK_WAKE, 0, 0 } }, 0 },
	[WAITING] = { { 0, 0, 0, 58 },
		      1,
		      3,
		      60,
		      true,
		      { { TASK_WAIT, 0, 2 }, { MOD, 0, 2 } },
		      0 },
};

#define WITH_ALL(state, ticks)                                                 \
	{ state, { MOD, 0, ticks } }, { state, { MOD, 1, ticks } },            \
		{ state, { MOD, 2, ticks } }, { state, { REDUCE, 1, ticks } }, \
		{ state, { POSTPONE, 1, ticks } }, { state, { DEL, 0, 0 } },   \
		{ state, { DEL, 1, 0 } }, { state, { DEL, 2, 0 } },            \
		{ state, { SHUTDOWN, 1, 0 } }, { state, { EXPIRES, 1, 0 } },   \
		{ state, { ADD, 5, ticks } }, { state, { NEXT, 0, 0 } },       \
		{ state, { NEXT_EXPIRY, 0, 0 } }, { state, { WALK, 0, 0 } },   \
		{ state, { DRAIN, 0, 0 } }, { state, { EMPTY, 0, 0 } },        \
		{ state, { CHECK, 0, 0 } },                                    \
	{                                                                      \
		state,                                                         \
		{                                                              \
			PENDING, 1, 0                                          \
		}                                                              \
	}

#define WITH_PAUSED(state, ticks)                                              \
	{ state, { PAUSE, 1, 0 } }, { state, { PAUSE, 7, 0 } },                \
		{ state, { PAUSE, 5, 0 } }, { state, { RESUME, 1, 0 } },       \
		{ state, { RESUME, 5, 0 } }, { state, { LEFT, 5, 0 } },        \
		{ state, { LEFT, 7, 0 } },                                     \
		{ state, { MOD_PENDING, 1, ticks } },                          \
		{ state, { MOD_PENDING, 5, ticks } },                          \
		{ state, { ADD_IN, 5, ticks } },                               \
		{ state, { ADD_IN, 1, ticks } },                               \
	{                                                                      \
		state,                                                         \
		{                                                              \
			MOD_IN, 1, ticks                                       \
		}                                                              \
	}

const struct call plan_calls[] = {
	WITH_ALL(SECONDS, 10),
	{ SECONDS, { MOD, 0, 20 } },
	{ SECONDS, { REDUCE, 1, 20 } },
	{ SECONDS, { POSTPONE, 1, 50 } },
	{ SECONDS, { POSTPONE, 2, 20 } },
	{ SECONDS, { TICK, 0, 0 } },
	WITH_ALL(MINUTES, 128),
	WITH_ALL(HOURS, 7500),
	WITH_ALL(DAYS, 110000),
	WITH_ALL(ALONE, 4000),
	WITH_ALL(LATER, 10),
	WITH_PAUSED(SECONDS, 10),
	WITH_PAUSED(HOURS, 7500),
	WITH_PAUSED(LATER, 10),
	{ ALONE, { PAUSE, 0, 0 } },
	{ ALONE, { ADD, 0, 10 } },
	{ SOON, { RUN, 0, 0 } },
	{ SOON, { RUN, 0, 1 } },
	{ SOON, { RUN, 0, 3 } },
	{ SOON, { RUN_BUDGET, 2, 1 } },
	{ MIDNIGHT, { RUN, 0, 86410 } },
	{ MIDNIGHT, { RUN, 0, 86500 } },
	{ MIDNIGHT, { RUN, 0, 700000 } },
	{ MIDNIGHT, { RUN_BUDGET, 3, 86410 } },
	{ MIDNIGHT, { RUN_BUDGET, 8, 86500 } },
	{ MIDNIGHT, { NEXT, 0, 0 } },
	{ MIDNIGHT, { NEXT_EXPIRY, 0, 0 } },
	{ MIDNIGHT, { DRAIN, 0, 0 } },
	{ JUMP, { RUN, 0, 60 } },
	{ JUMP, { RUN, 0, 12000 } },
	{ JUMP, { RUN, 0, 1500000 } },
	{ DAYS, { RUN, 0, 2100000 } },
	{ HOURS, { RUN, 0, 8000 } },
	{ QUIET, { RUN, 0, 5 } },
	{ QUIET, { RUN, 0, 55 } },
	{ LATER, { RUN, 0, 5 } },
	{ LATER, { RUN_BUDGET, 1, 5 } },
	{ WRAPPED, { NEXT, 0, 0 } },
	{ TURNING, { NOW64, 0, 0 } },
	{ TURNING, { TICK, 0, 0 } },
	{ WORKING, { RUN, 0, 1 } },
	{ WORKING, { RUN, 0, 2 } },
	{ WORKING, { RUN, 0, 20 } },
	{ WORKING, { PERIODIC_START, 0, 1 } },
	{ WORKING, { PERIODIC_STOP, 0, 0 } },
	{ WORKING, { DELAYED_QUEUE, 0, 1 } },
	{ WORKING, { DELAYED_MOD, 0, 1 } },
	{ WORKING, { DELAYED_MOD, 0, 0 } },
	{ WORKING, { DELAYED_CANCEL, 0, 0 } },
	{ WORKING, { DELAYED_PENDING, 0, 0 } },
	{ WORKING, { TASK_WAKE, 0, 0 } },
	{ WORKING, { TASK_SLEEP, 0, 3 } },
	{ WORKING, { TASK_WAIT, 0, 3 } },
	{ WORKING, { TASK_START, 0, 3 } },
	{ WORKING, { TASK_STOP, 0, 0 } },
	{ WORKING, { EVENT_WAKE, 0, 0 } },
	{ WORKING, { SCHED_RUN, 0, 0 } },
	{ READY, { WORK_QUEUE, 0, 0 } },
	{ READY, { WORK_CANCEL, 0, 0 } },
	{ READY, { WORK_CANCEL, 1, 0 } },
	{ READY, { WORK_RUN, 0, 0 } },
	{ READY, { DELAYED_CANCEL, 0, 0 } },
	{ READY, { DELAYED_QUEUE, 0, 2 } },
	{ READY, { DELAYED_MOD, 0, 2 } },
	{ READY, { TASK_WAKE, 0, 0 } },
	{ READY, { TASK_STOP, 0, 0 } },
	{ READY, { TASK_SLEEP, 0, 3 } },
	{ READY, { TASK_PENDING, 0, 0 } },
	{ READY, { SCHED_RUN, 0, 0 } },
	{ WOKEN, { SCHED_RUN, 0, 0 } },
	{ WAITING, { EVENT_WAKE, 0, 0 } },
	{ WAITING, { TASK_WAIT, 0, 1 } },
	{ WAITING, { TASK_STOP, 0, 0 } },
	{ WAITING, { TASK_WAKE, 0, 0 } },
	{ WAITING, { WORK_QUEUE, 0, 0 } },
	{ WAITING, { WORK_RUN, 0, 0 } },
	{ WAITING, { SCHED_RUN, 0, 0 } },
	{ WAITING, { RUN, 0, 2 } },
};

const unsigned plan_calls_count = sizeof(plan_calls) / sizeof(*plan_calls);

static const struct op on_wheel[] = {
	{ TICK, 0, 0 },	      { NOW64, 0, 0 },	    { RUN, 0, 0 },
	{ RUN_BUDGET, 0, 0 }, { RUN_BUDGET, 2, 0 },
};

#define ON_WHEEL (sizeof(on_wheel) / sizeof(*on_wheel))

static const struct op on_works[] = {
	{ PERIODIC_START, 0, 1 },  { PERIODIC_STOP, 0, 0 },
	{ WORK_QUEUE, 0, 0 },	   { WORK_QUEUE, 1, 0 },
	{ WORK_CANCEL, 0, 0 },	   { WORK_CANCEL, 1, 0 },
	{ DELAYED_QUEUE, 0, 1 },   { DELAYED_QUEUE, 0, 0 },
	{ DELAYED_MOD, 0, 5 },	   { DELAYED_CANCEL, 0, 0 },
	{ DELAYED_PENDING, 0, 0 }, { TASK_WAKE, 0, 0 },
	{ TASK_SLEEP, 0, 4 },	   { TASK_WAIT, 0, 4 },
	{ TASK_START, 0, 4 },	   { TASK_STOP, 0, 0 },
	{ TASK_PENDING, 0, 0 },	   { EVENT_WAKE, 0, 0 },
};

#define ON_WORKS (sizeof(on_works) / sizeof(*on_works))

/* The first ones take an expiry. */
static const uint8_t on_timers[] = {
	ADD,	  MOD,	   REDUCE,  POSTPONE, DEL,
	SHUTDOWN, PENDING, EXPIRES, PAUSE,    RESUME,
};

#define ON_EXPIRY     4
#define OPS_PER_TIMER (3 * ON_EXPIRY + (unsigned)sizeof(on_timers) - ON_EXPIRY)

/* A product runs the wheel in one place only: in the tick's handler, or not. */
static bool may_run(const struct op *op)
{
	return op->verb != RUN_BUDGET && op->verb != SCHED_RUN;
}

/* A run that stops in the middle of a tick, of a cascade too. */
static bool may_run_budget(const struct op *op)
{
	return may_run(op) && op->verb != RUN && op->verb != WALK &&
	       op->verb != DRAIN && op->verb != NEXT_EXPIRY;
}

const char *plan_name(unsigned verb)
{
	return verb < TIMER_VERBS ? timer_verbs[verb].name :
				    names[verb - TIMER_VERBS];
}

bool plan_irq(const struct call *call, unsigned number, struct op *irq)
{
	const struct state *state = &plan_states[call->state];
	const int32_t ticks[] = { state->near, state->same, state->far };
	unsigned verb = number % OPS_PER_TIMER;

	if (number < PLAIN * OPS_PER_TIMER) {
		irq->object = (uint8_t)(number / OPS_PER_TIMER);
		irq->ticks = ticks[verb % 3];
		irq->verb =
			on_timers[verb < 3 * ON_EXPIRY ? verb / 3 :
							 verb - 2 * ON_EXPIRY];
		return true;
	}
	number -= (unsigned)(PLAIN * OPS_PER_TIMER);
	if (number < ON_WHEEL) {
		*irq = on_wheel[number];
		irq->ticks = state->same;
		/* How far a budget gets is told by what leaves a note. */
		if (state->works)
			irq->object = 0;
		if ((irq->verb == RUN && !may_run(&call->op)) ||
		    (irq->verb == RUN_BUDGET && !may_run_budget(&call->op)))
			irq->verb = TICK;
		return true;
	}
	number -= (unsigned)ON_WHEEL;
	if (number >= ON_WORKS || !state->works)
		return false;
	*irq = on_works[number];
	return true;
}
