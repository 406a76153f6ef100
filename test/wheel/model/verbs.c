/* SPDX-License-Identifier: MIT */
/* What comes of the calls for a timer */
#include "verbs.h"

#define VERB_ALONE  false, false
#define VERB_EXPIRY true, false
#define VERB_DELAY  false, true
#define VERB_ROW(number, name, takes, call, want)                              \
	[number] = { #name, VERB_##takes },
const struct verb timer_verbs[TIMER_VERBS] = { EACH_VERB(VERB_ROW) };

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

/* The expiry, or 0: out of reach. */
static uint64_t expiry_in(const struct oracle *oracle, uint64_t delay,
			  uint64_t now)
{
	uint64_t expires = now + delay + 1;

	if (delay >= JIF_DELAY_MAX ||
	    (int64_t)(expires - oracle->clock) > JIF_DELAY_MAX)
		return 0;
	return expires;
}

static int add_in(struct oracle *oracle, unsigned i, uint64_t delay,
		  uint64_t now)
{
	uint64_t expires = expiry_in(oracle, delay, now);

	return expires ? add(oracle, i, expires) : -JIF_ERANGE;
}

static int mod_in(struct oracle *oracle, unsigned i, uint64_t delay,
		  uint64_t now)
{
	uint64_t expires = expiry_in(oracle, delay, now);

	if (!expires)
		return -JIF_ERANGE;
	return refused(oracle, i, oracle_mod(oracle, i, expires));
}

static int resume(struct oracle *oracle, unsigned i)
{
	if (!oracle->timer[i].paused)
		return -JIF_EINVAL;
	return oracle_mod(oracle, i, oracle->clock + oracle_left(oracle, i));
}

static uint32_t forget(struct oracle *oracle, unsigned i)
{
	oracle->timer[i] = (struct oracle_timer){ .shut = false };
	return 0;
}

#define VERB_WANT(number, name, takes, call, want)                             \
	case number:                                                           \
		return (uint32_t)(want);
uint32_t verb_expect(struct oracle *oracle, unsigned verb, unsigned i,
		     uint64_t when, uint64_t now)
{
	switch (verb) {
		EACH_VERB(VERB_WANT)
	default:
		return 0;
	}
}
