/* SPDX-License-Identifier: MIT */
/*
 * test/port/compare/phases.c - a timer's header and the text, through every
 * phase of the counter against the calls
 *
 * Each run starts the port anew, a few counts before the counter goes round,
 * and does one thing at one moment. The moments are all steps around those at
 * which something happens. Then there is a long run at random, which must not
 * drift.
 *
 * usage: phases [TICKS [STRIDE]]: of the long run; and one start in STRIDE, and
 * then about three steps of a count, too
 *        phases selftest: the self-test on such a machine, which says no more
 *        than a board would
 */
#include <jif/jiffies.h>
#include <jif/kit/selftest.h>
#include <jif/port.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../lib/port/jif_port.h"
#include "world.h"

#define HZ    ((uint64_t)CONFIG_JIF_HZ)
#define CLOCK ((uint64_t)CONFIG_JIF_CLOCK_HZ)

/* Steps of an access, and of a count. */
static const struct {
	uint8_t access, count;
} speeds[] = { { 1, 3 }, { 1, 8 }, { 2, 21 }, { 4, 4 }, { 4, 1 } };

/* The last two are processors that are hardly faster than the counter. */
#define SPEEDS (CLOCK < 100000 ? 3 : 5)

/* Where a run is, for the report. */
static struct {
	const char *what;
	uint64_t start, at, other;
	uint32_t ticks;
	unsigned phase;
} run;

static uint32_t base;
static unsigned stride;
static uint64_t phases;

/* Wake-ups that the timer's manual allows, though the time is not up. */
static unsigned ends, stales;

static void say_where(void)
{
	printf("# %s: access %u, count %u, variant %u, start %llx, phase %u, "
	       "%u ticks, at %llu, other interrupt at %llu\n",
	       run.what, world.access, world.count, world.variant,
	       (unsigned long long)run.start, run.phase, (unsigned)run.ticks,
	       (unsigned long long)run.at, (unsigned long long)run.other);
}

static uint64_t ticks_at(uint64_t counts)
{
	return (counts - world.origin) * HZ / CLOCK;
}

static uint64_t counts_at(uint64_t ticks)
{
	return world.origin + (ticks * CLOCK + HZ - 1) / HZ;
}

static uint64_t common(uint64_t a, uint64_t b)
{
	return b ? common(b, a % b) : a;
}

/* How many counts a sleep may be long, at least: 7/8 of what can be told. */
static uint64_t reach(void)
{
	uint64_t parts = HZ / common(HZ, CLOCK);
	uint64_t range = UINT64_C(1) << model->bits;
	uint64_t most = (UINT64_C(1) << 32) / parts;

	return (range < most ? range : most) / 8 * 7 - 2 * CLOCK / HZ - 2;
}

/* Jiffies since the start; they have to be those of the counter. */
static uint64_t check_now(void)
{
	uint64_t before = ticks_at(world.counts);
	uint32_t now = (before & 1 ? (uint32_t)jif_now64() : jif_now()) - base;
	uint64_t after = ticks_at(world.counts);

	if (now - (uint32_t)before > (uint32_t)(after - before))
		world_fail("jif_now() is wrong");
	return before + (now - (uint32_t)before);
}

static void other(void)
{
	check_now();
}

static void begin(uint64_t start, unsigned phase)
{
	base = (uint32_t)jif_jiffies;
	run.start = start;
	run.phase = phase;
	world_reset(start, phase);
	jif_port_start();
	phases++;
}

/* In the last counts of a turn, or the first of one, when @due is beyond. */
static bool is_at_the_end(uint64_t due)
{
	uint64_t turn = UINT64_C(1) << model->bits;
	uint64_t end = (world.counts + model->late) / turn * turn;

	return model->wakes_at_the_end && due + model->late >= end &&
	       world.counts < end + model->late &&
	       world.counts + model->late >= end;
}

/*
 * When a sleep that begins now has to end, if nothing else ends it: on the
 * count, if that is far enough ahead.
 */
static uint64_t deadline(uint64_t due)
{
	uint64_t furthest = world.counts + reach() + 4 * CLOCK / HZ + 16;

	if (due > furthest)
		return furthest;
	if (due > world.counts + 2 * model->late && !model->wakes_at_the_end)
		return due;
	return (due > world.counts ? due : world.counts) + model->late;
}

/* One sleep, which has to end at @due if nothing else ends it. */
static void sleep_to(uint64_t due, uint32_t ticks)
{
	unsigned others = world.others;
	uint64_t furthest = world.counts + reach();

	world.deadline = deadline(due);
	if (world.stalls)
		world.deadline += 2 * world.stalls + 3 * model->late;
	world.armed = false;
	jif_port_idle(ticks);
	world.deadline = NO_TIME;
	if (world.other_pending || world.others != others || world.waited ||
	    world.counts >= (due < furthest ? due : furthest))
		return;
	if (world.stale)
		stales++;
	else if (is_at_the_end(due))
		ends++;
	else if (!world.stalls)
		world_fail("it wakes up too soon");
	world.stale = false;
}

/* Sleeps until so many ticks after now, as a main loop does. */
static void sleep_for(uint32_t ticks, uint64_t masked)
{
	unsigned handled = world.handled;
	unsigned sleeps = world.sleeps;
	uint64_t most = 5 + ticks * CLOCK / HZ / (reach() / 2);
	jif_irq_t flags = jif_irq_save();
	uint64_t now = check_now();
	uint64_t until = now + ticks;

	world_spend(masked);
	while (now < until) {
		if (world.sleeps - sleeps > most)
			world_fail("it wakes up again and again");
		sleep_to(counts_at(until), (uint32_t)(until - now));
		jif_irq_restore(flags);
		flags = jif_irq_save();
		now = check_now();
	}
	jif_irq_restore(flags);
	if (world.handled == handled && world.others == 0)
		world_fail("the handler has not run");
}

/* The trials of each moment. */
typedef void try_fn(uint64_t steps);

static void sleep_late(uint64_t steps)
{
	sleep_for(run.ticks, steps);
	sleep_for(2, 0);
}

static void sleep_awake(uint64_t steps)
{
	world_spend(steps);
	check_now();
	sleep_for(run.ticks, 0);
	sleep_for(1, 0);
}

static void sleep_interrupted(uint64_t steps)
{
	world.other = world.time + steps;
	run.other = world.other;
	sleep_for(run.ticks, 0);
	sleep_for(1, 0);
}

/*
 * Something ends the sleep, interrupts are off until its time is up or nearly,
 * and then a long one begins.
 */
static void sleep_masked(uint64_t steps)
{
	jif_irq_t flags = jif_irq_save();
	uint64_t now = check_now();
	uint64_t due = counts_at(now + run.ticks);
	unsigned handled;
	bool past;

	world.other = world.time + 5;
	sleep_to(due, run.ticks);
	jif_irq_restore(flags);
	flags = jif_irq_save();
	world_spend(steps);
	handled = world.handled;
	past = world.counts >= due + model->late;
	now = check_now() + 1000;
	sleep_to(past ? world.counts : counts_at(now), 1000);
	jif_irq_restore(flags);
	if (past && world.handled == handled)
		world_fail("the handler that waited has not run");
	check_now();
	sleep_for(1, 0);
}

static uint64_t state = 1;

static uint64_t random_below(uint64_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return n ? state % n : 0;
}

/*
 * One access takes long. The request may come too soon then, but comes again in
 * time, without help.
 */
static void sleep_stalled(uint64_t steps)
{
	uint64_t due = counts_at(check_now() + run.ticks);
	jif_irq_t flags;
	uint64_t now, end;

	world_spend(steps);
	flags = jif_irq_save();
	now = check_now();
	world.stall = 1 + (unsigned)random_below(10);
	world.again = (unsigned)random_below(20);
	world.stalls = 1 + (unsigned)random_below(2 * model->late);
	end = due + 2 * world.stalls + 4 * model->late;
	if (ticks_at(due) > now)
		sleep_to(due, (uint32_t)(ticks_at(due) - now));
	jif_irq_restore(flags);
	world.stall = world.again = 0;
	if (ticks_at(due) > now && world.counts < end)
		world_spend((end - world.counts) * world.count);
	if (ticks_at(due) > now && world.handled_at < due)
		world_fail("the handler has not come again");
	world.stalls = 0;
	check_now();
	sleep_for(1, 0);
}

/* As long as the counter can tell, and then all that is left for handlers. */
static void be_away(bool awake)
{
	uint64_t margin = reach() / 8 * world.count;
	jif_irq_t flags;

	if (awake)
		world_spend(24 * margin + random_below(margin));
	flags = jif_irq_save();
	if (!awake)
		sleep_to(NO_TIME / 2, UINT32_MAX);
	world_spend(margin);
	jif_irq_restore(flags);
	check_now();
	sleep_for(3, 0);
}

static void run_away(void)
{
	run.what = "as long as can be";
	world.access = 1;
	world.count = 8;
	for (unsigned i = 0; i < 20; i++) {
		begin((UINT64_C(1) << model->bits) - random_below(60000),
		      i % 8);
		be_away(i & 1);
	}
}

/* Each step of the first counts, and around the counts of the ticks. */
static void try_moments(try_fn *try)
{
	uint64_t tick = run.ticks * CLOCK / HZ;
	uint64_t near = 24;
	unsigned fine = stride > 1 ? 3 : world.count + 1;
	uint64_t from = tick > 2 * near ? tick - near : near;
	uint64_t start = run.start;

	for (unsigned phase = 0; phase < world.count;
	     phase += 1 + world.count / fine)
		for (uint64_t count = 0; count < tick + near; count++) {
			if (count == near)
				count = from;
			for (unsigned i = 0; i < world.count;
			     i += 1 + world.count / fine) {
				begin(start, phase);
				run.at = count * world.count + i;
				try(run.at);
			}
		}
}

/* The counter goes round so many counts after the start. */
static void try_starts(const char *what, try_fn *try)
{
	static const uint8_t near[] = { 0, 1, 2, 3, 5, 8, 11, 14 };
	uint64_t turn = UINT64_C(3) << model->bits;
	uint64_t tick = CLOCK / HZ;

	run.what = what;
	for (unsigned speed = 0; speed < SPEEDS; speed++)
		for (unsigned v = 0; v < model->variants; v++) {
			world.access = speeds[speed].access;
			world.count = speeds[speed].count;
			world.variant = v;
			for (unsigned i = v % stride; i < sizeof(near);
			     i += stride) {
				run.ticks = 1 + i % 3;
				run.start = turn - near[i];
				try_moments(try);
				run.start = turn - tick - near[i];
				try_moments(try);
				run.start = turn - run.ticks * tick + near[i];
				try_moments(try);
			}
		}
}

/* From one tick to more than the counter can. */
static uint32_t random_ticks(void)
{
	uint64_t most = reach() * HZ / CLOCK;

	switch (random_below(64)) {
	case 0:
		return (uint32_t)(1 +
				  random_below(most < 30000 ? most : 30000));
	case 1:
		return (uint32_t)(1 +
				  random_below(most < 12000 ? most / 4 : 3000));
	default:
		return (uint32_t)(1 + random_below(random_below(2) ? 100 : 4));
	}
}

static void one_random_turn(void)
{
	uint64_t tick = world.count * CLOCK / HZ + 1;
	uint64_t room = reach() / 8 * world.count;

	world.others = 0;
	if (!random_below(3))
		world.other = world.time + random_below(3 * tick);
	if (!random_below(4))
		world_spend(random_below(2 * tick));
	run.ticks = random_ticks();
	run.at = random_below(4) ? 0 : random_below(2 * tick);
	if (!random_below(1000))
		run.at = random_below(room);
	sleep_for(run.ticks, run.at);
}

static void run_long(uint64_t ticks)
{
	uint64_t now;

	run.what = "at random";
	for (unsigned v = 0; v < model->variants; v++) {
		world.access = 1;
		world.count = v & 1 ? 8 : 5;
		world.variant = v;
		begin(UINT64_C(5) << 20, v);
		while (ticks_at(world.counts) < ticks)
			one_random_turn();
		now = check_now();
		printf("# drift: %d ticks of %llu\n",
		       (int)(jif_now() - base - ticks_at(world.counts)),
		       (unsigned long long)now);
	}
}

/* Without tickless idle: each tick has its handler, awake and asleep. */
static void run_ticks(uint64_t ticks)
{
	uint64_t now, last;
	jif_irq_t flags;

	run.what = "tick by tick";
	world.access = 1;
	world.count = 16;
	begin(UINT64_C(1) << 30, 3);
	last = check_now();
	while (last < ticks) {
		unsigned handled = world.handled;

		world.deadline = counts_at(last + 1) + model->late;
		if (random_below(2)) {
			flags = jif_irq_save();
			jif_port_idle(UINT32_MAX);
			jif_irq_restore(flags);
		} else {
			world_spend((world.deadline - world.counts) *
				    world.count);
		}
		now = check_now();
		if (world.handled == handled)
			world_fail("a tick has no handler");
		if (now != last + 1 &&
		    !(now == last && is_at_the_end(NO_TIME / 2)))
			world_fail("a handler without a tick");
		last = now;
	}
}

/* --- the self-test: its clock counts steps -------------------------------- */

static struct jif_selftest selftest;
static struct jif_wheel wheel;

static uint32_t board_clock(void)
{
	world_spend(2 * world.access);
	return (uint32_t)world.time;
}

static void board_pend(uint32_t counts)
{
	world.other = world.time + counts;
	world_spend(1);
}

static void board_handler(void)
{
	jif_selftest_irq(&selftest);
}

static void board_report(enum jif_selftest_code code, uint32_t value)
{
	printf("# code %u, value %u\n", (unsigned)code, (unsigned)value);
}

/* On one machine; the next starts with no timer pending. */
static uint32_t try_board(void)
{
	selftest = (struct jif_selftest){
		.wheel = &wheel,
		.clock = board_clock,
		.clock_hz = (uint32_t)CLOCK * world.count,
		.pend = board_pend,
		.idle = jif_port_idle,
		.longest = 2200,
		.report = board_report,
	};
	begin((UINT64_C(3) << model->bits) - 100, 0);
	return jif_selftest_run(&selftest);
}

static int run_selftest(void)
{
	world_other = board_handler;
	world.access = 1;
	world.board = true;
	for (world.variant = 0; world.variant < model->variants;
	     world.variant++) {
		world.count = CLOCK < 100000 ? 64 : 8;
		if (try_board())
			return 1;
	}
	puts("ok - port_selftest::finds_nothing");
	return 0;
}

/* A number from 1 on. */
static unsigned number(const char *name, const char *text)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (*end || text == end || *text == '-' || !value ||
	    value > UINT32_MAX) {
		fprintf(stderr, "phases: error: %s=%s is no number from 1 on\n",
			name, text);
		exit(2);
	}
	return (unsigned)value;
}

int main(int argc, char *argv[])
{
	uint64_t ticks;

	if (argc > 1 && !strcmp(argv[1], "selftest"))
		return run_selftest();
	ticks = number("TICKS", argc > 1 ? argv[1] : "10000000");
	stride = number("STRIDE", argc > 2 ? argv[2] : "1");
	world_where = say_where;
	world_other = other;
	world.count = 1;
	world_reset(0, 0);
	world.off = 1;
	if (!CONFIG_JIF_TICKLESS) {
		run_ticks(ticks);
	} else {
		try_starts("a sleep at every phase", sleep_awake);
		try_starts("a sleep that begins late", sleep_late);
		try_starts("another interrupt", sleep_interrupted);
		try_starts("a request while masked", sleep_masked);
		try_starts("an access that takes long", sleep_stalled);
		run_away();
		run_long(ticks);
	}
	if (CONFIG_JIF_TICKLESS)
		printf("# %llu phases; too soon, as the manual allows: "
		       "%u at the end of a turn, %u by the value before\n",
		       (unsigned long long)phases, ends, stales);
	printf("ok 1 - %s at %u Hz, %u ticks a second%s\n", model->name,
	       (unsigned)CLOCK, (unsigned)HZ,
	       CONFIG_JIF_TICKLESS ? "" : ", not tickless");
	return 0;
}
