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

static void tell_oracle(struct doing *doing, struct oracle *oracle)
{
	doing->want = verb_expect(oracle, doing->verb, doing->i, doing->when,
				  doing->now);
	doing->verb = NOTHING;
	doing->idle = EFFECT;
}

/* Will it have its effect after a window? */
static bool looks_first(const struct doing *doing, const struct oracle *oracle)
{
	const struct oracle_timer *it = &oracle->timer[doing->i];

	switch (doing->verb) {
	case ADD_IN:
	case MOD_IN:
		return expiry_in(oracle, doing->when, doing->now);
	case RESUME:
		return it->paused;
	case PAUSE:
		return it->pending;
	case REDUCE:
	case POSTPONE:
		return !it->pending || (doing->when < it->expires &&
					it->expires > oracle->clock + 1);
	default:
		return false;
	}
}

/* What it returns if, right now, it has nothing to do; or EFFECT. */
static int32_t without_effect(const struct doing *doing,
			      const struct oracle *oracle)
{
	const struct oracle_timer *it = &oracle->timer[doing->i];
	bool idle = !looks_first(doing, oracle);

	switch (doing->verb) {
	case RESUME:
		return idle ? -JIF_EINVAL : EFFECT;
	case PAUSE:
		return idle ? 0 : EFFECT;
	case REDUCE:
	case POSTPONE:
		if (it->shut)
			return -JIF_EINVAL;
		return idle ? 1 : EFFECT;
	default:
		return EFFECT;
	}
}

void doing_begin(struct doing *doing, struct oracle *oracle, bool alone)
{
	bool takes_delay = timer_verbs[doing->verb].takes_delay;

	doing->idle = EFFECT;
	doing->windows = 0;
	if (alone || !looks_first(doing, oracle)) {
		tell_oracle(doing, oracle);
	} else if (takes_delay) {
		doing->when = expiry_in(oracle, doing->when, doing->now);
		doing->verb = doing->verb == ADD_IN ? ADD : MOD;
	}
}

static bool shows_effect(const struct doing *doing, const struct oracle *oracle,
			 const struct jif_wheel *wheel,
			 const struct jif_timer *timer)
{
	const struct oracle_timer *it = &oracle->timer[doing->i];

	if (doing->verb == ADD || doing->verb == MOD)
		return doing->windows == 2;
	return jif_timer_pending(timer) != it->pending ||
	       (it->pending &&
		jif_timer_expires(wheel, timer) != (uint32_t)it->expires);
}

void doing_look(struct doing *doing, struct oracle *oracle,
		const struct jif_wheel *wheel, const struct jif_timer *timer)
{
	if (doing->verb == NOTHING)
		return;
	doing->windows++;
	if (shows_effect(doing, oracle, wheel, timer))
		tell_oracle(doing, oracle);
	else
		doing->idle = without_effect(doing, oracle);
}

uint32_t doing_end(struct doing *doing, struct oracle *oracle, uint32_t got)
{
	if (doing->idle != EFFECT && doing->idle == (int32_t)got)
		doing->want = got;
	else if (doing->verb != NOTHING)
		tell_oracle(doing, oracle);
	doing->verb = NOTHING;
	return doing->want;
}
