/* SPDX-License-Identifier: MIT */
/*
 * test/model/explore/plan.c - what may be done, and with which delays
 *
 * As time passes, all delays that are shorter than the longest one come up,
 * together with all slots in which a timer may wait with them. So the longest
 * delays decide how many states there are.
 */
#include "explore.h"

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
#define TO_FORTNIGHT                                                           \
	LIST(-3, 0, 1, 2, 3, 4, 5, 8, 9, 10, 17, 18, 19, 35, 36, 37, 54, 55,   \
	     72, 73)
#define TO_WEEK LIST(-3, 0, 1, 2, 3, 4, 5, 8, 9, 10, 17, 18, 19, 35, 36, 37)
#define TO_DAY	LIST(1, 2, 3, 4, 8, 9, 10, 17, 18, 19)
#define TO_HOUR LIST(1, 2, 3, 4, 9, 10)

static const struct {
	const char *name;
	unsigned timers;
	struct role role[TIMERS_MAX];
} plans[] = {
	{ "one",
	  1,
	  { { TO_FORTNIGHT, LIST(2, 4, 10, 19, 37, 73), LIST(1, 3, 18, 36, 37),
	      LIST(4, 37) } } },
	{ "far",
	  2,
	  { { TO_WEEK, NONE, LIST(1, 3, 36), NONE },
	    { TO_DAY, NONE, LIST(1, 4, 18), NONE } } },
	{ "postponed",
	  2,
	  { { TO_HOUR, LIST(19), LIST(1, 9), LIST(19) },
	    { TO_HOUR, NONE, LIST(1, 9), NONE } } },
	{ "three",
	  3,
	  { { LIST(1, 3, 10, 19, 36), LIST(4), LIST(1, 36), NONE },
	    { LIST(1, 4, 9, 18), NONE, LIST(3), NONE },
	    { LIST(1, 3, 9), NONE, LIST(1), NONE } } },
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
	put_delays(&plan.main, REDUCE, i, LIST(0, 1, 4, 10));
	put_delays(&plan.main, POSTPONE, i, LIST(0));
	put_delays(&plan.main, POSTPONE, i, role->postpone);
	put_delays(&plan.main, DEL, i, LIST(0));
	put_delays(&plan.main, SHUTDOWN, i, LIST(0));
	put_delays(&plan.main, INIT, i, LIST(0));
	put_delays(&plan.act, MOD, i, role->act);
	put_delays(&plan.act, REDUCE, i, LIST(0));
	put_delays(&plan.act, POSTPONE, i, role->act_postpone);
	put_delays(&plan.act, DEL, i, LIST(0));
}

/* Two interrupts in a call with many windows would be too many choices. */
static void put_runs(uint8_t k, uint8_t few)
{
	put_delays(&plan.main, RUN, 0, LIST(-3, 0, 2, 3, 7, 18, 36, 40));
	put(&plan.main, (struct move){ RUN, 0, 0, 0, 0, false, FAR });
	put(&plan.main, (struct move){ RUN, 0, 0, 0, k, false, 1 });
	put(&plan.main, (struct move){ RUN, 0, 0, 2, 0, false, 1 });
	put(&plan.main, (struct move){ RUN, 0, 0, 1, k, true, 1 });
	put(&plan.main, (struct move){ RUN, 0, 0, 0, few, true, 37 });
	for (uint8_t max = 0; max < 2; max++) {
		put(&plan.main,
		    (struct move){ RUN_BUDGET, 0, max, 0, 0, false, 1 });
		put(&plan.main,
		    (struct move){ RUN_BUDGET, 0, max, 0, 0, false, 40 });
	}
	put(&plan.main, (struct move){ RUN_BUDGET, 0, 1, 1, k, true, 1 });
	put(&plan.main, (struct move){ RUN_BUDGET, 0, 1, 0, few, true, 40 });
}

bool plan_make(unsigned number, unsigned injections)
{
	uint8_t k = (uint8_t)injections;
	uint8_t few = k > 0;

	if (number >= sizeof(plans) / sizeof(plans[0]))
		return false;
	plan.name = plans[number].name;
	plan.timers = plans[number].timers;
	plan.main.count = 0;
	plan.act.count = 0;
	for (unsigned i = 0; i < plan.timers; i++)
		put_timer(i, &plans[number].role[i]);
	put_runs(k, few);
	put(&plan.main, (struct move){ DRAIN, 0, 0, 0, 0, false, 0 });
	put(&plan.main, (struct move){ DRAIN, 0, 0, 0, few, true, 0 });
	put(&plan.main, (struct move){ DRAIN, 0, 0, 1, 0, true, 0 });
	put(&plan.main, (struct move){ WALK, 0, 0, 0, k, true, 0 });
	put(&plan.main, (struct move){ NEXT_EXPIRY, 0, 0, 0, k, true, 0 });
	put(&plan.act, (struct move){ DRAIN, 0, 0, 0, 0, false, 0 });
	return true;
}
