/* SPDX-License-Identifier: MIT */
/*
 * report.c - what comes out of a run
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "draw.h"
#include "expect.h"
#include "json.h"
#include "live.h"
#include "progress.h"
#include "replay.h"
#include "report.h"

#define FIRINGS_SHOWN 40

void report_start(struct report *report, const struct options *options,
		  const struct scenario *scenario, size_t n_frames)
{
	bool quiet = options->watch || (options->all && isatty(STDOUT_FILENO));

	*report = (struct report){
		.options = options,
		.color = args_color(options, STDOUT_FILENO),
		.started = progress_seconds(),
	};
	if (options->watch)
		live_start(options->watch, n_frames, report->color);
	progress_start(!quiet && isatty(STDERR_FILENO), scenario->start,
		       scenario->end);
}

static void print_json(const struct sim *sim, const struct firing *firing)
{
	char time[TIME_LENGTH];

	json_start(stdout, "fire");
	json_string(stdout, "time",
		    time_print(time, sim->scenario, firing->tick));
	json_number(stdout, "tick", firing->tick - sim->scenario->start);
	json_string(stdout, "timer", firing->timer->name);
	json_number(stdout, "late", firing->ran - firing->tick);
	json_stop(stdout);
}

/* A blank line between things of different kinds. */
static void separate(struct report *report, bool firings)
{
	if (report->any && !(firings && report->firings))
		putchar('\n');
	report->any = true;
	report->firings = firings;
}

static void print_firing(struct report *report, const struct sim *sim,
			 const struct firing *firing)
{
	char time[TIME_LENGTH];

	if (report->fired++ >= FIRINGS_SHOWN && !report->options->all)
		return;
	separate(report, true);
	printf("%s  %s", time_print(time, sim->scenario, firing->tick),
	       firing->timer->name);
	if (firing->ran != firing->tick)
		printf("  (at %s, after a stall)",
		       time_print(time, sim->scenario, firing->ran));
	putchar('\n');
}

void report_fire(struct report *report, const struct sim *sim,
		 const struct firing *firing)
{
	const struct options *options = report->options;

	progress_update(firing->tick);
	if (report->lateness)
		histogram_add(report->lateness, firing->tick - firing->asked);
	if (options->watch)
		live_fire(firing);
	if (options->quiet || options->watch)
		return;
	if (options->json)
		print_json(sim, firing);
	else
		print_firing(report, sim, firing);
}

void report_frame(struct report *report, const struct sim *sim)
{
	if (report->options->watch) {
		live_frame(sim);
		report->any = true;
	} else if (report->options->json) {
		draw_json(stdout, sim);
	} else {
		separate(report, false);
		draw_wheels(stdout, sim, report->color);
	}
}

/* How many of an expectation's failures there is a message about. */
static size_t count_messages(const struct expectation *item)
{
	return item->failures < MESSAGES_SHOWN ? (size_t)item->failures :
						 MESSAGES_SHOWN;
}

static void print_failures(const struct source *source,
			   const struct expectation *item)
{
	struct place place = item->stmt->place;
	size_t shown = count_messages(item);

	for (size_t i = 0; i < shown; i++)
		diag_fail(source, place, item->message[i]);
	if (item->failures > shown)
		fprintf(stderr, "%s:%u:%u: %" PRIu64 " more of these\n",
			source->path, place.line, place.column,
			item->failures - shown);
}

static void print_json_expectation(const struct source *source,
				   const struct expectation *item)
{
	size_t shown = count_messages(item);

	json_start(stdout, "expectation");
	json_string(stdout, "file", source->path);
	json_number(stdout, "line", item->stmt->place.line);
	json_number(stdout, "column", item->stmt->place.column);
	json_bool(stdout, "met", !item->failures);
	json_count(stdout, "failures", item->failures);
	json_key(stdout, "messages");
	putchar('[');
	for (size_t i = 0; i < shown; i++) {
		if (i)
			putchar(',');
		json_text(stdout, item->message[i]);
	}
	putchar(']');
	json_stop(stdout);
}

static void print_expectations(const struct report *report,
			       const struct sim *sim)
{
	const struct source *source = &sim->scenario->source;

	for (size_t i = 0; i < sim->expect->n_items; i++) {
		print_failures(source, &sim->expect->items[i]);
		if (report->options->json)
			print_json_expectation(source, &sim->expect->items[i]);
	}
}

static void print_stats(const struct sim *sim)
{
	const struct stats *stats = &sim->stats;
	char a[TIME_LENGTH], b[TIME_LENGTH], c[TIME_LENGTH];

	printf("timers        %s, at most %s pending, %s at the end\n",
	       count_print(a, sim->scenario->names.count),
	       count_print(b, stats->peak), count_print(c, stats->pending));
	printf("armed         %s, %s of them while pending; %s postponed\n",
	       count_print(a, stats->armed), count_print(b, stats->rearmed),
	       count_print(c, stats->postponed));
	printf("fired         %s", count_print(a, stats->fired));
	if (stats->late)
		printf(", %s of them late, by at most %s",
		       count_print(a, stats->late),
		       span_print(b, sim->scenario, stats->latest));
	printf("\ncancelled     %s; %s drained\n",
	       count_print(a, stats->cancelled),
	       count_print(b, stats->drained));
	printf("cascaded      %s from day, %s from hour, %s from min\n",
	       count_print(a, stats->moved[DAY]),
	       count_print(b, stats->moved[HOUR]),
	       count_print(c, stats->moved[MIN]));
	if (stats->again)
		printf("placed anew   %s\n", count_print(a, stats->again));
	if (stats->worst)
		printf("worst tick    %s moved at %s\n",
		       count_print(a, stats->worst),
		       time_print(b, sim->scenario, stats->worst_tick));
}

static void print_summary(const struct sim *sim)
{
	const struct scenario *scenario = sim->scenario;
	char a[TIME_LENGTH], b[TIME_LENGTH], c[TIME_LENGTH];

	printf("simulated     %s to %s, ",
	       time_print(a, scenario, scenario->start),
	       time_print(b, scenario, scenario->end));
	count_print(a, (uint64_t)(scenario->end - scenario->start));
	printf("%s ticks of %s\n", a, span_print(c, scenario, 1));
	print_stats(sim);
	if (sim->expect->n_items)
		printf("expectations  %zu met, %zu failed\n",
		       sim->expect->n_items - sim->expect->n_failed,
		       sim->expect->n_failed);
}

static void print_json_summary(const struct sim *sim)
{
	const struct scenario *scenario = sim->scenario;
	const struct stats *stats = &sim->stats;
	char time[TIME_LENGTH];

	json_start(stdout, "summary");
	json_string(stdout, "start",
		    time_print(time, scenario, scenario->start));
	json_string(stdout, "end", time_print(time, scenario, scenario->end));
	json_number(stdout, "ticks", scenario->end - scenario->start);
	json_number(stdout, "tick_ms", scenario->tick_ms);
	json_count(stdout, "timers", scenario->names.count);
	json_count(stdout, "armed", stats->armed);
	json_count(stdout, "rearmed", stats->rearmed);
	json_count(stdout, "postponed", stats->postponed);
	json_count(stdout, "fired", stats->fired);
	json_count(stdout, "late", stats->late);
	json_number(stdout, "latest", stats->latest);
	json_count(stdout, "cancelled", stats->cancelled);
	json_count(stdout, "drained", stats->drained);
	json_key(stdout, "cascaded");
	printf("{\"day\":%" PRIu64 ",\"hour\":%" PRIu64 ",\"min\":%" PRIu64 "}",
	       stats->moved[DAY], stats->moved[HOUR], stats->moved[MIN]);
	json_count(stdout, "placed_anew", stats->again);
	json_count(stdout, "worst", stats->worst);
	json_string(stdout, "worst_at",
		    stats->worst ?
			    time_print(time, scenario, stats->worst_tick) :
			    "");
	json_count(stdout, "peak_pending", stats->peak);
	json_count(stdout, "pending", stats->pending);
	json_count(stdout, "met", sim->expect->n_items - sim->expect->n_failed);
	json_count(stdout, "failed", sim->expect->n_failed);
	json_stop(stdout);
}

static void print_text(struct report *report, const struct sim *sim)
{
	char more[TIME_LENGTH];

	if (!report->options->all && report->fired > FIRINGS_SHOWN)
		printf("... %s more\n",
		       count_print(more, report->fired - FIRINGS_SHOWN));
	separate(report, false);
	if (report->options->command == COMMAND_REPLAY)
		replay_print(report, sim);
	else
		print_summary(sim);
}

/* How fast it went: not the same twice, so it is no part of the output. */
static void print_time(const struct report *report, const struct sim *sim)
{
	const struct scenario *scenario = sim->scenario;
	double real = progress_seconds() - report->started;
	int64_t ticks = scenario->end - scenario->start;
	char span[TIME_LENGTH];

	if (real < 1e-6)
		real = 1e-6;
	fprintf(stderr, "took %.3f s", real);
	if (scenario->tick_ms)
		fprintf(stderr, " for %s: %.0f times real time",
			span_print(span, scenario, ticks),
			(double)ticks * (double)scenario->tick_ms / 1000 /
				real);
	fprintf(stderr, "; %.0f firings a second\n",
		(double)sim->stats.fired / real);
}

void report_stop(struct report *report, const struct sim *sim)
{
	const struct options *options = report->options;
	bool replay = options->command == COMMAND_REPLAY;

	progress_stop();
	if (options->watch)
		live_stop();
	fflush(stdout);
	print_expectations(report, sim);
	if (options->json && replay)
		replay_json(report, sim);
	else if (options->json)
		print_json_summary(sim);
	else
		print_text(report, sim);
	fflush(stdout);
	if (options->time)
		print_time(report, sim);
}
