/* SPDX-License-Identifier: MIT */
/*
 * scenario.h - what a scenario file says
 *
 * The parser fills in what is written; what it means in ticks is added by
 * resolve.c, when the length of a tick and the start are known.
 */
#ifndef JIFSIM_SCENARIO_H
#define JIFSIM_SCENARIO_H

#include <jif/geometry.h>

#include "diag.h"

#define DAY_MS INT64_C(86400000)

/* Longer times and spans are refused, so that no sum of some overflows. */
#define DAYS_MAX INT64_C(10000000)
#define SPAN_MAX (DAYS_MAX * DAY_MS)

/* The units of a duration, from large to small. */
struct unit {
	const char *name;
	int64_t ms;
};

#define UNITS 5

extern const struct unit units[UNITS];

#define NAMES_MAX   2000000u
#define NAME_LENGTH 43		       /* at most, without a number */
#define NAME_SIZE   (NAME_LENGTH + 21) /* with one, and a NUL */

/*
 * struct name - of a timer
 * @armed:	some line arms it
 * @due:	while a trace is read: when the recorder has it expire, plus
 *		one; 0: it is not armed
 */
struct name {
	char *text;
	int64_t due;
	bool armed;
};

/*
 * struct names - all names of a scenario
 * @name:	of each number
 * @bucket:	a hash table: numbers plus one, or 0
 * @buckets:	its size, a power of two
 */
struct names {
	struct name *name;
	uint32_t count;
	uint32_t *bucket;
	uint32_t buckets;
};

/* Returns the number of a name, a new one if it is new. */
uint32_t names_add(struct names *names, const char *text);

enum level { SEC, MIN, HOUR, DAY, LEVELS };

extern const char *const level_names[LEVELS];
extern const uint8_t level_slots[LEVELS];
extern const uint32_t level_ticks[LEVELS];

extern const char *const day_names[7];

enum when_base {
	WHEN_NONE,    /* there is no time here */
	WHEN_TODAY,   /* a time of the day of the start */
	WHEN_DAY,     /* a time of a day with a number */
	WHEN_WEEKDAY, /* a time of the first such day */
	WHEN_AFTER,   /* so much after the time that stands before it */
};

struct when {
	enum when_base base;
	struct place place;
	int64_t day;  /* its number; or 0 for monday to 6 */
	int64_t ms;   /* since midnight, or since the time before */
	int64_t tick; /* since the midnight at which day 0 began */
};

struct span {
	struct place place; /* line 0: there is no span here */
	int64_t ms;
	int64_t ticks;
};

struct ref {
	uint32_t id;
	struct place place;
};

struct slot {
	uint8_t level;
	uint8_t number;
};

#define HISTOGRAM_EXACT 1024

/*
 * struct histogram - how often each lateness came up, in jiffies
 * @exact:	from 0 on
 * @early:	less than 0
 * @more:	more than there is room for in @exact
 * @max:	the greatest lateness
 */
struct histogram {
	int64_t exact[HISTOGRAM_EXACT];
	int64_t early;
	int64_t more;
	int64_t total;
	int64_t max;
};

enum row_op { ROW_START, ROW_CANCEL, ROW_EXPIRE, ROW_OPS };

/*
 * struct row - a line of a trace; times are ticks from the start of the run
 * @expires:	of ROW_START: when the timer is to expire
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
 * struct trace - a recording of what timers were asked to do
 * @count:	how many rows of each op there are
 * @lateness:	of the expiries that the recorder saw
 */
struct trace {
	struct row *rows;
	size_t n_rows;
	int64_t count[ROW_OPS];
	struct histogram lateness;
};

enum stmt_kind {
	STMT_START,
	STMT_TICK,
	STMT_RUN,
	STMT_ARM,
	STMT_POSTPONE,
	STMT_CANCEL,
	STMT_DRAIN,
	STMT_STALL,
	STMT_WEEKLY,
	STMT_RANDOM,
	STMT_IMPORT,
	STMT_FIRE,
	STMT_NO_FIRE,
	STMT_COUNT,
	STMT_ORDER,
	STMT_IN,
	STMT_PATH,
	STMT_NEXT,
};

/*
 * struct stmt - a line of a scenario; which fields it uses depends on its kind
 * @place:	what messages about it point at
 * @at:		when; of a repeated line, from when
 * @until:	of a repeated line, to when
 * @step:	of a repeated line, how often
 * @span:	a delay; the length of a stall; the least delay; what is left
 * @period:	of an arming; the greatest delay of random ones
 * @number:	a count
 * @days:	a bit for each day of the week
 * @refs:	the timers that it is about
 * @slots:	a path, or one place
 * @file:	to be imported
 * @trace:	what was in @file
 */
struct stmt {
	enum stmt_kind kind;
	struct place place;
	struct when at;
	struct when until;
	struct span step;
	struct span span;
	struct span period;
	uint64_t number;
	uint64_t seed;
	uint8_t days;
	struct ref *refs;
	size_t n_refs;
	struct slot *slots;
	size_t n_slots;
	char *file;
	struct trace *trace;
};

/*
 * struct scenario - a whole file
 * @tick_ms:	the length of a tick; 0 if it is not known and no matter
 * @start:	the tick at which the wheel starts
 * @end:	the last tick to run
 */
struct scenario {
	struct source source;
	struct names names;
	struct stmt *stmts;
	size_t n_stmts;
	int64_t tick_ms;
	int64_t start;
	int64_t end;
};

static inline bool stmt_is_expectation(const struct stmt *stmt)
{
	return stmt->kind >= STMT_FIRE;
}

void stmt_free(struct stmt *stmt);

void scenario_add(struct scenario *scenario, const struct stmt *stmt);

/* The first statement of a kind, or NULL. */
struct stmt *scenario_find(const struct scenario *scenario,
			   enum stmt_kind kind);

void scenario_free(struct scenario *scenario);

/*
 * A time and a span as a scenario would write them, and a number with a comma
 * before every three digits. The text stays for the next seven such calls.
 */
const char *time_text(const struct scenario *scenario, int64_t tick);
const char *span_text(const struct scenario *scenario, int64_t ticks);
const char *count_text(int64_t count);

#endif
