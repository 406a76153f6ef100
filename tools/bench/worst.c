/* SPDX-License-Identifier: MIT */
/*
 * tools/bench/worst.c - the worst tick, by workload and number of timers
 *
 * usage: worst NUMBER...
 *
 * Built by tools/worst with the engine's sources, once per CONFIG_JIF_SPREAD
 * and twice each: with CONFIG_JIF_TRACE it counts the entries moved per tick,
 * without it takes the time. Prints a line per workload and number of timers:
 *
 *	WORKLOAD NUMBER WORST ALL SLEEPING STOPS	entries moved: in the
 *			worst tick and in all ticks; in the worst run, and the
 *			stops, of a machine that sleeps until the next stop
 *	WORKLOAD NUMBER BARE WHOLE	nanoseconds of the worst tick, without
 *			and with what expires
 *
 * Time passes tick by tick, until all timers have expired. Each of them has to
 * expire once, on its tick.
 */
#include <errno.h>
#include <jif/trace.h>
#include <jif/wheel.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MINUTE 60u
#define HOUR   3600u
#define DAY    86400u
#define WEEK   604800u
#define START  (UINT32_MAX - 255) /* so that the counter wraps */
#define RUNS   5

struct entry {
	struct jif_timer timer;
	uint32_t expires;
	unsigned fired;
};

struct times {
	uint32_t bare;
	uint32_t whole;
};

static struct jif_wheel wheel;
static struct entry *entries;
static size_t number;
static size_t fired;
static bool failed;
static uint64_t first, last; /* the times of a tick's callbacks */
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
	(void)i;
	return 100000;
}

/* All on one tick, at which all rings wrap. */
static uint32_t midnight(size_t i)
{
	(void)i;
	return 2 * DAY;
}

static uint32_t uniform(size_t i)
{
	(void)i;
	return 1 + draw(WEEK);
}

/* A third on the minute, a third on the hour, a third at midnight. */
static uint32_t every_wrap(size_t i)
{
	static const uint32_t units[] = { MINUTE, HOUR, DAY };
	uint32_t unit = units[i % 3];

	return unit * (1 + draw(WEEK / unit));
}

static const struct workload {
	const char *name;
	uint32_t (*delay)(size_t i);
} workloads[] = {
	{ "one-deadline", one_deadline },
	{ "midnight", midnight },
	{ "uniform", uniform },
	{ "every-wrap", every_wrap },
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void *allocate(size_t count, size_t size)
{
	void *memory = calloc(count, size);

	if (!memory) {
		fputs("worst: error: out of memory\n", stderr);
		exit(1);
	}
	return memory;
}

static void moved(const struct jif_timer *timer, int from, unsigned level,
		  unsigned slot, uint32_t remaining)
{
	(void)timer;
	(void)level;
	(void)slot;
	(void)remaining;
	moves += from != JIF_TRACE_ARMED;
}

static void expired(struct jif_timer *timer)
{
	struct entry *entry = jif_container_of(timer, struct entry, timer);

	if (!CONFIG_JIF_TRACE) {
		last = now_ns();
		if (!first)
			first = last;
	}
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
		jif_timer_add(&wheel, &entries[i].timer, entries[i].expires);
	}
}

/* That each has expired, and, by the callbacks, on its tick, and only once. */
static void verify(const struct workload *workload)
{
	uint32_t when;

	if (failed || fired != number || jif_wheel_next(&wheel, &when)) {
		printf("%s %zu: a timer did not expire once, on its tick\n",
		       workload->name, number);
		exit(1);
	}
}

static void count(const struct workload *workload)
{
	uint64_t worst = 0;
	uint64_t all = 0;

	arm(workload);
	for (uint32_t tick = 1; tick <= WEEK && fired < number; tick++) {
		moves = 0;
		jif_wheel_run(&wheel, START + tick);
		all += moves;
		if (moves > worst)
			worst = moves;
	}
	verify(workload);
	printf("%s %zu %llu %llu", workload->name, number,
	       (unsigned long long)worst, (unsigned long long)all);
}

/* The same for a machine that sleeps from stop to stop. */
static void count_sleeping(const struct workload *workload)
{
	uint64_t worst = 0;
	uint32_t stops = 0;
	uint32_t when;

	arm(workload);
	while (jif_wheel_next(&wheel, &when)) {
		moves = 0;
		jif_wheel_run(&wheel, when);
		stops++;
		if (moves > worst)
			worst = moves;
	}
	verify(workload);
	printf(" %llu %lu\n", (unsigned long long)worst, (unsigned long)stops);
}

static void time_run(const struct workload *workload, struct times *ticks)
{
	uint64_t begin, end;

	arm(workload);
	for (uint32_t tick = 1; tick <= WEEK && fired < number; tick++) {
		first = last = 0;
		begin = now_ns();
		jif_wheel_run(&wheel, START + tick);
		end = now_ns();
		ticks[tick].whole = (uint32_t)(end - begin);
		ticks[tick].bare = (uint32_t)(end - begin - (last - first));
	}
	verify(workload);
}

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a;
	uint32_t y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

static uint32_t median(uint32_t values[RUNS])
{
	qsort(values, RUNS, sizeof(*values), compare);
	return values[RUNS / 2];
}

/*
 * Each run does the same on the same tick. What disturbs the machine hits
 * another tick each time: a tick's time is the median of its times.
 */
static void take_times(const struct workload *workload, struct times *ticks)
{
	uint32_t bare = 0;
	uint32_t whole = 0;
	uint32_t values[RUNS];
	uint32_t value;

	memset(ticks, 0, RUNS * (WEEK + 1) * sizeof(*ticks));
	for (size_t i = 0; i < RUNS; i++)
		time_run(workload, ticks + i * (WEEK + 1));
	for (uint32_t tick = 1; tick <= WEEK; tick++) {
		for (size_t i = 0; i < RUNS; i++)
			values[i] = ticks[i * (WEEK + 1) + tick].bare;
		value = median(values);
		bare = value > bare ? value : bare;
		for (size_t i = 0; i < RUNS; i++)
			values[i] = ticks[i * (WEEK + 1) + tick].whole;
		value = median(values);
		whole = value > whole ? value : whole;
	}
	printf("%s %zu %lu %lu\n", workload->name, number, (unsigned long)bare,
	       (unsigned long)whole);
}

static void run_all(void)
{
	struct times *ticks = NULL;

	if (!CONFIG_JIF_TRACE)
		ticks = allocate(RUNS * (WEEK + 1), sizeof(*ticks));
	entries = allocate(number, sizeof(*entries));
	for (size_t i = 0; i < sizeof(workloads) / sizeof(*workloads); i++) {
		if (CONFIG_JIF_TRACE) {
			count(&workloads[i]);
			count_sleeping(&workloads[i]);
		} else {
			take_times(&workloads[i], ticks);
		}
		fflush(stdout);
	}
	free(entries);
	free(ticks);
}

int main(int argc, char **argv)
{
	char *end;

	if (CONFIG_JIF_TRACE)
		jif_trace = moved;
	for (int i = 1; i < argc; i++) {
		errno = 0;
		number = strtoul(argv[i], &end, 10);
		if (errno || *end || !number) {
			fprintf(stderr, "worst: error: not a number: %s\n",
				argv[i]);
			return 2;
		}
		run_all();
	}
	return 0;
}
