/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/unit/periodic_random.c - periodic timers beside whole numbers
 *
 * Time has 64 bits here. Call k of a timer is due at base + k * ticks / per,
 * rounded up, and comes then, or on the tick after it was armed. All is called
 * at random, from the main loop and from callbacks, on a wheel that is behind
 * its source. LOCKSTEP_OPERATIONS, in the environment, says for how long.
 */
#include <jif/periodic.h>
#include <stdlib.h>

#include "../model/random.h"
#include "unit.h"

#define TIMERS	   6
#define OPERATIONS 1000000

/* What one run may have of calls of a timer that skips none. */
#define SOME 200

static struct jif_periodic periodics[TIMERS];

static struct grid {
	bool started, paused;
	uint64_t base, k, ticks, per;
	uint64_t comes;
	uint64_t paused_at;
	uint32_t left;
} grids[TIMERS];

static uint64_t source, clk, target, seed;
static unsigned long operations, ncalls, nmissed, nfar, ntoo_far;

static uint32_t below(uint32_t end)
{
	return random_next(&seed, end);
}

/* Of any order of magnitude. */
static uint32_t any(void)
{
	return below(UINT32_C(1) << (1 + below(31)));
}

static uint32_t read_source(const struct jif_wheel *of)
{
	return (uint32_t)source;
}

static enum jif_catchup policy_of(unsigned i)
{
	return (enum jif_catchup)(i % 3);
}

static uint64_t due(const struct grid *g)
{
	return g->base + (g->k * g->ticks + g->per - 1) / g->per;
}

static void arm_next(struct grid *g)
{
	g->comes = due(g) > clk ? due(g) : clk + 1;
}

static void begin(struct grid *g, uint64_t base, uint64_t ticks, uint64_t per)
{
	g->base = base;
	g->k = 0;
	g->ticks = ticks;
	g->per = per;
}

static uint32_t any_count(void)
{
	return below(2) ? JIF_FOREVER : 1 + below(9);
}

/* Of one that skips none, so long that few calls are behind. */
static uint32_t any_period(unsigned i)
{
	uint32_t least = 1;

	if (policy_of(i) == JIF_CATCHUP_EACH)
		least += (uint32_t)((source - clk) / SOME);
	return least + below(LONGEST - least + 1) % (any() + 1);
}

static void start(unsigned i, bool ratio)
{
	struct grid *g = &grids[i];
	uint32_t first = any(), ticks = any_period(i), count = any_count();
	uint32_t per = ratio ? 1 + below(ticks) % (any() + 1) : 1;
	int want = g->started, got;

	if (ratio && policy_of(i) == JIF_CATCHUP_EACH)
		per = 1 +
		      per % (1 + ticks / (1 + (uint32_t)(source - clk) / SOME));
	if (per > ticks)
		per = ticks;
	if (source + first - clk > LONGEST)
		want = -JIF_ERANGE;
	if (ratio)
		got = jif_periodic_start_ratio(&wheel, &periodics[i], first,
					       ticks, per, count);
	else
		got = jif_periodic_start(&wheel, &periodics[i], first, ticks,
					 count);
	cr_assert_eq(got, want);
	ntoo_far += got < 0;
	if (got < 0)
		return;
	begin(g, source + first > clk ? source + first : clk + 1, ticks, per);
	g->left = count;
	g->started = true;
	g->paused = false;
	arm_next(g);
}

static void pause(unsigned i)
{
	struct grid *g = &grids[i];

	cr_assert_eq(jif_periodic_pause(&periodics[i]),
		     g->started && !g->paused);
	if (g->started && !g->paused) {
		g->paused = true;
		g->paused_at = source;
	}
}

static void resume(unsigned i)
{
	struct grid *g = &grids[i];
	uint64_t lasted = source - g->paused_at;
	int want = g->started && g->paused ? 0 : -JIF_EINVAL;

	if (!want && due(g) + lasted > clk + LONGEST)
		want = -JIF_ERANGE;
	cr_assert_eq(jif_periodic_resume(&periodics[i]), want);
	ntoo_far += want == -JIF_ERANGE;
	if (want)
		return;
	g->paused = false;
	g->base += lasted;
	arm_next(g);
}

static void change(unsigned i)
{
	struct grid *g = &grids[i];
	uint32_t period = any_period(i), count = any_count();

	cr_assert_eq(jif_periodic_change(&periodics[i], period, count),
		     g->started ? 0 : -JIF_EINVAL);
	if (g->started) {
		begin(g, due(g), period, 1);
		g->left = count;
	}
}

static void stop(unsigned i)
{
	cr_assert_eq(jif_periodic_stop(&periodics[i]), grids[i].started);
	grids[i].started = false;
	grids[i].paused = false;
}

static void look(unsigned i)
{
	const struct grid *g = &grids[i];
	uint32_t when = 77;
	bool runs = g->started && !g->paused;

	cr_assert_eq(jif_periodic_next(&periodics[i], &when), runs);
	cr_assert_eq(when, runs ? (uint32_t)g->comes : 77);
	cr_assert_eq(jif_periodic_pending(&periodics[i]), g->started);
	cr_assert_eq(jif_periodic_left(&periodics[i]),
		     g->started ? g->left : 0);
}

static void operate(void)
{
	unsigned i = below(TIMERS);

	operations++;
	switch (below(8)) {
	case 0:
		start(i, false);
		break;
	case 1:
		start(i, true);
		break;
	case 2:
		pause(i);
		break;
	case 3:
	case 4:
		resume(i);
		break;
	case 5:
		change(i);
		break;
	case 6:
		stop(i);
		break;
	default:
		break;
	}
	look(i);
}

/* How many more calls of it the run gets to. */
static uint32_t missed_by(unsigned i)
{
	const struct grid *g = &grids[i];

	if (policy_of(i) == JIF_CATCHUP_EACH)
		return 0;
	return (uint32_t)((target - g->base) * g->per / g->ticks - g->k);
}

static void call(struct jif_periodic *p)
{
	unsigned i = (unsigned)(p - periodics);
	struct grid *g = &grids[i];
	uint32_t missed;

	clk += (uint32_t)(jif_wheel_clock(&wheel) - (uint32_t)clk);
	cr_assert(g->started && !g->paused);
	cr_assert_eq(g->comes, clk, "timer %u", i);
	missed = due(g) <= target ? missed_by(i) : 0;
	g->k += missed + UINT64_C(1);
	if (missed && policy_of(i) == JIF_CATCHUP_RESTART) {
		g->base = target;
		g->k = 1;
	}
	if (g->left != JIF_FOREVER)
		g->left--;
	g->started = g->left;
	arm_next(g);
	ncalls++;
	nmissed += missed;
	nfar += due(g) - clk > LONGEST;
	cr_assert_eq(jif_periodic_missed(p), missed);
	look(i);
	while (!below(4))
		operate();
}

/* So far time may go: calls are within reach, and not too many. */
static uint64_t latest(void)
{
	uint64_t end = clk + LONGEST, most;

	for (unsigned i = 0; i < TIMERS; i++) {
		if (!grids[i].started || grids[i].paused)
			continue;
		most = LONGEST;
		if (policy_of(i) == JIF_CATCHUP_EACH)
			most = grids[i].ticks * SOME / grids[i].per;
		if (due(&grids[i]) + most < end)
			end = due(&grids[i]) + most;
	}
	return end;
}

static void pass_time(void)
{
	uint64_t end;
	unsigned i;

	for (i = 0; i < TIMERS; i++)
		if ((policy_of(i) == JIF_CATCHUP_EACH && !below(50)) ||
		    source > grids[i].base + UINT32_MAX)
			stop(i);
	end = latest();
	i = below(TIMERS);
	if (below(2) && grids[i].started && grids[i].comes > source &&
	    grids[i].comes < end)
		source = grids[i].comes - below(2);
	else if (end > source)
		source += (end - source) * below(1000) / 1000 >> below(32);
}

static void run(void)
{
	target = source;
	if (!below(3))
		target -= (source - clk) * below(1000) / 1000;
	jif_wheel_run(&wheel, (uint32_t)target);
	clk = target;
	for (unsigned i = 0; i < TIMERS; i++) {
		look(i);
		if (grids[i].started && !grids[i].paused)
			cr_assert_gt(grids[i].comes, clk, "timer %u", i);
	}
}

Test(periodic_random, does_what_whole_numbers_say, .init = unit_init,
     .fini = unit_fini)
{
	const char *text = getenv("LOCKSTEP_OPERATIONS");
	unsigned long wanted = text ? strtoul(text, NULL, 10) : OPERATIONS;

	seed = random_begin(1);
	clk = source = target = START;
	jif_warn = unit_no_warning;
	jif_wheel_set_time(&wheel, read_source);
	memset(periodics, 0xa5, sizeof(periodics));
	memset(grids, 0, sizeof(grids));
	for (unsigned i = 0; i < TIMERS; i++)
		jif_periodic_init(&periodics[i], call, policy_of(i));
	while (operations < wanted) {
		operate();
		do {
			pass_time();
			if (below(2))
				run();
		} while (below(4));
	}
	cr_assert_gt(ncalls, wanted / 10);
	cr_assert_gt(nmissed, wanted * 100);
	cr_assert_gt(nfar, wanted / 1000, "the next one was out of reach");
	cr_assert_gt(ntoo_far, wanted / 10000);
}
