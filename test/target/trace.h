/* SPDX-License-Identifier: MIT */
/*
 * test/target/trace.h - what an emulator counts for tools/check/budget
 *
 * A file says which instructions it notes, one a line: ADDRESS ACTION, in
 * hexadecimal. The one before and the one after each are noted, too. Actions:
 *
 *	r	a call that is not the library's returns to here
 *	o n a	interrupts go off; back to what they were; on
 *	c	a public call begins, if it comes from below the address of l
 *	g m	another group of rows begins; a row begins or ends
 *	t	the end: a line "end TIME", of the instruction before
 *	f=NEXT	the instruction behind this one, to which a call returns
 *	l	the library begins
 *
 * It prints on the standard error, as addresses and times:
 *
 *	row BEFORE GROUP TIME HELD	a row, from mark to mark, and its
 *					longest stretch with interrupts off
 *	off CALL TIME PLACE CALLER GROUP
 *					the longest stretch of a call so far, or
 *					as long a one, of another group
 *	made CALL COUNT			at the end, how often a call was made
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Flash is smaller than that, wherever it begins. */
#define TRACE_BYTES (UINT32_C(1) << 20)
#define TRACE_DEPTH 64

typedef unsigned long long trace_time;

/**
 * struct trace_call - a public call that is under way
 * @place:	where it begins
 * @back:	where it returns to
 * @caller:	the instruction that made it
 */
struct trace_call {
	uint32_t place;
	uint32_t back;
	uint32_t caller;
};

/* Of an instruction: what it does, and of a call what is known of it. */
struct trace_place {
	char action;
	bool returns;
	uint32_t next;
	trace_time longest;
	unsigned group;
	unsigned long made;
};

static struct {
	struct trace_place at[TRACE_BYTES];
	struct trace_call call[TRACE_DEPTH];
	unsigned calls;
	uint32_t library;
	/* The last step, and the last one that was noted. */
	uint32_t place;
	trace_time time;
	uint32_t before;
	trace_time stamp;
	bool noted;
	bool follow;
	/* A row, once its first instruction is noted, and its group. */
	enum { NO_ROW, ROW_BEGINS, IN_ROW } row;
	trace_time begin;
	trace_time held;
	unsigned group;
	/* Since when interrupts are off, where, and how deep. */
	unsigned depth;
	trace_time off;
	uint32_t off_at;
} trace;

static inline struct trace_place *trace_at(uint32_t place)
{
	return &trace.at[place % TRACE_BYTES];
}

static inline void trace_end(void)
{
	for (uint32_t i = 0; i < TRACE_BYTES; i++)
		if (trace.at[i].made)
			fprintf(stderr, "made %lx %lu\n", (unsigned long)i,
				trace.at[i].made);
}

static inline bool trace_begin(const char *path)
{
	FILE *file = fopen(path, "r");
	unsigned long place, next;
	char action[2];

	if (!file)
		return false;
	while (fscanf(file, "%lx %1s", &place, action) == 2) {
		struct trace_place *at = trace_at((uint32_t)place);

		if (*action == 'f' && fscanf(file, "=%lx", &next) == 1)
			at->next = (uint32_t)next;
		else if (*action == 'l')
			trace.library = (uint32_t)place;
		else if (*action == 'r')
			at->returns = true;
		else
			at->action = *action;
	}
	fclose(file);
	trace.noted = true;
	setvbuf(stderr, NULL, _IOFBF, 1 << 16);
	return true;
}

/* A stretch of a public call in which interrupts were off. */
static inline void trace_off(const struct trace_call *call, trace_time length)
{
	struct trace_place *at = trace_at(call->place);

	if (length < at->longest ||
	    (length == at->longest && at->group == trace.group + 1))
		return;
	at->longest = length;
	at->group = trace.group + 1;
	fprintf(stderr, "off %lx %llu %lx %lx %u\n", (unsigned long)call->place,
		length, (unsigned long)trace.off_at,
		(unsigned long)call->caller, trace.group);
}

static inline void trace_interrupts(char action, uint32_t place)
{
	trace_time length;

	if (action == 'o') {
		if (!trace.depth++) {
			trace.off = trace.stamp;
			trace.off_at = place;
		}
		return;
	}
	if (!trace.depth)
		return;
	trace.depth = action == 'n' ? trace.depth - 1 : 0;
	if (trace.depth)
		return;
	length = trace.stamp - trace.off;
	if (length > trace.held)
		trace.held = length;
	if (trace.calls)
		trace_off(&trace.call[trace.calls - 1], length);
}

static inline void trace_mark(trace_time stamp_before)
{
	if (trace.row == NO_ROW) {
		trace.row = ROW_BEGINS;
		trace.held = 0;
		return;
	}
	fprintf(stderr, "row %lx %u %llu %llu\n", (unsigned long)trace.before,
		trace.group, stamp_before - trace.begin, trace.held);
	trace.row = NO_ROW;
}

static inline void trace_call(uint32_t place)
{
	if (trace.before >= trace.library || trace.calls == TRACE_DEPTH)
		return;
	trace.call[trace.calls++] =
		(struct trace_call){ place, trace_at(trace.before)->next,
				     trace.before };
	trace_at(place)->made++;
}

/* An instruction that is noted. */
static inline void trace_note(uint32_t place, trace_time time)
{
	const struct trace_place *at = trace_at(place);
	trace_time stamp_before = trace.stamp;

	trace.stamp = time;
	if (trace.row == ROW_BEGINS) {
		trace.row = IN_ROW;
		trace.begin = time;
	}
	if (at->returns && trace.calls &&
	    trace.call[trace.calls - 1].back == place)
		trace.calls--;
	if (at->action == 'g')
		trace.group++;
	else if (at->action == 'm')
		trace_mark(stamp_before);
	else if (at->action == 'c')
		trace_call(place);
	else if (at->action == 't')
		fprintf(stderr, "end %llu\n", stamp_before);
	else if (at->action)
		trace_interrupts(at->action, place);
	trace.before = place;
}

/* An instruction begins. */
static inline void trace_step(uint32_t place, trace_time time)
{
	const struct trace_place *at = trace_at(place);
	bool wanted = at->action || at->returns;

	if (wanted && !trace.noted)
		trace_note(trace.place, trace.time);
	trace.place = place;
	trace.time = time;
	trace.noted = wanted || trace.follow;
	if (trace.noted)
		trace_note(place, time);
	trace.follow = wanted;
}
