/* SPDX-License-Identifier: MIT */
/*
 * test/model/oracle.c - what a wheel has to do, told by a sorted array
 */
#include "oracle.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NONE SIZE_MAX

void oracle_init(struct oracle *oracle, uint64_t clock)
{
	memset(oracle, 0, sizeof(*oracle));
	oracle->clock = clock;
}

static size_t find(const struct oracle *oracle, unsigned timer)
{
	for (size_t i = 0; i < oracle->count; i++)
		if (oracle->rows[i].timer == timer)
			return i;
	return NONE;
}

static void remove_row(struct oracle *oracle, size_t i)
{
	oracle->count--;
	memmove(&oracle->rows[i], &oracle->rows[i + 1],
		(oracle->count - i) * sizeof(oracle->rows[0]));
}

static void insert_row(struct oracle *oracle, struct oracle_row row)
{
	size_t i = oracle->count;

	while (i > 0 && oracle->rows[i - 1].expires > row.expires) {
		oracle->rows[i] = oracle->rows[i - 1];
		i--;
	}
	oracle->rows[i] = row;
	oracle->count++;
}

static uint64_t next_tick_at_least(const struct oracle *oracle,
				   uint64_t expires)
{
	return expires > oracle->clock ? expires : oracle->clock + 1;
}

bool oracle_pending(const struct oracle *oracle, unsigned timer)
{
	return find(oracle, timer) != NONE;
}

uint64_t oracle_expires(const struct oracle *oracle, unsigned timer)
{
	return oracle->rows[find(oracle, timer)].expires;
}

bool oracle_take(struct oracle *oracle, unsigned timer, struct oracle_row *row)
{
	size_t i = find(oracle, timer);

	if (i == NONE)
		return false;
	*row = oracle->rows[i];
	remove_row(oracle, i);
	return true;
}

bool oracle_del(struct oracle *oracle, unsigned timer)
{
	struct oracle_row row;

	return oracle_take(oracle, timer, &row);
}

const struct oracle_row *oracle_first(const struct oracle *oracle)
{
	return oracle->count ? &oracle->rows[0] : NULL;
}

bool oracle_mod(struct oracle *oracle, unsigned timer, uint64_t expires)
{
	bool pending = oracle_del(oracle, timer);

	insert_row(oracle,
		   (struct oracle_row){
			   .expires = next_tick_at_least(oracle, expires),
			   .since = oracle->clock,
			   .arming = ++oracle->armings,
			   .timer = timer,
		   });
	return pending;
}

bool oracle_reduce(struct oracle *oracle, unsigned timer, uint64_t expires)
{
	size_t i = find(oracle, timer);

	if (i != NONE &&
	    oracle->rows[i].expires <= next_tick_at_least(oracle, expires))
		return true;
	return oracle_mod(oracle, timer, expires);
}

bool oracle_postpone(struct oracle *oracle, unsigned timer, uint64_t expires)
{
	size_t i = find(oracle, timer);
	struct oracle_row row;

	expires = next_tick_at_least(oracle, expires);
	if (i == NONE || oracle->rows[i].expires > expires)
		return oracle_mod(oracle, timer, expires);
	if (oracle->rows[i].expires == expires)
		return true;
	oracle_take(oracle, timer, &row);
	row.expires = expires;
	row.loose = true;
	insert_row(oracle, row);
	return true;
}

/* W5, W6 */
bool oracle_fire(struct oracle *oracle, unsigned timer, uint64_t tick)
{
	size_t i = find(oracle, timer);
	size_t first = 0;

	if (i == NONE) {
		snprintf(oracle->why, sizeof(oracle->why),
			 "timer %u ran at %" PRIu64 " but is not pending",
			 timer, tick);
		return false;
	}
	if (oracle->rows[i].expires != tick) {
		snprintf(oracle->why, sizeof(oracle->why),
			 "timer %u ran at %" PRIu64 " instead of %" PRIu64,
			 timer, tick, oracle->rows[i].expires);
		return false;
	}
	while (first < i && oracle->rows[first].loose)
		first++;
	if (first != i && !oracle->rows[i].loose) {
		snprintf(oracle->why, sizeof(oracle->why),
			 "timer %u ran at %" PRIu64 " before timer %u", timer,
			 tick, oracle->rows[first].timer);
		return false;
	}
	oracle->clock = tick;
	remove_row(oracle, i);
	return true;
}

void oracle_periodic_start(struct oracle *oracle, unsigned timer,
			   struct oracle_periodic *p, uint64_t first,
			   uint64_t period, uint64_t count)
{
	p->expires = next_tick_at_least(oracle, oracle->clock + first);
	p->period = period;
	p->left = count;
	p->missed = 0;
	p->running = true;
	oracle_mod(oracle, timer, p->expires);
}

void oracle_periodic_stop(struct oracle *oracle, unsigned timer,
			  struct oracle_periodic *p)
{
	p->running = false;
	p->left = 0;
	oracle_del(oracle, timer);
}

void oracle_periodic_call(struct oracle *oracle, unsigned timer,
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
		oracle_periodic_stop(oracle, timer, p);
	else
		oracle_mod(oracle, timer, next);
}

/* W6 */
bool oracle_ran(struct oracle *oracle, uint64_t tick)
{
	oracle->clock = tick;
	if (oracle->count && oracle->rows[0].expires <= tick) {
		snprintf(oracle->why, sizeof(oracle->why),
			 "timer %u should have run at %" PRIu64
			 " and has not by %" PRIu64,
			 oracle->rows[0].timer, oracle->rows[0].expires, tick);
		return false;
	}
	return true;
}
