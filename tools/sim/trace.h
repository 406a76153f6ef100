/* SPDX-License-Identifier: MIT */
/*
 * trace.h - a recording of what timers were asked to do
 */
#ifndef JIFSIM_TRACE_H
#define JIFSIM_TRACE_H

#include "histogram.h"
#include "scenario.h"

enum row_op { ROW_START, ROW_CANCEL, ROW_EXPIRE };

#define ROW_OPS 3

/*
 * struct row - a line of a trace; times are ticks from the start of the run
 * @tick:	when
 * @expires:	of ROW_START: when the timer is to expire
 * @id:		the timer
 * @op:		what was done
 * @pending:	of ROW_CANCEL: the recorder saw the timer armed
 */
struct row {
	int64_t tick;
	int64_t expires;
	uint32_t id;
	uint8_t op;
	bool pending;
};

/*
 * struct trace - a whole recording
 * @rows:	as they stand in the file
 * @count:	how many of each op there are
 * @lateness:	of the expiries that the recorder saw
 */
struct trace {
	struct row *rows;
	size_t n_rows;
	size_t room_rows;
	uint64_t count[ROW_OPS];
	struct histogram lateness;
};

/*
 * Reads a trace whose jiffy lasts @jiffy_ms, for a scenario with a tick of its
 * own; both are 1 where it is no matter. Its timers get names in @scenario.
 * Errors have been reported when it returns something else than STATUS_OK.
 */
enum status trace_read(struct trace **trace, struct scenario *scenario,
		       const char *path, int64_t jiffy_ms, int64_t tick_ms);

void trace_free(struct trace *trace);

#endif
