/* SPDX-License-Identifier: MIT */
/* What comes of the calls for a timer */
#include "verbs.h"

const struct verb timer_verbs[TIMER_VERBS] = {
	[NOTHING] = { "nothing", false, false },
	[ADD] = { "add", true, false },
	[MOD] = { "mod", true, false },
	[REDUCE] = { "reduce", true, false },
	[POSTPONE] = { "postpone", true, false },
	[MOD_PENDING] = { "mod_pending", true, false },
	[ADD_IN] = { "add_in", false, true },
	[MOD_IN] = { "mod_in", false, true },
	[RESUME] = { "resume", false, false },
	[DEL] = { "del", false, false },
	[PAUSE] = { "pause", false, false },
	[SHUTDOWN] = { "shutdown", false, false },
	[INIT] = { "init", false, false },
	[PENDING] = { "pending", false, false },
	[EXPIRES] = { "expires", false, false },
	[LEFT] = { "left", false, false },
};

/* What a call that arms returns: @ret, unless the timer cannot be armed. */
static int refused(const struct oracle *oracle, unsigned i, int ret)
{
	return oracle->timer[i].shut ? -JIF_EINVAL : ret;
}

static int add(struct oracle *oracle, unsigned i, uint64_t expires)
{
	if (oracle->timer[i].pending)
		return -JIF_EBUSY;
	return refused(oracle, i, oracle_mod(oracle, i, expires));
}

static int arm_in(struct oracle *oracle, unsigned verb, unsigned i,
		  uint64_t delay, uint64_t now)
{
	uint64_t expires = now + delay + 1;

	if (delay >= JIF_DELAY_MAX ||
	    (int64_t)(expires - oracle->clock) > JIF_DELAY_MAX)
		return -JIF_ERANGE;
	if (verb == ADD_IN)
		return add(oracle, i, expires);
	return refused(oracle, i, oracle_mod(oracle, i, expires));
}

static int resume(struct oracle *oracle, unsigned i)
{
	if (!oracle->timer[i].paused)
		return -JIF_EINVAL;
	return oracle_mod(oracle, i, oracle->clock + oracle_left(oracle, i));
}

static int arm_at(struct oracle *oracle, unsigned verb, unsigned i,
		  uint64_t when, uint64_t now)
{
	switch (verb) {
	case ADD:
		return add(oracle, i, when);
	case MOD:
		return refused(oracle, i, oracle_mod(oracle, i, when));
	case REDUCE:
		return refused(oracle, i, oracle_reduce(oracle, i, when));
	case POSTPONE:
		return refused(oracle, i, oracle_postpone(oracle, i, when));
	case MOD_PENDING:
		return oracle->timer[i].pending && oracle_mod(oracle, i, when);
	case RESUME:
		return resume(oracle, i);
	default:
		return arm_in(oracle, verb, i, when, now);
	}
}

uint32_t verb_expect(struct oracle *oracle, unsigned verb, unsigned i,
		     uint64_t when, uint64_t now)
{
	switch (verb) {
	case NOTHING:
		return 0;
	case DEL:
		return oracle_del(oracle, i);
	case PAUSE:
		return oracle_pause(oracle, i);
	case SHUTDOWN:
		return oracle_shut(oracle, i);
	case INIT:
		oracle->timer[i] = (struct oracle_timer){ .shut = false };
		return 0;
	case PENDING:
		return oracle->timer[i].pending;
	case EXPIRES:
		return (uint32_t)oracle_expires(oracle, i);
	case LEFT:
		return (uint32_t)oracle_left(oracle, i);
	default:
		return (uint32_t)arm_at(oracle, verb, i, when, now);
	}
}
