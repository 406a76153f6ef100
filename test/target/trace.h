/* SPDX-License-Identifier: MIT */
/*
 * test/target/trace.h - which instructions an emulator tells tools/check/budget
 *
 * Those whose addresses are in a file, in hexadecimal, one a line; and the one
 * before and the one after each. A line on the standard error for each of them:
 * ADDRESS TIME.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Flash is smaller than that, wherever it begins. */
#define TRACE_BYTES (UINT32_C(1) << 20)

static struct {
	bool wanted[TRACE_BYTES];
	uint32_t place;
	unsigned long long time;
	bool told;
	bool follow;
} trace;

static inline bool trace_begin(const char *path)
{
	FILE *file = fopen(path, "r");
	unsigned long place;

	if (!file)
		return false;
	while (fscanf(file, "%lx", &place) == 1)
		trace.wanted[place % TRACE_BYTES] = true;
	fclose(file);
	trace.told = true;
	setvbuf(stderr, NULL, _IOFBF, 1 << 16);
	return true;
}

static inline void trace_tell(void)
{
	fprintf(stderr, "%08lx %llu\n", (unsigned long)trace.place, trace.time);
}

/* An instruction begins. */
static inline void trace_step(uint32_t place, unsigned long long time)
{
	bool wanted = trace.wanted[place % TRACE_BYTES];

	if (wanted && !trace.told)
		trace_tell();
	trace.place = place;
	trace.time = time;
	trace.told = wanted || trace.follow;
	if (trace.told)
		trace_tell();
	trace.follow = wanted;
}
