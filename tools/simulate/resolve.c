/* SPDX-License-Identifier: MIT */
/*
 * resolve.c - from a file to what it means
 *
 * A second pass over the statements: what a time means depends on the start
 * and on the length of a tick, which may stand anywhere in the file.
 */
#include <stdlib.h>
#include <string.h>

#include "scenario.h"

struct resolver {
	struct scenario *scenario;
	int64_t tick_us;
	int64_t start_us;	   /* since the midnight of day 0 */
	int64_t last_us;	   /* the time that was written last */
	int64_t stalled;	   /* the ticks of all stalls so far */
	int64_t stalls;		   /* how many */
	int64_t starved;	   /* the ticks of a starving */
	enum status status;	   /* of the traces that are imported */
	enum when_base other_days; /* how to write those not mentioned */
};

/* Microseconds since the midnight of day 0. */
static int64_t when_us(const struct resolver *resolver, const struct when *when)
{
	int64_t day = resolver->start_us / DAY_US;

	if (when->base == WHEN_AFTER)
		return resolver->last_us + when->us;
	if (when->base == WHEN_DAY)
		day = when->day;
	else if (when->base == WHEN_WEEKDAY)
		day += (when->day + 7 - day % 7) % 7;
	return day * DAY_US + when->us;
}

static void fail_ticks(const struct resolver *resolver, struct place place,
		       const char *what)
{
	diag_error(place, "%s is not a whole number of ticks of %s", what,
		   span_text(resolver->scenario, 1));
}

static void resolve_when(struct resolver *resolver, struct when *when)
{
	const struct scenario *scenario = resolver->scenario;
	int64_t us;

	if (when->base == WHEN_NONE)
		return;
	us = when_us(resolver, when);
	when->tick = us / resolver->tick_us;
	if (us >= SPAN_MAX)
		diag_error(when->place,
			   "time is too far: day d9999999 is the last one");
	else if (us % resolver->tick_us)
		fail_ticks(resolver, when->place, "time");
	else if (us < resolver->start_us)
		diag_error(when->place,
			   "time is before the start, which is at %s; "
			   "a later day is written tue 08:30 or d1 08:30",
			   time_text(scenario, scenario->start));
	if (us < SPAN_MAX)
		resolver->last_us = us;
}

static void resolve_span(const struct resolver *resolver, struct span *span,
			 bool on_wheel)
{
	if (!span->place.line)
		return;
	span->ticks = span->us / resolver->tick_us;
	if (span->us % resolver->tick_us)
		fail_ticks(resolver, span->place, "duration");
	else if (on_wheel && span->ticks > JIF_DELAY_MAX)
		diag_error(span->place,
			   "duration is too long: at most 2147483647 ticks");
}

/* A name that is relative is looked for beside the scenario. */
static void resolve_import(struct resolver *resolver, struct stmt *stmt)
{
	const char *base = resolver->scenario->source.path;
	const char *slash = *stmt->file == '/' ? NULL : strrchr(base, '/');
	char *path = mem_print("%.*s%s%s", slash ? (int)(slash - base + 1) : 0,
			       base, strcmp(stmt->file, "-") ? "" : "./",
			       stmt->file);
	enum status status = STATUS_ERROR;

	if (!stmt->span.us)
		stmt->span.us = resolver->tick_us;
	if (!resolver->scenario->import_anywhere &&
	    !source_is_below(path, base))
		diag_error(stmt->place,
			   "the file is outside of the scenario's folder: "
			   "--import-anywhere reads it");
	else
		status = trace_read(&stmt->trace, resolver->scenario, path,
				    stmt->span.us, resolver->tick_us);
	if (status != STATUS_OK)
		resolver->status = status;
	free(path);
}

/* Alarms of one day to come back after a week. */
static void resolve_weekly(const struct resolver *resolver, struct stmt *stmt)
{
	if (stmt->at.us % resolver->tick_us || DAY_US % resolver->tick_us)
		fail_ticks(resolver, stmt->at.place,
			   "time on each of these days");
	stmt->period.ticks = 7 * DAY_US / resolver->tick_us;
	if (stmt->period.ticks > JIF_DELAY_MAX)
		diag_error(stmt->at.place,
			   "a week is too long for ticks of %s: at most "
			   "2147483647 ticks",
			   span_text(resolver->scenario, 1));
}

/* For how long the main loop may be stuck: a stall can join two starvings. */
static int64_t longest_stall(const struct resolver *resolver)
{
	return resolver->stalled + (resolver->stalls + 1) * resolver->starved;
}

static void resolve_stall(struct resolver *resolver, struct stmt *stmt)
{
	if (stmt->kind == STMT_STALL) {
		resolver->stalled += stmt->span.ticks;
		resolver->stalls++;
	} else {
		resolver->starved = stmt->span.ticks;
		stmt->until.tick = INT64_MAX;
		if (stmt->span.us > stmt->step.us)
			diag_error(stmt->span.place,
				   "the main loop would never run: it is stuck "
				   "for longer than from one time to the next");
	}
	/* The wheel tells the future from the past within 2^31 ticks. */
	if (longest_stall(resolver) > JIF_DELAY_MAX)
		diag_error(stmt->span.place,
			   "all stalls together are too long: at most "
			   "2147483647 ticks");
}

static void resolve_stmt(struct resolver *resolver, struct stmt *stmt)
{
	bool on_wheel = !stmt_is_expectation(stmt);

	if (stmt->kind == STMT_START)
		resolver->last_us = resolver->start_us;
	if (stmt->kind == STMT_WEEKLY)
		resolve_weekly(resolver, stmt);
	if (stmt->kind <= STMT_TICK || stmt->kind == STMT_WEEKLY ||
	    stmt->kind == STMT_IMPORT)
		return;
	resolve_span(resolver, &stmt->step, false);
	resolve_when(resolver, &stmt->at);
	resolve_when(resolver, &stmt->until);
	resolve_span(resolver, &stmt->span, on_wheel);
	resolve_span(resolver, &stmt->period, on_wheel);
	if (stmt->until.base != WHEN_NONE && stmt->until.tick < stmt->at.tick)
		diag_error(stmt->until.place, "'until' is before 'from'");
	if (stmt->kind == STMT_STALL || stmt->kind == STMT_STARVE)
		resolve_stall(resolver, stmt);
}

/* The start is the time that the first line counts from, wherever it stands. */
static void resolve_start(struct resolver *resolver)
{
	struct scenario *scenario = resolver->scenario;
	struct stmt *tick = scenario_find(scenario, STMT_TICK);
	struct stmt *start = scenario_find(scenario, STMT_START);

	scenario->tick_us = tick ? tick->span.us : 1000000;
	resolver->tick_us = scenario->tick_us;
	if (!start)
		return;
	resolver->start_us = when_us(resolver, &start->at);
	resolver->last_us = resolver->start_us;
	scenario->start = resolver->start_us / scenario->tick_us;
	if (resolver->start_us % scenario->tick_us)
		fail_ticks(resolver, start->at.place, "the start");
}

/* Of a day that is written in both ways, the name counts. */
static void note_day(struct resolver *resolver, const struct when *when)
{
	enum when_base *days = resolver->scenario->days;
	int64_t ahead =
		when_us(resolver, when) / DAY_US - resolver->start_us / DAY_US;

	if (when->base != WHEN_DAY && when->base != WHEN_WEEKDAY)
		return;
	if (when->base == WHEN_WEEKDAY)
		resolver->other_days = WHEN_WEEKDAY;
	if (ahead >= 0 && ahead < 7 && days[ahead] != WHEN_WEEKDAY)
		days[ahead] = when->base;
}

/* How the days of the output are written, which is how the scenario does. */
static void resolve_days(struct resolver *resolver)
{
	struct scenario *scenario = resolver->scenario;

	for (size_t i = 0; i < scenario->n_stmts; i++) {
		note_day(resolver, &scenario->stmts[i].at);
		note_day(resolver, &scenario->stmts[i].until);
	}
	for (int i = 1; i < 7; i++)
		if (scenario->days[i] == WHEN_NONE)
			scenario->days[i] = resolver->other_days;
}

static void resolve_end(const struct resolver *resolver)
{
	struct scenario *scenario = resolver->scenario;
	const struct source *source = &scenario->source;
	struct stmt *run = scenario_find(scenario, STMT_RUN);
	struct place last = { source, 1, 1 };

	if (run) {
		scenario->end = run->at.tick;
		return;
	}
	for (size_t i = 0; i + 1 < source->size; i++)
		last.line += source->text[i] == '\n';
	diag_error(last, "the scenario ends here without 'run until TIME'");
}

/* Reports the first timer of some that no statement arms. */
static void check_refs(const struct resolver *resolver, const struct ref *refs,
		       size_t n_refs)
{
	const struct names *names = &resolver->scenario->names;
	const char *text;
	struct near near;
	size_t i = 0;

	while (i < n_refs && names->name[refs[i].id].armed)
		i++;
	if (i == n_refs)
		return;
	text = names->name[refs[i].id].text;
	near = near_word(text, strlen(text));
	for (uint32_t id = 0; id < names->count; id++)
		if (names->name[id].armed && diag_errors < DIAG_SHOWN)
			near_try(&near, names->name[id].text);
	diag_error(refs[i].place, "timer '%s' is never armed%s", text,
		   near_hint(&near));
}

static void check_names(const struct resolver *resolver,
			const struct stmt *stmt)
{
	check_refs(resolver, stmt->on, stmt->n_on);
	check_refs(resolver, stmt->refs, stmt->n_refs);
	if (stmt->n_on > 1 && stmt->n_refs > 1 && stmt->n_on != stmt->n_refs)
		diag_error(stmt->refs->place,
			   "one timer, or as many as fire: %zu, not %zu",
			   stmt->n_on, stmt->n_refs);
}

/* In a stall the wheel's clock is behind, and a delay counts from now. */
static void check_delays(const struct resolver *resolver,
			 const struct stmt *stmt)
{
	int64_t most = JIF_DELAY_MAX - longest_stall(resolver);
	size_t i = 0;

	if (most == JIF_DELAY_MAX || most < 0 ||
	    !(stmt_arms(stmt) || stmt->trace) || stmt->kind == STMT_WEEKLY)
		return;
	if (stmt->span.ticks > most || stmt->period.ticks > most)
		diag_error(stmt->span.place,
			   "delay and stalls are together too long: at most "
			   "2147483647 ticks");
	if (!stmt->trace)
		return;
	while (i < stmt->trace->n_rows &&
	       stmt->trace->rows[i].expires - stmt->trace->rows[i].tick <= most)
		i++;
	if (i < stmt->trace->n_rows)
		diag_error(stmt->place,
			   "a delay in the trace and the stalls are together "
			   "too long: at most 2147483647 ticks");
}

static enum status resolve_scenario(struct scenario *scenario)
{
	struct resolver resolver = {
		.scenario = scenario,
		.other_days = WHEN_DAY,
	};
	unsigned errors;
	bool timely; /* times and the end are known */

	resolve_start(&resolver);
	resolve_days(&resolver);
	errors = diag_errors;
	for (size_t i = 0; i < scenario->n_stmts; i++)
		if (scenario->stmts[i].kind == STMT_IMPORT)
			resolve_import(&resolver, &scenario->stmts[i]);
	errors = diag_errors - errors;
	for (size_t i = 0; i < scenario->n_stmts; i++) {
		resolve_stmt(&resolver, &scenario->stmts[i]);
		if (resolver.status == STATUS_OK)
			check_names(&resolver, &scenario->stmts[i]);
	}
	resolve_end(&resolver);
	timely = !diag_errors;
	for (size_t i = 0; i < scenario->n_stmts; i++) {
		const struct stmt *stmt = &scenario->stmts[i];

		check_delays(&resolver, stmt);
		if (timely && stmt->at.base != WHEN_NONE &&
		    stmt->at.tick > scenario->end)
			diag_error(stmt->at.place,
				   "time is after the end of the run, "
				   "which is at %s",
				   time_text(scenario, scenario->end));
	}
	return diag_errors > errors ? STATUS_ERROR : resolver.status;
}

/* Is that a trace? By its header, or if that is wrong, by its name. */
static bool is_trace(const struct source *source)
{
	static const char *const endings[] = { ".csv", ".csv.gz", ".csv.xz" };
	const char *end = source->path + strlen(source->path);

	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++)
		if (end - source->path >= (ptrdiff_t)strlen(endings[i]) &&
		    !strcmp(end - strlen(endings[i]), endings[i]))
			return true;
	return !strncmp(source->text, "t_jiffies", 9);
}

enum status read_scenario(struct scenario *scenario, const char *path)
{
	enum status status = source_read(&scenario->source, path);

	if (status != STATUS_OK)
		return status;
	if (is_trace(&scenario->source)) {
		diag_file(&scenario->source,
			  "is a trace, not a scenario: use 'jifsim replay'");
		return STATUS_ERROR;
	}
	parse_scenario(scenario);
	return diag_errors ? STATUS_ERROR : resolve_scenario(scenario);
}

enum status read_trace(struct scenario *scenario, const char *path)
{
	struct stmt stmt = { .kind = STMT_IMPORT,
			     .place = { &scenario->source, 1, 1 } };
	enum status status =
		trace_read(&stmt.trace, scenario, path, 1000, 1000);

	scenario->source.path = mem_print("%s", path);
	scenario->source.text = mem_print("%s", "");
	if (stmt.trace->n_rows)
		scenario->end = stmt.trace->rows[stmt.trace->n_rows - 1].tick;
	scenario_add(scenario, &stmt);
	return status;
}
