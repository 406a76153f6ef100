/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/swarm.c - many short lives of a wheel, and a long one
 *
 * A seed says what the life of a wheel is like: how many timers, how far ahead,
 * where the clock begins, how often an interrupt comes, whether time goes tick
 * by tick or jumps. Each is a run in lockstep with the oracle. Of a difference,
 * the seed is printed, and the shortest way to one that is found: with fewer
 * timers, from many seeds, step by step.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lockstep.h"
#include "oracle.h"
#include "random.h"

#define WRAP (UINT64_C(1) << 32)
#define YEAR (UINT64_C(31557600) * 1000)

static unsigned tests, failed;

static struct lockstep_config life_of(uint64_t seed)
{
	static const uint32_t longest[] = { 2700000, 50000000, 0x7fffffff };
	static const unsigned interrupts[] = { 10, 20, 100, 1000 };
	static const unsigned jumps[] = { 0, 0, 2, 50, 1000000 };
	uint64_t random = random_begin(seed);
	struct lockstep_config config = { .seed = seed };

	random_next(&random, 2);
	config.operations = 500 + random_next(&random, 10000);
	config.timers = 1 + random_next(&random, 100);
	config.longest = longest[random_next(&random, 3)];
	config.interrupts = interrupts[random_next(&random, 4)];
	config.checks = 10 + random_next(&random, 500);
	config.jumps = jumps[random_next(&random, 5)];
	config.start = WRAP * (1 + random_next(&random, 100));
	if (random_next(&random, 4))
		config.start -= random_next(&random, 100000);
	else
		config.start += random_next(&random, UINT32_MAX);
	return config;
}

/* The shortest run to a difference, among seeds of the same kind of life. */
static void print_shortest(struct lockstep_config config)
{
	struct lockstep_config shortest = config;
	struct lockstep_result result = lockstep_run(&config);

	shortest.operations = result.operations;
	for (unsigned timers = 1; timers <= config.timers; timers *= 2)
		for (uint64_t seed = 1; seed <= 500; seed++) {
			struct lockstep_config tried = shortest;

			tried.timers = timers;
			tried.seed = seed;
			tried.checks = 1;
			result = lockstep_run(&tried);
			if (result.difference[0] &&
			    result.operations < shortest.operations) {
				shortest = tried;
				shortest.operations = result.operations;
			}
		}
	shortest.told = true;
	printf("# %u timers, delays up to %" PRIu32 ":\n", shortest.timers,
	       shortest.longest);
	result = lockstep_run(&shortest);
	printf("# %s\n", result.difference);
}

static struct lockstep_result live(const struct lockstep_config *config)
{
	struct lockstep_result result = lockstep_run(config);

	if (result.difference[0]) {
		failed++;
		printf("# swarm: %s\n", result.difference);
		print_shortest(*config);
	}
	return result;
}

static void report(const char *what, unsigned failed_before)
{
	tests++;
	printf("%sok %u - %s\n", failed > failed_before ? "not " : "", tests,
	       what);
}

/* Up to the last seed or, with one of 0, for some seconds. */
static void swarm(uint64_t seed, uint64_t last, double seconds)
{
	uint64_t first = seed, operations = 0, fired = 0, interrupted = 0;

	for (; last ? seed <= last : (double)clock() / CLOCKS_PER_SEC < seconds;
	     seed++) {
		struct lockstep_config config = life_of(seed);
		struct lockstep_result result = live(&config);

		operations += result.operations;
		fired += result.fired;
		interrupted += result.interrupted;
		if (failed)
			break;
	}
	printf("# seeds %" PRIu64 " to %" PRIu64 ": %" PRIu64
	       " operations, %" PRIu64 " of them in interrupts, %" PRIu64
	       " expiries compared\n",
	       first, seed - !failed, operations, interrupted, fired);
	report("a swarm of seeds", 0);
}

static void years(unsigned count)
{
	unsigned before = failed;
	struct lockstep_config config = {
		.seed = 200,
		.operations = UINT64_MAX,
		.timers = 2,
		.start = WRAP - 1000,
		.longest = 0x7fffffff,
		.interrupts = 100,
		.checks = 1000,
		.end = WRAP + count * YEAR,
	};
	struct lockstep_result result = live(&config);

	printf("# %" PRIu64 " years of 1 ms ticks, %" PRIu64 " wraps: %" PRIu64
	       " runs, %" PRIu64 " expiries compared\n",
	       (result.clock - config.start) / YEAR, result.clock / WRAP,
	       result.runs, result.fired);
	report("years", before);
}

static void wraps(unsigned count)
{
	unsigned before = failed;
	uint64_t runs = 0, fired = 0;

	for (unsigned i = 1; i <= count && failed == before; i++) {
		struct lockstep_config config = {
			.seed = i,
			.operations = UINT64_MAX,
			.timers = 50,
			.start = WRAP * i - 4000,
			.longest = 8000,
			.interrupts = 10,
			.checks = 100,
			.jumps = UINT32_MAX,
			.end = WRAP * i + 4000,
		};
		struct lockstep_result result = live(&config);

		runs += result.runs;
		fired += result.fired;
	}
	printf("# %u wraps: %" PRIu64 " runs of one tick, %" PRIu64
	       " expiries compared\n",
	       count, runs, fired);
	report("wraps, tick by tick", before);
}

int main(int argc, char **argv)
{
	uint64_t now = (uint64_t)time(NULL);

	if (argc == 3 && !strcmp(argv[1], "--time")) {
		swarm(now, 0, atof(argv[2]));
		years(200);
		wraps(50);
	} else if (argc == 3 && !strcmp(argv[1], "--seed")) {
		now = strtoull(argv[2], NULL, 10);
		swarm(now, now, 0);
	} else if (argc == 3 && !strcmp(argv[1], "--seeds")) {
		swarm(1, strtoull(argv[2], NULL, 10), 0);
		years(200);
		wraps(50);
	} else {
		fprintf(stderr, "usage: swarm --time SECONDS | --seed N | "
				"--seeds COUNT\n");
		return 2;
	}
	printf("1..%u\n", tests);
	return failed > 0;
}
