/* SPDX-License-Identifier: MIT */
/* Does a row do what it is measured for? */
#include "harness.h"

#include <stdlib.h>

#include "../../../test/wheel/model/oracle.h"

#define STEPS 100000

static const char *wrong;
static uint64_t late, latest, inverted;
static struct oracle oracle;
static struct oracle_timer newest; /* of those that expired in this tick */

static int compare(const void *a, const void *b)
{
	uintptr_t x = (uintptr_t) * (void *const *)a;
	uintptr_t y = (uintptr_t) * (void *const *)b;

	return x < y ? -1 : x > y;
}

/* Many of them on the same tick, some at any distance. */
static uint32_t draw_expiry(void)
{
	static const uint32_t most[] = { 5, 60, 3600, 86400, WEEK - 1 };
	uint32_t expires =
		bench_now + 1 + draw(most[draw(sizeof(most) / sizeof(*most))]);

	return draw(2) ? expires : expires / 64 * 64 + 64;
}

static void arm(size_t timer, bool idle)
{
	uint32_t expires = draw_expiry();

	if (oracle.timer[timer].pending &&
	    oracle.timer[timer].expires == expires)
		expires++; /* a coarse row does not place it anew */
	if (bench_ops.postpone && !idle && draw(2)) {
		oracle_postpone(&oracle, (unsigned)timer, expires);
		bench_ops.postpone(timers[timer], expires);
		return;
	}
	oracle_mod(&oracle, (unsigned)timer, expires);
	(idle ? bench_ops.arm : bench_ops.rearm)(timers[timer], expires);
}

static void check_time(uint64_t expires)
{
	if (expires > bench_now)
		wrong = "a timer expired early";
	late += bench_now - expires;
	if (bench_now - expires > latest)
		latest = bench_now - expires;
}

static void expire(void *timer)
{
	void **found =
		bsearch(&timer, timers, timers_count, sizeof(*timers), compare);
	struct oracle_timer it;

	expired++;
	if (!found) {
		wrong = "something expired that is no timer";
		return;
	}
	it = oracle.timer[found - timers];
	if (!oracle_del(&oracle, (unsigned)(found - timers))) {
		wrong = "a timer expired that was not armed";
		return;
	}
	check_time(it.expires);
	if (!it.loose && newest.expires == it.expires &&
	    newest.arming > it.arming)
		inverted++;
	else if (!it.loose)
		newest = it;
	if (!draw(4))
		arm((size_t)(found - timers), true);
}

/* It is late by more than any coarse row has to be. */
static bool is_lost(unsigned i)
{
	const struct oracle_timer *it = &oracle.timer[i];

	return i != ORACLE_NONE &&
	       bench_now > it->expires + MINUTE + (it->expires - it->since) / 4;
}

static void run(uint32_t ticks)
{
	while (ticks-- && !wrong) {
		oracle.clock = bench_now + 1;
		bench_ops.run(++bench_now);
		if (bench_now % 16 == 0 && is_lost(oracle_first(&oracle)))
			wrong = "a timer did not expire";
	}
}

static void step(void)
{
	size_t timer = draw((uint32_t)timers_count);

	switch (draw(8)) {
	case 0:
		if (oracle_del(&oracle, (unsigned)timer) || draw(2))
			bench_ops.cancel(timers[timer]);
		break;
	case 1:
		run(1 + draw(100));
		break;
	case 2:
		if (!draw(400))
			run(draw(10000));
		break;
	default:
		arm(timer, false);
	}
}

/* Until all have expired, and longer: what was cancelled is not to come. */
static void drain(void)
{
	while (oracle_first(&oracle) != ORACLE_NONE && !wrong)
		run(1);
	run(WEEK);
}

static void report(void)
{
	if (!wrong && oracle_first(&oracle) != ORACLE_NONE)
		wrong = "a timer did not expire";
	if (wrong)
		stop(wrong);
	print("verified", 1, expired);
	print("late", expired, late);
	print("latest", 1, latest);
	print("inverted", expired, inverted);
}

void verify(size_t number)
{
	if (number > ORACLE_MAX)
		stop("verify does not take so many timers");
	make_timers(number);
	qsort(timers, number, sizeof(*timers), compare);
	oracle_init(&oracle, bench_now);
	bench_expire = expire;
	for (size_t i = 0; i < number; i++)
		arm(i, true);
	for (size_t i = 0; i < STEPS && !wrong; i++)
		step();
	drain();
	report();
}
