/* SPDX-License-Identifier: MIT */
/*
 * test/budget/moves.c - how many entries the worst tick moves
 *
 * usage: moves NUMBER...
 *
 * Built with CONFIG_JIF_TRACE by test/budget/moves, once per CONFIG_JIF_SPREAD.
 * For each workload and number of timers it prints the entries moved in the
 * worst tick, where time passes tick by tick, and in all ticks; and the same of
 * the worst run of a machine that sleeps until the next stop, and its stops.
 * Each timer has to expire once, on its tick, and no tick may move more than
 * the rule of docs/timing.md says. As many timers as it allows for the weeks
 * are tried with a small K.
 */
#include <jif/trace.h>
#include <jif/wheel.h>
#include <stdio.h>
#include <stdlib.h>

#define MINUTE	   60u
#define HOUR	   3600u
#define DAY	   86400u
#define WEEK	   604800u
#define SPREAD	   ((uint64_t)CONFIG_JIF_SPREAD)
#define WEEKS_MOST 172800u	      /* for each K, in a week or later */
#define START	   (UINT32_MAX - 255) /* so that the counter wraps */

struct entry {
	struct jif_timer timer;
	uint32_t expires;
	unsigned fired;
};

static struct jif_wheel wheel;
static struct entry *entries;
static size_t number;
static size_t fired;
static bool failed;
static uint64_t moves;
static uint32_t seed;

static uint32_t draw(uint32_t limit)
{
	seed ^= seed << 13;
	seed ^= seed >> 17;
	seed ^= seed << 5;
	return seed % limit;
}

/* All on one tick, a day and a part of one ahead: through all levels. */
static uint32_t one_deadline(size_t i)
{
	return 100000;
}

/* All on one tick, at which all rings wrap. */
static uint32_t midnight(size_t i)
{
	return 2 * DAY;
}

static uint32_t uniform(size_t i)
{
	return 1 + draw(WEEK);
}

/* A third on the minute, a third on the hour, a third at midnight. */
static uint32_t every_wrap(size_t i)
{
	static const uint32_t units[] = { MINUTE, HOUR, DAY };
	uint32_t unit = units[i % 3];

	return unit * (1 + draw(WEEK / unit));
}

/* Even over the third week. */
static uint32_t far(size_t i)
{
	return 2 * WEEK + (uint32_t)((uint64_t)i * WEEK / number);
}

struct workload {
	const char *name;
	uint32_t (*delay)(size_t i);
};

static const struct workload weeks = { "weeks", far };

static const struct workload workloads[] = {
	{ "one-deadline", one_deadline },
	{ "midnight", midnight },
	{ "uniform", uniform },
	{ "every-wrap", every_wrap },
};

static void moved(unsigned what, const struct jif_wheel *on,
		  const struct jif_timer *timer, uint32_t value)
{
	moves += JIF_TRACE_EVENT(what) == JIF_TRACE_CASCADE;
}

static void expired(struct jif_timer *timer)
{
	struct entry *entry = jif_container_of(timer, struct entry, timer);

	fired++;
	if (entry->fired++ || jif_wheel_clock(&wheel) != entry->expires)
		failed = true;
}

static void arm(const struct workload *workload)
{
	seed = 2463534242u;
	fired = 0;
	jif_wheel_init(&wheel, START);
	for (size_t i = 0; i < number; i++) {
		entries[i].expires = START + workload->delay(i);
		entries[i].fired = 0;
		jif_timer_init(&entries[i].timer, expired);
		(void)!jif_timer_add(&wheel, &entries[i].timer,
				     entries[i].expires);
	}
}

/* That each has expired, and, by the callbacks, on its tick, and only once. */
static void verify(const struct workload *workload)
{
	uint32_t when;

	if (failed || fired != number || jif_wheel_next_stop(&wheel, &when)) {
		printf("%s %zu: a timer did not expire once, on its tick\n",
		       workload->name, number);
		exit(1);
	}
}

static uint64_t above(uint64_t value, uint64_t limit)
{
	return value > limit ? value - limit : 0;
}

/*
 * What the rings leave to a tick at which all of them wrap: in the last day,
 * the days have 23 hours, the hours 59 minutes and the minutes 60 ticks in
 * which to move entries ahead.
 *
 * Hence the limits: in 60 ticks, 60 K of the next minute; in 59 minutes, 2 *
 * 1,770 K, those due in this hour and the next hour's; in 23 hours, 3 * 27,600
 * K; in six days, 3 * 172,800 K.
 */
static uint64_t left_at_midnight(void)
{
	uint64_t days = above(number, (DAY - HOUR) * SPREAD);
	uint64_t hours = above(number, days + (HOUR - MINUTE) * SPREAD);
	uint64_t minutes = above(number, days + hours + MINUTE * SPREAD);

	return 3 * days + 2 * hours + minutes;
}

static uint64_t rule(const struct workload *workload)
{
	uint64_t left = left_at_midnight();

	if (workload->delay == far)
		left = 0;
	if (workload->delay == one_deadline)
		left = above(number, MINUTE * SPREAD);
	/* A tenth more than even on a day is within the limits. */
	if (workload->delay == uniform &&
	    number * 11 / 70 + 1 <= (DAY - HOUR) / 3 * SPREAD)
		left = 0;
	return left > SPREAD ? left : SPREAD;
}

static void print(const struct workload *workload, const char *what,
		  uint64_t figure)
{
	printf("%s %zu %s %llu\n", workload->name, number, what,
	       (unsigned long long)figure);
}

static void count(const struct workload *workload)
{
	uint64_t worst = 0, all = 0;

	arm(workload);
	for (uint32_t tick = 1; tick <= 3 * WEEK && fired < number; tick++) {
		moves = 0;
		jif_wheel_run(&wheel, START + tick);
		all += moves;
		if (moves > worst)
			worst = moves;
	}
	verify(workload);
	print(workload, "worst", worst);
	print(workload, "all", all);
	if (worst > rule(workload)) {
		print(workload, "the rule says", rule(workload));
		exit(1);
	}
}

/* The same for a machine that sleeps from stop to stop. */
static void count_sleeping(const struct workload *workload)
{
	uint64_t worst = 0;
	uint32_t stops = 0, when;

	arm(workload);
	while (jif_wheel_next_stop(&wheel, &when)) {
		moves = 0;
		jif_wheel_run(&wheel, when);
		stops++;
		if (moves > worst)
			worst = moves;
	}
	verify(workload);
	print(workload, "asleep", worst);
	print(workload, "stops", stops);
}

static void use(size_t timers)
{
	number = timers;
	entries = calloc(number, sizeof(*entries));
	if (!entries) {
		fputs("moves: error: out of memory\n", stderr);
		exit(1);
	}
}

int main(int argc, char **argv)
{
	jif_trace = moved;
	if (SPREAD && SPREAD <= 8) {
		use(WEEKS_MOST * SPREAD);
		count(&weeks);
		free(entries);
	}
	for (int i = 1; i < argc; i++) {
		use(strtoul(argv[i], NULL, 10));
		for (size_t w = 0; w < sizeof(workloads) / sizeof(*workloads);
		     w++) {
			count(&workloads[w]);
			count_sleeping(&workloads[w]);
		}
		free(entries);
	}
	return 0;
}
