/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/explore/plan.c - what may be done, and with which delays
 *
 * As time passes, all delays that are shorter than the longest one come up,
 * together with all slots in which a timer may wait with them. So the longest
 * delays decide how many states there are.
 */
#include "wheel.h"

#define END	  INT8_MIN
#define LIST(...) ((const int8_t[]){ __VA_ARGS__, END })
#define NONE	  ((const int8_t[]){ END })

struct plan plan;

/**
 * struct role - which delays a timer has
 * @arm:	from the main loop
 * @postpone:	from the main loop, to later
 * @act:	from callbacks and interrupts
 * @act_postpone: from there, to later
 */
struct role {
	const int8_t *arm;
	const int8_t *postpone;
	const int8_t *act;
	const int8_t *act_postpone;
};

/* A level begins at 3, 9 and 18; the ring of the days has 36 ticks. */
#define TO_WEEK LIST(-3, 0, 1, 2, 3, 4, 8, 9, 10, 17, 18, 19, 35, 36, 37)

#define PART(timers, pauses, shuts, few, many, ...)                            \
	{                                                                      \
		timers, pauses, shuts, few, many,                              \
		{                                                              \
			__VA_ARGS__                                            \
		}                                                              \
	}
#define ROLE(arm, postpone, act, act_postpone)                                 \
	{                                                                      \
		arm, postpone, act, act_postpone                               \
	}

/**
 * struct part - what takes part
 * @timers:	how many
 * @pauses:	they are paused, too, and armed from jiffies on
 * @shuts:	they are shut down, too, and initialised again
 * @few:	interrupts in a run of a few ticks
 * @many:	interrupts in a run over more than a week
 * @role:	of each timer
 */
static const struct part {
	unsigned timers;
	bool pauses;
	bool shuts;
	uint8_t few;
	uint8_t many;
	struct role role[ORACLE_MAX];
} parts[] = {
	PART(1, false, true, 1, 1,
	     ROLE(TO_WEEK, LIST(2, 4, 10, 19, 73), LIST(1, 18, 36), LIST(37))),
	PART(2, false, false, 1, 1, ROLE(TO_WEEK, NONE, LIST(1, 36), NONE),
	     ROLE(LIST(1, 4), NONE, LIST(1), NONE)),
	PART(2, false, false, 1, 1,
	     ROLE(LIST(1, 3, 9), LIST(10), LIST(9), LIST(10)),
	     ROLE(LIST(1, 2), NONE, LIST(1), NONE)),
	PART(2, true, false, 1, 1, ROLE(LIST(1, 3), NONE, LIST(1), NONE),
	     ROLE(LIST(1, 2), NONE, LIST(1), NONE)),
	PART(2, false, true, 2, 1, ROLE(LIST(1, 3), NONE, LIST(1, 3), NONE),
	     ROLE(LIST(1, 3), NONE, LIST(3), NONE)),
	PART(3, false, false, 1, 0, ROLE(LIST(1, 4), NONE, LIST(4), NONE),
	     ROLE(LIST(1, 3), NONE, LIST(3), NONE),
	     ROLE(LIST(1), NONE, LIST(1), NONE)),
	PART(4, false, false, 1, 0, ROLE(LIST(1, 3, 9), NONE, LIST(9), NONE),
	     ROLE(LIST(1, 3), NONE, LIST(3), NONE),
	     ROLE(LIST(1), NONE, LIST(1), NONE),
	     ROLE(LIST(1), NONE, LIST(1), NONE)),
};

static void put(struct moves *moves, struct move move)
{
	moves->row[moves->count++] = move;
}

static void put_delays(struct moves *moves, unsigned verb, unsigned i,
		       const int8_t *ticks)
{
	for (; *ticks != END; ticks++)
		put(moves, (struct move){ .verb = (uint8_t)verb,
					  .timer = (uint8_t)i,
					  .ticks = *ticks });
}

static void put_timer(unsigned i, const struct role *role)
{
	put_delays(&plan.main, ADD, i, role->arm);
	put_delays(&plan.main, MOD, i, role->arm);
	put_delays(&plan.main, REDUCE, i, role->arm);
	put_delays(&plan.main, POSTPONE, i, LIST(0));
	put_delays(&plan.main, POSTPONE, i, role->postpone);
	put_delays(&plan.main, DEL, i, LIST(0));
	put_delays(&plan.act, MOD, i, role->act);
	put_delays(&plan.act, POSTPONE, i, role->act_postpone);
	put_delays(&plan.act, DEL, i, LIST(0));
}

static void put_pauses(unsigned i, const struct role *role)
{
	put_delays(&plan.main, ADD_IN, i, LIST(0));
	put_delays(&plan.main, MOD_IN, i, LIST(0));
	put_delays(&plan.main, MOD_PENDING, i, role->arm);
	put_delays(&plan.main, PAUSE, i, LIST(0));
	put_delays(&plan.main, RESUME, i, LIST(0));
	put_delays(&plan.act, PAUSE, i, LIST(0));
	put_delays(&plan.act, RESUME, i, LIST(0));
}

static void put_shuts(unsigned i)
{
	put_delays(&plan.main, SHUTDOWN, i, LIST(0));
	put_delays(&plan.main, INIT, i, LIST(0));
}

/*
 * In a call with many windows, two interrupts that do something would be too
 * many choices.
 */
static void put_runs(uint8_t k, uint8_t few, uint8_t many)
{
	uint8_t one = k > 0;

	put_delays(&plan.main, RUN, 0, LIST(-3, 0, 2, 3, 7, 18, 36));
	put(&plan.main, (struct move){ RUN, 0, 0, 0, 0, FAR });
	put(&plan.main, (struct move){ RUN, 0, 0, 0, k, 1 });
	put(&plan.main, (struct move){ RUN, 0, 0, 2, 0, 1 });
	put(&plan.main, (struct move){ RUN, 0, 0, 1, one, 1 });
	put(&plan.main, (struct move){ RUN, 0, 0, 0, few, 4 });
	put(&plan.main, (struct move){ RUN, 0, 0, 0, many, 40 });
	for (uint8_t max = 0; max < 2; max++) {
		put(&plan.main, (struct move){ RUN_BUDGET, 0, max, 0, one, 1 });
		put(&plan.main,
		    (struct move){ RUN_BUDGET, 0, max, 0, many, 40 });
	}
	put(&plan.main, (struct move){ RUN_BUDGET, 0, 1, 1, one, 1 });
}

void plan_make(unsigned number, unsigned injections)
{
	const struct part *part = &parts[number];
	uint8_t k = (uint8_t)injections;

	plan.timers = part->timers;
	plan.main.count = 0;
	plan.act.count = 0;
	for (unsigned i = 0; i < plan.timers; i++) {
		put_timer(i, &part->role[i]);
		if (part->pauses)
			put_pauses(i, &part->role[i]);
		if (part->shuts)
			put_shuts(i);
	}
	for (unsigned i = 0; i < plan.timers && k < 2; i++) {
		put_delays(&plan.act, REDUCE, i, LIST(0));
		if (part->shuts)
			put_delays(&plan.act, SHUTDOWN, i, LIST(0));
	}
	put_runs(k, k < part->few ? k : part->few,
		 k < part->many ? k : part->many);
	put(&plan.main, (struct move){ DRAIN, 0, 0, 0, k, 0 });
	put(&plan.main, (struct move){ DRAIN, 0, 0, 1, 0, 0 });
	put(&plan.main, (struct move){ WALK, 0, 0, 0, k, 0 });
	put(&plan.main, (struct move){ NEXT_EXPIRY, 0, 0, 0, k, 0 });
	put(&plan.main, (struct move){ SLEEP, 0, 0, 0, k, 0 });
	put(&plan.main, (struct move){ SLEEP, 0, 0, 0, 0, AHEAD });
	put(&plan.act, (struct move){ DRAIN, 0, 0, 0, 0, 0 });
}
