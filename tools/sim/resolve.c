/* SPDX-License-Identifier: MIT */
/*
 * resolve.c - from what is written to what it means
 *
 * A second pass over the statements: what a time means depends on the start
 * and on the length of a tick, which may stand anywhere in the file.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <jif/types.h>

#include "lex.h"
#include "mem.h"
#include "resolve.h"
#include "trace.h"

/*
 * struct resolver - how far the pass has got
 * @start_ms:	the start, since the midnight of day 0
 * @last_ms:	the time that was written last, for those that count from it
 * @stalled:	the ticks of all stalls so far
 * @lacks_trace: a trace could not be read, so that its timers are not known
 */
struct resolver {
	struct scenario *scenario;
	int64_t start_ms;
	int64_t last_ms;
	int64_t stalled;
	bool lacks_trace;
	enum status status;
};

static void fail(struct resolver *resolver, const struct stmt *stmt,
		 uint32_t column, const char *message)
{
	struct place place = { stmt->place.line, column };

	diag_error(&resolver->scenario->source, place, "%s", message);
	resolver->status = STATUS_ERROR;
}

/* Milliseconds since the midnight of day 0. */
static int64_t when_ms(const struct resolver *resolver, const struct when *when)
{
	int64_t today = resolver->start_ms / DAY_MS;

	switch (when->base) {
	case WHEN_DAY:
		return when->day * DAY_MS + when->ms;
	case WHEN_WEEKDAY:
		today += (when->day + 7 - today % 7) % 7;
		return today * DAY_MS + when->ms;
	case WHEN_AFTER:
		return resolver->last_ms + when->ms;
	default:
		return today * DAY_MS + when->ms;
	}
}

static void fail_ticks(struct resolver *resolver, const struct stmt *stmt,
		       uint32_t column, const char *what)
{
	struct place place = { stmt->place.line, column };
	struct scenario ms = { .tick_ms = 1 };
	char tick[TIME_LENGTH];

	diag_error(&resolver->scenario->source, place,
		   "%s is not a whole number of ticks of %s", what,
		   span_print(tick, &ms, resolver->scenario->tick_ms));
	resolver->status = STATUS_ERROR;
}

static void fail_early(struct resolver *resolver, const struct stmt *stmt,
		       uint32_t column)
{
	struct place place = { stmt->place.line, column };
	char start[TIME_LENGTH];

	time_print(start, resolver->scenario, resolver->scenario->start);
	diag_error(&resolver->scenario->source, place,
		   "time is before the start, which is at %s; "
		   "a later day is written tue 08:30 or d1 08:30",
		   start);
	resolver->status = STATUS_ERROR;
}

static void resolve_when(struct resolver *resolver, const struct stmt *stmt,
			 struct when *when)
{
	int64_t tick_ms = resolver->scenario->tick_ms;
	int64_t ms;

	if (when->base == WHEN_NONE)
		return;
	ms = when_ms(resolver, when);
	when->tick = ms / tick_ms;
	if (ms > SPAN_MAX)
		fail(resolver, stmt, when->column,
		     "time is too far: day d9999999 is the last one");
	else if (ms % tick_ms)
		fail_ticks(resolver, stmt, when->column, "time");
	else if (ms < resolver->start_ms)
		fail_early(resolver, stmt, when->column);
	if (ms <= SPAN_MAX)
		resolver->last_ms = ms;
}

static void resolve_span(struct resolver *resolver, const struct stmt *stmt,
			 struct span *span, bool on_wheel)
{
	int64_t tick_ms = resolver->scenario->tick_ms;

	if (!span->column)
		return;
	span->ticks = span->ms / tick_ms;
	if (span->ms % tick_ms)
		fail_ticks(resolver, stmt, span->column, "duration");
	else if (on_wheel && span->ticks > JIF_DELAY_MAX)
		fail(resolver, stmt, span->column,
		     "duration is too long: at most 2147483647 ticks");
}

/* The wheel tells the future from the past within 2^31 ticks of its clock. */
static void resolve_stall(struct resolver *resolver, const struct stmt *stmt)
{
	resolver->stalled += stmt->span.ticks;
	if (resolver->stalled > JIF_DELAY_MAX)
		fail(resolver, stmt, stmt->span.column,
		     "all stalls together are too long: at most 2147483647 "
		     "ticks");
}

static void resolve_weekly(struct resolver *resolver, const struct stmt *stmt)
{
	int64_t tick_ms = resolver->scenario->tick_ms;

	if (stmt->at.ms % tick_ms || DAY_MS % tick_ms)
		fail_ticks(resolver, stmt, stmt->at.column,
			   "time on each of these days");
}

static char *join_path(const char *base, const char *file)
{
	const char *slash = strrchr(base, '/');

	if (*file == '/' || !slash)
		return mem_copy(file, strlen(file));
	return mem_print("%.*s%s", (int)(slash - base + 1), base, file);
}

static void resolve_import(struct resolver *resolver, struct stmt *stmt)
{
	struct scenario *scenario = resolver->scenario;
	char *path = join_path(scenario->source.path, stmt->file);
	enum status status;

	status = trace_read(&stmt->trace, scenario, path,
			    stmt->span.ms ? stmt->span.ms : scenario->tick_ms,
			    scenario->tick_ms);
	if (status != STATUS_OK) {
		resolver->status = status;
		resolver->lacks_trace = true;
	}
	free(path);
}

static void resolve_stmt(struct resolver *resolver, struct stmt *stmt)
{
	bool on_wheel = !stmt_is_expectation(stmt);

	switch (stmt->kind) {
	case STMT_START:
		resolver->last_ms = resolver->start_ms;
		return;
	case STMT_TICK:
	case STMT_IMPORT:
		return;
	case STMT_WEEKLY:
		resolve_weekly(resolver, stmt);
		return;
	default:
		break;
	}
	resolve_span(resolver, stmt, &stmt->step, false);
	resolve_when(resolver, stmt, &stmt->at);
	resolve_when(resolver, stmt, &stmt->until);
	resolve_span(resolver, stmt, &stmt->span, on_wheel);
	resolve_span(resolver, stmt, &stmt->period, on_wheel);
	if (stmt->until.base != WHEN_NONE && stmt->until.tick < stmt->at.tick)
		fail(resolver, stmt, stmt->until.column,
		     "'until' is before 'from'");
	if (stmt->kind == STMT_STALL)
		resolve_stall(resolver, stmt);
}

/* The start is the time that the first line counts from, wherever it stands. */
static void resolve_start(struct resolver *resolver)
{
	struct scenario *scenario = resolver->scenario;
	struct stmt *tick = scenario_find(scenario, STMT_TICK);
	struct stmt *start = scenario_find(scenario, STMT_START);

	scenario->tick_ms = tick ? tick->span.ms : 1000;
	if (!start)
		return;
	resolver->start_ms = when_ms(resolver, &start->at);
	resolver->last_ms = resolver->start_ms;
	scenario->start = resolver->start_ms / scenario->tick_ms;
	if (resolver->start_ms % scenario->tick_ms)
		fail_ticks(resolver, start, start->at.column, "the start");
}

static void resolve_end(struct resolver *resolver)
{
	struct scenario *scenario = resolver->scenario;
	const struct source *source = &scenario->source;
	struct stmt *run = scenario_find(scenario, STMT_RUN);
	struct place last = { 1, 1 };

	if (run) {
		scenario->end = run->at.tick;
		return;
	}
	for (size_t i = 0; i + 1 < source->size; i++)
		if (source->text[i] == '\n')
			last.line++;
	diag_error(source, last,
		   "the scenario ends here without 'run until TIME'");
	resolver->status = STATUS_ERROR;
}

static bool arms(const struct stmt *stmt)
{
	return stmt->kind == STMT_ARM || stmt->kind == STMT_MOD ||
	       stmt->kind == STMT_POSTPONE || stmt->kind == STMT_WEEKLY ||
	       stmt->kind == STMT_RANDOM;
}

static void note_armed(struct scenario *scenario)
{
	for (size_t i = 0; i < scenario->n_stmts; i++) {
		const struct stmt *stmt = &scenario->stmts[i];

		for (size_t j = 0; arms(stmt) && j < stmt->n_refs; j++)
			scenario->names.armed[stmt->refs[j].id] = true;
	}
}

/* Reports the first timer of a statement that no statement arms. */
static void check_refs(struct resolver *resolver, const struct stmt *stmt)
{
	const struct names *names = &resolver->scenario->names;
	struct place place = stmt->place;
	struct near near;
	const char *name;
	size_t i = 0;

	while (i < stmt->n_refs && names->armed[stmt->refs[i].id])
		i++;
	if (i == stmt->n_refs)
		return;
	name = names->text[stmt->refs[i].id];
	near = diag_near(name, strlen(name));
	for (uint32_t id = 0; id < names->count; id++)
		if (names->armed[id] && diag_errors() < DIAG_SHOWN)
			diag_near_try(&near, names->text[id]);
	place.column = stmt->refs[i].column;
	diag_error(&resolver->scenario->source, place,
		   "timer '%s' is never armed%s", name, diag_near_hint(&near));
	resolver->status = STATUS_ERROR;
}

/* In a stall the wheel's clock is behind, and a delay counts from now. */
static void check_delays(struct resolver *resolver, const struct stmt *stmt)
{
	int64_t most = JIF_DELAY_MAX - resolver->stalled;

	if (!resolver->stalled || most < 0 || !(arms(stmt) || stmt->trace))
		return;
	if (stmt->span.ticks > most || stmt->period.ticks > most)
		fail(resolver, stmt, stmt->span.column,
		     "delay and stalls are together too long: at most "
		     "2147483647 ticks");
	for (size_t i = 0; stmt->trace && i < stmt->trace->n_rows; i++)
		if (stmt->trace->rows[i].expires - stmt->trace->rows[i].tick >
		    most) {
			fail(resolver, stmt, stmt->place.column,
			     "a delay in the trace and the stalls are together "
			     "too long: at most 2147483647 ticks");
			return;
		}
}

static void warn_of_end(const struct scenario *scenario,
			const struct stmt *stmt)
{
	struct place place = { stmt->place.line, stmt->at.column };

	if (stmt->at.base != WHEN_NONE && !stmt_is_expectation(stmt) &&
	    stmt->at.tick > scenario->end)
		diag_warn(&scenario->source, place,
			  "the run ends before that: this is never done");
}

enum status resolve_scenario(struct scenario *scenario)
{
	struct resolver resolver = { .scenario = scenario };

	resolve_start(&resolver);
	for (size_t i = 0; i < scenario->n_stmts; i++)
		if (scenario->stmts[i].kind == STMT_IMPORT)
			resolve_import(&resolver, &scenario->stmts[i]);
	note_armed(scenario);
	for (size_t i = 0; i < scenario->n_stmts; i++) {
		resolve_stmt(&resolver, &scenario->stmts[i]);
		if (!resolver.lacks_trace)
			check_refs(&resolver, &scenario->stmts[i]);
	}
	resolve_end(&resolver);
	for (size_t i = 0; i < scenario->n_stmts; i++) {
		check_delays(&resolver, &scenario->stmts[i]);
		if (resolver.status == STATUS_OK)
			warn_of_end(scenario, &scenario->stmts[i]);
	}
	return resolver.status;
}

/* A jiffy of a trace is a plain number. */
static bool read_when(struct resolver *resolver, struct cursor *cursor,
		      struct stmt *stmt)
{
	uint64_t number;

	if (!resolver->scenario->tick_ms) {
		if (!lex_number(cursor, "a jiffy", SPAN_MAX, &number))
			return false;
		stmt->at.tick = (int64_t)number;
		return lex_end(cursor);
	}
	if (!lex_when(cursor, &stmt->at) || !lex_end(cursor))
		return false;
	resolve_when(resolver, stmt, &stmt->at);
	return resolver->status == STATUS_OK;
}

enum status resolve_times(const struct scenario *scenario, const char *option,
			  const char *list, int64_t **ticks, size_t *n_ticks)
{
	struct scenario copy = *scenario;
	struct resolver resolver = { .scenario = &copy };
	struct cursor cursor;
	size_t room = 0;

	resolver.start_ms = scenario->start * scenario->tick_ms;
	resolver.last_ms = resolver.start_ms;
	copy.source = (struct source){
		.path = mem_copy(option, strlen(option)),
		.text = mem_copy(list, strlen(list)),
		.size = strlen(list),
	};
	for (char *at = copy.source.text; (at = strchr(at, ','));)
		*at = '\n';
	lex_init(&cursor, &copy.source);
	while (lex_line(&cursor)) {
		struct stmt stmt = { .place = lex_place(&cursor, cursor.at) };

		if (!read_when(&resolver, &cursor, &stmt)) {
			resolver.status = STATUS_USAGE;
			break;
		}
		*ticks = mem_grow(*ticks, &room, *n_ticks + 1, sizeof(**ticks));
		(*ticks)[(*n_ticks)++] = stmt.at.tick;
	}
	free(copy.source.path);
	free(copy.source.text);
	return resolver.status;
}
