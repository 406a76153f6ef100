/* SPDX-License-Identifier: MIT */
/* What timers have to do, told by an array */
#include "oracle.h"

void oracle_init(struct oracle *oracle, uint64_t clock)
{
	*oracle = (struct oracle){ .clock = clock };
}

/* Idle, but for what shut it down. */
static bool clear(struct oracle_timer *timer)
{
	bool was = timer->pending;

	*timer = (struct oracle_timer){ .shut = timer->shut };
	return was;
}

static uint64_t next_tick_at_least(const struct oracle *oracle,
				   uint64_t expires)
{
	return expires > oracle->clock ? expires : oracle->clock + 1;
}

/* Last of its tick. */
bool oracle_mod(struct oracle *oracle, unsigned i, uint64_t expires)
{
	struct oracle_timer *timer = &oracle->timer[i];
	bool was = clear(timer);

	if (timer->shut)
		return was;
	timer->pending = true;
	timer->expires = next_tick_at_least(oracle, expires);
	timer->since = oracle->clock;
	timer->arming = ++oracle->armings;
	return was;
}

bool oracle_reduce(struct oracle *oracle, unsigned i, uint64_t expires)
{
	const struct oracle_timer *timer = &oracle->timer[i];

	if (timer->pending &&
	    timer->expires <= next_tick_at_least(oracle, expires))
		return true;
	return oracle_mod(oracle, i, expires);
}

bool oracle_postpone(struct oracle *oracle, unsigned i, uint64_t expires)
{
	struct oracle_timer *timer = &oracle->timer[i];

	expires = next_tick_at_least(oracle, expires);
	if (!timer->pending || expires < timer->expires)
		return oracle_mod(oracle, i, expires);
	if (expires > timer->expires) {
		timer->expires = expires;
		timer->loose = true;
	}
	return true;
}

/* One that is paused is no longer. */
bool oracle_del(struct oracle *oracle, unsigned i)
{
	return clear(&oracle->timer[i]);
}

bool oracle_pause(struct oracle *oracle, unsigned i)
{
	uint64_t left = oracle_left(oracle, i);

	if (!oracle->timer[i].pending)
		return false;
	clear(&oracle->timer[i]);
	oracle->timer[i].paused = true;
	oracle->timer[i].expires = left;
	return true;
}

bool oracle_shut(struct oracle *oracle, unsigned i)
{
	oracle->timer[i].shut = true;
	return clear(&oracle->timer[i]);
}

uint64_t oracle_expires(const struct oracle *oracle, unsigned i)
{
	const struct oracle_timer *timer = &oracle->timer[i];

	return timer->pending ? timer->expires : oracle->clock;
}

uint64_t oracle_left(const struct oracle *oracle, unsigned i)
{
	const struct oracle_timer *timer = &oracle->timer[i];

	return timer->paused ? timer->expires :
			       oracle_expires(oracle, i) - oracle->clock;
}

bool oracle_before(const struct oracle *oracle, unsigned i, unsigned j)
{
	const struct oracle_timer *a = &oracle->timer[i];
	const struct oracle_timer *b = &oracle->timer[j];

	if (a->expires != b->expires)
		return a->expires < b->expires;
	return !a->loose && !b->loose && a->arming < b->arming;
}

unsigned oracle_first(const struct oracle *oracle)
{
	unsigned first = ORACLE_NONE;

	for (unsigned i = 0; i < ORACLE_MAX; i++)
		if (oracle->timer[i].pending &&
		    (first == ORACLE_NONE || oracle_before(oracle, i, first)))
			first = i;
	return first;
}

void oracle_periodic_start(struct oracle *oracle, unsigned i,
			   struct oracle_periodic *p, uint64_t first,
			   uint64_t period, uint64_t count)
{
	p->expires = next_tick_at_least(oracle, oracle->clock + first);
	p->period = period;
	p->left = count;
	p->missed = 0;
	p->running = true;
	oracle_mod(oracle, i, p->expires);
}

bool oracle_periodic_stop(struct oracle *oracle, unsigned i,
			  struct oracle_periodic *p)
{
	bool was = p->running;

	p->running = false;
	p->left = 0;
	oracle_del(oracle, i);
	return was;
}

void oracle_periodic_call(struct oracle *oracle, unsigned i,
			  struct oracle_periodic *p, uint64_t target)
{
	uint64_t next = p->expires + p->period;

	p->missed = 0;
	if (p->policy != ORACLE_EACH && next <= target) {
		p->missed = (target - next) / p->period + 1;
		next += p->missed * p->period;
		if (p->policy == ORACLE_RESTART)
			next = target + p->period;
	}
	p->expires = next;
	if (p->left != UINT64_MAX && --p->left == 0)
		oracle_periodic_stop(oracle, i, p);
	else
		oracle_mod(oracle, i, next);
}
