/* SPDX-License-Identifier: MIT */
/*
 * tools/bench/timers.c - the timers of a row, and chance
 */
#include "timers.h"

#include <stdio.h>
#include <stdlib.h>

#include "ops.h"
#include "report.h"

void **timers;
size_t timers_count;

static uint64_t seed;

/* SplitMix64. */
uint32_t draw(uint32_t limit)
{
	uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)((z >> 32) * limit >> 32);
}

void draw_again(void)
{
	seed = 0;
}

void *allocate(size_t count, size_t size)
{
	void *memory = calloc(count, size);

	if (!memory) {
		fputs("bench: error: out of memory\n", stderr);
		exit(1);
	}
	return memory;
}

void timers_init(void)
{
	static bool ready;

	if (!ready && !bench_ops.init(START))
		exit(UNAVAILABLE);
	ready = true;
}

void timers_make(size_t count)
{
	char *memory = allocate(count, bench_ops.size);

	timers = allocate(count, sizeof(*timers));
	timers_count = count;
	for (size_t i = 0; i < count; i++)
		timers[i] = bench_ops.make(memory + i * bench_ops.size);
}

void shuffle(struct call *calls)
{
	size_t j;

	for (size_t i = 0; i < timers_count; i++) {
		j = draw((uint32_t)i + 1);
		calls[i].timer = calls[j].timer;
		calls[j].timer = timers[i];
	}
}
