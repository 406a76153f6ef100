/* SPDX-License-Identifier: MIT */
/*
 * scenario.h - what a scenario file says
 *
 * The parser fills in what is written; what it means in ticks is added by
 * resolve.c, when the length of a tick and the start are known.
 */
#pragma once

#include <jif/periodic.h>
#include <jif/wheel.h>

#include "base.h"
#include "diag.h"

#define DAY_US INT64_C(86400000000)

/* Longer times and spans are refused, so that no sum of some overflows. */
#define DAYS_MAX INT64_C(10000000)
#define SPAN_MAX (DAYS_MAX * DAY_US)

/* The units of a duration, from large to small. */
struct unit {
	const char *name;
	int64_t us;
};

#define UNITS 6

extern const struct unit units[UNITS];

#define NAMES_MAX   2000000u
#define NAME_LENGTH 43		       /* at most, without a number */
#define NAME_SIZE   (NAME_LENGTH + 21) /* with one, and a NUL */

/* The name of a timer. */
struct name {
	char *text;
	int64_t due; /* in a trace being read: its expiry plus 1; 0: idle */
	bool armed;  /* some line arms it */
};

/* All names, each with a number. */
struct names {
	struct name *name;
	uint32_t count;
	uint32_t *bucket; /* a hash table: numbers plus one, or 0 */
	uint32_t buckets; /* a power of two */
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
	int64_t us;   /* since midnight, or since the time before */
	int64_t tick; /* since the midnight at which day 0 began */
};

struct span {
	struct place place; /* line 0: there is no span here */
	int64_t us;
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

/* Less than 0, and more than there is room for. */
enum { EARLY = HISTOGRAM_EXACT, MORE, LATENESSES };

/* How often each lateness came up, in jiffies. */
struct histogram {
	int64_t count[LATENESSES]; /* from 0 on */
	int64_t *more;		   /* those that there is no room for */
	int64_t total;
	int64_t max; /* the greatest lateness */
};

enum row_op { ROW_START, ROW_CANCEL, ROW_EXPIRE, ROW_OPS };

/* A line of a trace; times are ticks from the start of the run. */
struct row {
	int64_t tick;
	int64_t expires; /* of a start: when the timer is to expire */
	uint32_t id;
	uint8_t op;
	bool pending; /* of a cancel: the recorder saw the timer armed */
};

/* A recording of what timers were asked to do. */
struct trace {
	struct row *rows;
	size_t n_rows;
	int64_t count[ROW_OPS];
	struct histogram lateness; /* of the expiries that the recorder saw */
};

enum stmt_kind {
	STMT_START,
	STMT_TICK,
	STMT_RUN,
	STMT_STARVE,
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
	STMT_PATH,
	STMT_IN,
	STMT_NEXT,
};

/* A line of a scenario; which fields it uses depends on its kind. */
struct stmt {
	enum stmt_kind kind;
	size_t index;	    /* among the statements of the scenario */
	struct place place; /* what messages about it point at */
	struct when at;	    /* of a repeated line: from when */
	struct when until;
	struct span step;   /* of a repeated line: how often */
	struct span span;   /* a delay, the least one, a stall, what is left */
	struct span period; /* of an arming; the greatest random delay */
	uint64_t number;    /* a count */
	uint64_t seed;
	uint8_t catchup; /* of a periodic arming: an enum jif_catchup */
	bool has_catchup;
	uint8_t days; /* a bit for each day of the week */
	struct ref *refs;
	size_t n_refs;
	struct ref *on; /* it is done whenever one of these fires */
	size_t n_on;
	struct slot *slots;
	size_t n_slots;
	char *file; /* to be imported */
	struct trace *trace;
};

/* A whole file. */
struct scenario {
	struct source source;
	bool import_anywhere; /* not only from the scenario's folder */
	struct names names;
	struct stmt *stmts;
	size_t n_stmts;
	int64_t tick_us;	/* 0 if it is not known and no matter */
	int64_t start;		/* the tick at which the wheel starts */
	int64_t end;		/* the last tick to run */
	enum when_base days[7]; /* how those from the start on are written */
};

static inline bool stmt_is_expectation(const struct stmt *stmt)
{
	return stmt->kind >= STMT_FIRE;
}

/*
 * Read a file. Errors have been reported when this or one of the next functions
 * returns something else than STATUS_OK; a scenario must not be run then. A
 * trace is a scenario that does nothing but import it.
 */
enum status read_scenario(struct scenario *scenario, const char *path);
enum status read_trace(struct scenario *scenario, const char *path);

/* From the text of a scenario to its statements. */
void parse_scenario(struct scenario *scenario);

/*
 * Reads a trace whose jiffy lasts @jiffy_us, for a scenario whose tick lasts
 * @tick_us; both are 1000 where it is no matter. Its timers get names in
 * @scenario.
 */
enum status trace_read(struct trace **trace, struct scenario *scenario,
		       const char *path, int64_t jiffy_us, int64_t tick_us);

void histogram_add(struct histogram *histogram, int64_t lateness);

static inline bool stmt_arms(const struct stmt *stmt)
{
	return stmt->kind == STMT_ARM || stmt->kind == STMT_POSTPONE ||
	       stmt->kind == STMT_WEEKLY || stmt->kind == STMT_RANDOM;
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

/* How many milliseconds a tick takes; stays as long as those. */
const char *tick_text(const struct scenario *scenario);
