/* SPDX-License-Identifier: MIT */
/* Which calls, in which states, and which interrupts */
#include "plan.h"

/* As many to a line as there is room for. */
#define ROWS(...)                                                              \
	{                                                                      \
		__VA_ARGS__                                                    \
	}

static const char *const names[] = ROWS(
	"tick", "now64", "wheel_run", "wheel_check", "wheel_next",
	"wheel_next_expiry", "wheel_empty", "wheel_drain", "wheel_walk",
	"wheel_run_budget", "periodic_start", "periodic_stop", "work_queue",
	"work_cancel", "workqueue_run", "delayed_work_queue",
	"delayed_work_mod", "delayed_work_cancel", "delayed_work_pending",
	"task_wake", "task_sleep", "task_wait", "task_start", "task_stop",
	"task_pending", "event_wake", "flags_set", "flags_clear", "flags_wait",
	"flags_take", "queue_send", "queue_receive", "queue_wait", "sched_run");

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
	FLAGGED,
	SENT,
};

#define OP(verb, object, ticks)                                                \
	{                                                                      \
		verb, object, ticks                                            \
	}
#define STATE(day, hour, minute, second, near, same, far, works, passed, ...)  \
	{                                                                      \
		{ day, hour, minute, second }, near, same, far, works,         \
			{ __VA_ARGS__ }, passed                                \
	}

/*
 * The first three timers are in one list: its first entry, one in the middle
 * and the last one. Number 3 is alone in its slot, 5 is idle where there is
 * room for it, or paused, 7 was postponed.
 */
const struct state plan_states[] = {
	[SECONDS] = STATE(0, 0, 0, 10, 0, 20, 700, false, 0, OP(MOD, 0, 20),
			  OP(MOD, 1, 20), OP(MOD, 7, 20), OP(MOD, 2, 20),
			  OP(POSTPONE, 7, 30), OP(MOD, 3, 30), OP(MOD, 4, 100),
			  OP(MOD, 5, 20), OP(PAUSE, 5, 0), OP(MOD, 6, 700000)),
	[MINUTES] = STATE(0, 5, 58, 30, 0, 130, 5000, false, 0, OP(MOD, 0, 130),
			  OP(MOD, 1, 140), OP(MOD, 7, 135), OP(MOD, 2, 130),
			  OP(POSTPONE, 7, 7000), OP(MOD, 3, 300), OP(MOD, 4, 1),
			  OP(MOD, 6, 3601)),
	[HOURS] = STATE(1, 22, 10, 59, 1, 7300, 90000, false, 0,
			OP(MOD, 0, 7300), OP(MOD, 1, 7400), OP(MOD, 7, 7300),
			OP(MOD, 2, 7300), OP(POSTPONE, 7, 7401),
			OP(MOD, 3, 20000), OP(MOD, 4, 30), OP(MOD, 5, 7300),
			OP(PAUSE, 5, 0), OP(MOD, 6, 86400)),
	[DAYS] = STATE(6, 23, 10, 59, 1, 100000, 1000000, false, 0,
		       OP(MOD, 0, 100000), OP(MOD, 1, 101000),
		       OP(MOD, 7, 100000), OP(MOD, 2, 100000),
		       OP(POSTPONE, 7, 704800), OP(MOD, 3, 604800),
		       OP(MOD, 4, 30), OP(MOD, 6, 2000000)),
	[ALONE] = STATE(3, 4, 5, 6, 0, 50, 60, false, 0, OP(MOD, 0, 50)),
	/* Due on the next tick. */
	[SOON] = STATE(0, 0, 0, 10, 0, 1, 2, false, 0, OP(MOD, 0, 1),
		       OP(MOD, 1, 1), OP(MOD, 7, 1), OP(MOD, 2, 1),
		       OP(POSTPONE, 7, 2), OP(MOD, 3, 2), OP(MOD, 4, 60)),
	/* All hands move on the next tick, and all levels have entries. */
	[MIDNIGHT] = STATE(
		5, 23, 59, 50, 86410, 86411, 86500, false, 0, OP(MOD, 0, 86410),
		OP(MOD, 1, 86410), OP(MOD, 2, 86410), OP(MOD, 7, 90100),
		OP(RUN, 0, 80000), OP(MOD, 3, 86410), OP(MOD, 4, 90010),
		OP(RUN, 0, 86400), OP(MOD, 5, 86410), OP(POSTPONE, 7, 90200),
		OP(MOD, 6, 86411), OP(RUN, 0, 86409)),
	[JUMP] = STATE(6, 20, 30, 40, 61, 12000, 700000, false, 0,
		       OP(MOD, 0, 12000), OP(MOD, 1, 12000), OP(MOD, 7, 59),
		       OP(MOD, 2, 12000), OP(POSTPONE, 7, 11000),
		       OP(MOD, 3, 61), OP(MOD, 4, 90000), OP(MOD, 6, 800000)),
	[QUIET] = STATE(0, 0, 0, 10, 2, 40, 3, false, 0, OP(MOD, 0, 40),
			OP(MOD, 1, 40), OP(MOD, 2, 40)),
	/* A budget has run out within a tick. */
	[LATER] = STATE(0, 0, 0, 10, 1, 2, 60, false, 0, OP(MOD, 5, 1),
			OP(PAUSE, 5, 0), OP(MOD, 0, 1), OP(MOD, 1, 1),
			OP(MOD, 7, 1), OP(MOD, 2, 1), OP(MOD, 3, 2),
			OP(POSTPONE, 7, 2), OP(RUN_BUDGET, 1, 5)),
	/* The same, where the minute has just wrapped. */
	[WRAPPED] = STATE(0, 0, 0, 58, 1, 2, 60, false, 0, OP(MOD, 0, 2),
			  OP(MOD, 1, 2), OP(MOD, 2, 2), OP(MOD, 3, 3),
			  OP(RUN_BUDGET, 1, 5)),
	[TURNING] = STATE(0, 0, 0, 58, 1, 2, 60, false, 3599, OP(MOD, 0, 4000)),
	[WORKING] = STATE(0, 0, 0, 58, 1, 3, 60, true, 0,
			  OP(PERIODIC_START, 0, 2), OP(DELAYED_MOD, 0, 2),
			  OP(TASK_SLEEP, 0, 2), OP(TASK_START, 0, 2),
			  OP(WORK_QUEUE, 0, 0), OP(MOD, 0, 2), OP(MOD, 1, 2)),
	[READY] = STATE(0, 0, 0, 58, 1, 3, 60, true, 0, OP(DELAYED_MOD, 0, 0),
			OP(WORK_QUEUE, 0, 0), OP(TASK_WAKE, 0, 0),
			OP(WORK_QUEUE, 1, 0), OP(MOD, 0, 2)),
	/* Nothing but a task, which an interrupt may stop. */
	[WOKEN] = STATE(0, 0, 0, 58, 1, 3, 60, true, 0, OP(TASK_WAKE, 0, 0)),
	[WAITING] = STATE(0, 0, 0, 58, 1, 3, 60, true, 0, OP(TASK_WAIT, 0, 2),
			  OP(MOD, 0, 2)),
	/* It waits for two flags, of which one is set; for a message. */
	[FLAGGED] = STATE(0, 0, 0, 58, 1, 3, 60, true, 0, OP(FLAGS_SET, 1, 0),
			  OP(FLAGS_WAIT, 4 * 3, 2), OP(QUEUE_SEND, 7, 0)),
	[SENT] = STATE(0, 0, 0, 58, 1, 3, 60, true, 0, OP(QUEUE_SEND, 7, 0),
		       OP(QUEUE_RECEIVE, 0, 0), OP(FLAGS_WAIT, 1, 2),
		       OP(FLAGS_SET, 3, 0), OP(SCHED_RUN, 0, 0),
		       OP(QUEUE_WAIT, 0, 2)),
};

#define ON(state, verb, object, ticks)                                         \
	{                                                                      \
		state, OP(verb, object, ticks)                                 \
	}
#define WITH_ALL(state, ticks)                                                 \
	ON(state, MOD, 0, ticks), ON(state, MOD, 1, ticks),                    \
		ON(state, MOD, 2, ticks), ON(state, REDUCE, 1, ticks),         \
		ON(state, POSTPONE, 1, ticks), ON(state, DEL, 0, 0),           \
		ON(state, DEL, 1, 0), ON(state, DEL, 2, 0),                    \
		ON(state, SHUTDOWN, 1, 0), ON(state, EXPIRES, 1, 0),           \
		ON(state, ADD, 5, ticks), ON(state, NEXT, 0, 0),               \
		ON(state, NEXT_EXPIRY, 0, 0), ON(state, WALK, 0, 0),           \
		ON(state, DRAIN, 0, 0), ON(state, EMPTY, 0, 0),                \
		ON(state, CHECK, 0, 0), ON(state, PENDING, 1, 0)

#define WITH_PAUSED(state, ticks)                                              \
	ON(state, PAUSE, 1, 0), ON(state, PAUSE, 7, 0),                        \
		ON(state, PAUSE, 5, 0), ON(state, RESUME, 1, 0),               \
		ON(state, RESUME, 5, 0), ON(state, LEFT, 5, 0),                \
		ON(state, LEFT, 7, 0), ON(state, MOD_PENDING, 1, ticks),       \
		ON(state, MOD_PENDING, 5, ticks), ON(state, ADD_IN, 5, ticks), \
		ON(state, ADD_IN, 1, ticks), ON(state, MOD_IN, 1, ticks)

const struct call plan_calls[] = ROWS(
	WITH_ALL(SECONDS, 10), ON(SECONDS, MOD, 0, 20),
	ON(SECONDS, REDUCE, 1, 20), ON(SECONDS, POSTPONE, 1, 50),
	ON(SECONDS, POSTPONE, 2, 20), ON(SECONDS, TICK, 0, 0),
	WITH_ALL(MINUTES, 128), WITH_ALL(HOURS, 7500), WITH_ALL(DAYS, 110000),
	WITH_ALL(ALONE, 4000), WITH_ALL(LATER, 10), WITH_PAUSED(SECONDS, 10),
	WITH_PAUSED(HOURS, 7500), WITH_PAUSED(LATER, 10),
	ON(ALONE, PAUSE, 0, 0), ON(ALONE, ADD, 0, 10), ON(SOON, RUN, 0, 0),
	ON(SOON, RUN, 0, 1), ON(SOON, RUN, 0, 3), ON(SOON, RUN_BUDGET, 2, 1),
	ON(MIDNIGHT, RUN, 0, 86410), ON(MIDNIGHT, RUN, 0, 86500),
	ON(MIDNIGHT, RUN, 0, 700000), ON(MIDNIGHT, RUN_BUDGET, 3, 86410),
	ON(MIDNIGHT, RUN_BUDGET, 8, 86500), ON(MIDNIGHT, NEXT, 0, 0),
	ON(MIDNIGHT, NEXT_EXPIRY, 0, 0), ON(MIDNIGHT, DRAIN, 0, 0),
	ON(JUMP, RUN, 0, 60), ON(JUMP, RUN, 0, 12000),
	ON(JUMP, RUN, 0, 1500000), ON(DAYS, RUN, 0, 2100000),
	ON(HOURS, RUN, 0, 8000), ON(QUIET, RUN, 0, 5), ON(QUIET, RUN, 0, 55),
	ON(LATER, RUN, 0, 5), ON(LATER, RUN_BUDGET, 1, 5),
	ON(WRAPPED, NEXT, 0, 0), ON(TURNING, NOW64, 0, 0),
	ON(TURNING, TICK, 0, 0), ON(WORKING, RUN, 0, 1), ON(WORKING, RUN, 0, 2),
	ON(WORKING, RUN, 0, 20), ON(WORKING, PERIODIC_START, 0, 1),
	ON(WORKING, PERIODIC_STOP, 0, 0), ON(WORKING, DELAYED_QUEUE, 0, 1),
	ON(WORKING, DELAYED_MOD, 0, 1), ON(WORKING, DELAYED_MOD, 0, 0),
	ON(WORKING, DELAYED_CANCEL, 0, 0), ON(WORKING, DELAYED_PENDING, 0, 0),
	ON(WORKING, TASK_WAKE, 0, 0), ON(WORKING, TASK_SLEEP, 0, 3),
	ON(WORKING, TASK_WAIT, 0, 3), ON(WORKING, TASK_START, 0, 3),
	ON(WORKING, TASK_STOP, 0, 0), ON(WORKING, EVENT_WAKE, 0, 0),
	ON(WORKING, SCHED_RUN, 0, 0), ON(READY, WORK_QUEUE, 0, 0),
	ON(READY, WORK_CANCEL, 0, 0), ON(READY, WORK_CANCEL, 1, 0),
	ON(READY, WORK_RUN, 0, 0), ON(READY, DELAYED_CANCEL, 0, 0),
	ON(READY, DELAYED_QUEUE, 0, 2), ON(READY, DELAYED_MOD, 0, 2),
	ON(READY, TASK_WAKE, 0, 0), ON(READY, TASK_STOP, 0, 0),
	ON(READY, TASK_SLEEP, 0, 3), ON(READY, TASK_PENDING, 0, 0),
	ON(READY, SCHED_RUN, 0, 0), ON(WOKEN, SCHED_RUN, 0, 0),
	ON(WAITING, EVENT_WAKE, 0, 0), ON(WAITING, TASK_WAIT, 0, 1),
	ON(WAITING, TASK_STOP, 0, 0), ON(WAITING, TASK_WAKE, 0, 0),
	ON(WAITING, WORK_QUEUE, 0, 0), ON(WAITING, WORK_RUN, 0, 0),
	ON(WAITING, SCHED_RUN, 0, 0), ON(WAITING, RUN, 0, 2),
	ON(FLAGGED, FLAGS_SET, 2, 0), ON(FLAGGED, FLAGS_SET, 4, 0),
	ON(FLAGGED, FLAGS_CLEAR, 1, 0), ON(FLAGGED, FLAGS_WAIT, 1, 1),
	ON(FLAGGED, FLAGS_WAIT, 4, 3), ON(FLAGGED, FLAGS_TAKE, 0, 0),
	ON(FLAGGED, QUEUE_SEND, 9, 0), ON(FLAGGED, QUEUE_RECEIVE, 0, 0),
	ON(FLAGGED, QUEUE_WAIT, 0, 3), ON(FLAGGED, TASK_STOP, 0, 0),
	ON(FLAGGED, RUN, 0, 2), ON(SENT, QUEUE_SEND, 9, 0),
	ON(SENT, QUEUE_RECEIVE, 0, 0), ON(SENT, QUEUE_WAIT, 0, 1),
	ON(SENT, FLAGS_WAIT, 3, 2), ON(SENT, FLAGS_TAKE, 0, 0),
	ON(SENT, SCHED_RUN, 0, 0), ON(SENT, RUN, 0, 2));

const unsigned plan_calls_count = sizeof(plan_calls) / sizeof(*plan_calls);

static const struct op on_wheel[] = { OP(TICK, 0, 0), OP(NOW64, 0, 0),
				      OP(RUN, 0, 0), OP(RUN_BUDGET, 0, 0),
				      OP(RUN_BUDGET, 2, 0) };

#define ON_WHEEL (sizeof(on_wheel) / sizeof(*on_wheel))

static const struct op on_works[] = {
	OP(PERIODIC_START, 0, 1),  OP(PERIODIC_STOP, 0, 0),
	OP(WORK_QUEUE, 0, 0),	   OP(WORK_QUEUE, 1, 0),
	OP(WORK_CANCEL, 0, 0),	   OP(WORK_CANCEL, 1, 0),
	OP(DELAYED_QUEUE, 0, 1),   OP(DELAYED_QUEUE, 0, 0),
	OP(DELAYED_MOD, 0, 5),	   OP(DELAYED_CANCEL, 0, 0),
	OP(DELAYED_PENDING, 0, 0), OP(TASK_WAKE, 0, 0),
	OP(TASK_SLEEP, 0, 4),	   OP(TASK_WAIT, 0, 4),
	OP(TASK_START, 0, 4),	   OP(TASK_STOP, 0, 0),
	OP(TASK_PENDING, 0, 0),	   OP(EVENT_WAKE, 0, 0),
	OP(FLAGS_SET, 2, 0),	   OP(FLAGS_CLEAR, 3, 0),
	OP(FLAGS_WAIT, 4, 4),	   OP(FLAGS_TAKE, 0, 0),
	OP(QUEUE_SEND, 8, 0),	   OP(QUEUE_RECEIVE, 0, 0),
	OP(QUEUE_WAIT, 0, 4)
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
