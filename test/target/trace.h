/* SPDX-License-Identifier: MIT */
/*
 * test/target/trace.h - what an emulator counts for tools/check/budget
 *
 * A file says which instructions matter, one a line: ADDRESS ACTION LENGTH, the
 * address in hexadecimal. The actions are the letters below. The standard error
 * has a line for each measured stretch, and one for each public call that keeps
 * interrupts off at least as long as any before; addresses are in hexadecimal:
 *
 *	mark ADDRESS GROUP TIME HELD	HELD: the longest with interrupts off
 *	held CALL CALLER OFF TIME GROUP	OFF: where it begins
 *	made CALL TIMES			at the end
 *	time TIME			before an instruction with the action t
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Flash is smaller than that, wherever it begins. */
#define TRACE_BYTES (UINT32_C(1) << 20)

enum trace_action {
	TRACE_NOTHING,
	TRACE_OFF = 'o', /* interrupts are turned off */
	TRACE_ON = 'r',	 /* they are what they were before */
	TRACE_ALL_ON = 'a',
	TRACE_CALL = 'c', /* a public function begins */
	TRACE_GROUP = 'g',
	TRACE_MARK = 'm',
	TRACE_TIME = 't',
	TRACE_LIBRARY = 'l', /* its first instruction is at that address */
	TRACE_SITE = 's',    /* a call of that length, outside the library */
	TRACE_RETURN = 'b',  /* what follows it */
};

struct trace_call {
	uint32_t place, site, back;
};

static struct {
	uint8_t action[TRACE_BYTES];
	uint8_t site[TRACE_BYTES];
	bool back[TRACE_BYTES];
	unsigned made[TRACE_BYTES];
	unsigned long long longest[TRACE_BYTES];
	uint32_t library, off_place;
	unsigned group, depth;
	unsigned long long begin, off, held;
	enum { TRACE_IDLE, TRACE_BEGINS, TRACE_MEASURES } state;
	struct trace_call *calls;
	size_t count, room;
	uint32_t before; /* the instruction before this one, and its time */
	unsigned long long time;
} trace;

static inline void trace_end(void)
{
	for (unsigned i = 0; i < TRACE_BYTES; i++)
		if (trace.made[i])
			fprintf(stderr, "made %x %u\n", i, trace.made[i]);
}

static inline bool trace_begin(const char *path)
{
	FILE *file = fopen(path, "r");
	unsigned long place;
	unsigned length;
	char action;

	if (!file)
		return false;
	while (fscanf(file, "%lx %c %u", &place, &action, &length) == 3)
		if (action == TRACE_LIBRARY)
			trace.library = (uint32_t)place;
		else if (action == TRACE_SITE)
			trace.site[place % TRACE_BYTES] = (uint8_t)length;
		else if (action == TRACE_RETURN)
			trace.back[place % TRACE_BYTES] = true;
		else
			trace.action[place % TRACE_BYTES] = (uint8_t)action;
	fclose(file);
	setvbuf(stderr, NULL, _IOFBF, 1 << 16);
	return !atexit(trace_end);
}

static inline void trace_call(uint32_t place)
{
	uint32_t site = trace.before;
	unsigned length = trace.site[site % TRACE_BYTES];

	if (site >= trace.library)
		return;
	if (trace.count == trace.room) {
		trace.room = 2 * trace.room + 64;
		trace.calls =
			realloc(trace.calls, trace.room * sizeof(*trace.calls));
		if (!trace.calls)
			abort();
	}
	trace.calls[trace.count++] =
		(struct trace_call){ place, site,
				     length ? site + length : UINT32_MAX };
	trace.made[place % TRACE_BYTES]++;
}

/* Interrupts are on again. */
static inline void trace_on(unsigned long long time)
{
	unsigned long long length = time - trace.off;
	struct trace_call *call = trace.calls + trace.count - 1;
	unsigned long long *longest;

	if (length > trace.held)
		trace.held = length;
	if (!trace.count)
		return;
	longest = &trace.longest[call->place % TRACE_BYTES];
	if (length < *longest)
		return;
	*longest = length;
	fprintf(stderr, "held %x %x %x %llu %u\n", call->place, call->site,
		trace.off_place, length, trace.group);
}

static inline void trace_mark(void)
{
	if (trace.state == TRACE_IDLE) {
		trace.state = TRACE_BEGINS;
		trace.held = 0;
		return;
	}
	trace.state = TRACE_IDLE;
	fprintf(stderr, "mark %x %u %lld %llu\n", trace.before, trace.group,
		(long long)(trace.time - trace.begin), trace.held);
}

static inline void trace_act(uint8_t action, uint32_t place,
			     unsigned long long time)
{
	if (action == TRACE_OFF && !trace.depth++) {
		trace.off = time;
		trace.off_place = place;
	} else if ((action == TRACE_ON || action == TRACE_ALL_ON) &&
		   trace.depth) {
		trace.depth = action == TRACE_ON ? trace.depth - 1 : 0;
		if (!trace.depth)
			trace_on(time);
	} else if (action == TRACE_CALL) {
		trace_call(place);
	} else if (action == TRACE_GROUP) {
		trace.group++;
	} else if (action == TRACE_MARK) {
		trace_mark();
	} else if (action == TRACE_TIME) {
		fprintf(stderr, "time %llu\n", trace.time);
	}
}

/* An instruction begins. */
static inline void trace_step(uint32_t place, unsigned long long time)
{
	uint8_t action = trace.action[place % TRACE_BYTES];

	if (trace.state == TRACE_BEGINS) {
		trace.state = TRACE_MEASURES;
		trace.begin = time;
	}
	if (trace.back[place % TRACE_BYTES] && trace.count &&
	    trace.calls[trace.count - 1].back == place)
		trace.count--;
	if (action)
		trace_act(action, place, time);
	trace.before = place;
	trace.time = time;
}
