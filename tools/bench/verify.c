/* SPDX-License-Identifier: MIT */
/*
 * tools/bench/verify.c - does a row do what it is measured for?
 */
#include "verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "ops.h"
#include "oracle.h"
#include "report.h"
#include "timers.h"

#define STEPS  100000
#define MINUTE 60

static const char *wrong;
static uint64_t expired, late, latest, inverted;
static struct armed newest; /* of those that expired in this tick */

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

	oracle_arm(timer, bench_now, expires);
	(idle ? bench_ops.arm : bench_ops.rearm)(timers[timer], expires);
}

static void check_time(uint32_t expires)
{
	if (bench_ops.real)
		return;
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
	struct armed armed;

	expired++;
	if (!found) {
		wrong = "something expired that is no timer";
		return;
	}
	if (!oracle_take((size_t)(found - timers), &armed)) {
		wrong = "a timer expired that was not armed";
		return;
	}
	check_time(armed.expires);
	if (newest.expires == armed.expires && newest.order > armed.order)
		inverted++;
	else
		newest = armed;
	if (!draw(4))
		arm((size_t)(found - timers), true);
}

/* It is late by more than any coarse row has to be. */
static bool is_lost(const struct armed *armed)
{
	return bench_now > armed->expires &&
	       bench_now - armed->expires >
		       MINUTE + (armed->expires - armed->since) / 4;
}

static void run(uint32_t ticks)
{
	while (ticks-- && !wrong) {
		bench_ops.run(++bench_now);
		if (!bench_ops.real && oracle_first() &&
		    is_lost(oracle_first()))
			wrong = "a timer did not expire";
	}
}

static void step(void)
{
	size_t timer = draw((uint32_t)timers_count);
	struct armed armed;

	switch (draw(8)) {
	case 0:
		if (oracle_take(timer, &armed) || draw(2))
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
	time_t last = time(NULL) + 2 * WEEK / 1000000 + 1;

	while (oracle_first() && !wrong &&
	       (!bench_ops.real || time(NULL) < last))
		run(1);
	run(WEEK);
}

static int report(void)
{
	if (!wrong && oracle_first())
		wrong = "a timer did not expire";
	if (wrong) {
		fprintf(stderr, "bench: error: %s\n", wrong);
		return 1;
	}
	print("verified", 1, expired);
	if (!bench_ops.real) {
		print("late", expired, late);
		print("latest", 1, latest);
		print("inverted", expired, inverted);
	}
	return 0;
}

int verify(size_t number, bool once)
{
	(void)once;
	bench_tick = 1;
	timers_init();
	timers_make(number);
	qsort(timers, number, sizeof(*timers), compare);
	oracle_init(number);
	bench_expire = expire;
	for (size_t i = 0; i < number; i++)
		arm(i, true);
	for (size_t i = 0; i < STEPS && !wrong; i++)
		step();
	drain();
	return report();
}
