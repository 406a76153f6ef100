/* SPDX-License-Identifier: MIT */
/*
 * report.c - what comes out of a run
 */
#include <inttypes.h>
#include <stdio.h>

#include "draw.h"
#include "expect.h"
#include "json.h"
#include "replay.h"
#include "report.h"

#define FIRINGS_SHOWN 40

static void print_json(const struct sim *sim, const struct firing *firing)
{
	json_start("fire");
	json_string("time", time_text(sim->scenario, firing->tick));
	json_number("tick", firing->tick - sim->scenario->start);
	json_string("timer", firing->timer->name);
	json_number("late", firing->ran - firing->tick);
	json_stop();
}

/* A blank line between things of different kinds. */
static void separate(struct report *report, bool firings)
{
	if (report->any && !(firings && report->firings))
		putchar('\n');
	report->any = true;
	report->firings = firings;
}

void report_fired(const struct sim *sim, const struct firing *firing)
{
	struct report *report = sim->report;
	const struct options *options = report->options;

	histogram_add(&report->lateness, firing->tick - firing->asked);
	if (options->quiet)
		return;
	if (options->json) {
		print_json(sim, firing);
		return;
	}
	if (report->fired++ >= FIRINGS_SHOWN && !options->all)
		return;
	separate(report, true);
	printf("%s  %s", time_text(sim->scenario, firing->tick),
	       firing->timer->name);
	if (firing->ran != firing->tick)
		printf("  (at %s, after a stall)",
		       time_text(sim->scenario, firing->ran));
	putchar('\n');
}

void report_frame(const struct sim *sim)
{
	if (sim->report->options->json) {
		draw_json(sim);
		return;
	}
	separate(sim->report, false);
	draw_wheels(sim);
}

static void print_json_expectation(const struct source *source,
				   const struct expectation *item, size_t shown)
{
	json_start("expectation");
	json_string("file", source->path);
	json_number("line", item->stmt->place.line);
	json_number("column", item->stmt->place.column);
	json_key("met");
	fputs(item->failures ? "false" : "true", stdout);
	json_number("failures", item->failures);
	json_key("messages");
	for (size_t i = 0; i < shown; i++) {
		putchar(i ? ',' : '[');
		json_text(item->message[i]);
	}
	fputs(shown ? "]" : "[]", stdout);
	json_stop();
}

static void print_expectation(const struct sim *sim,
			      const struct expectation *item)
{
	const struct source *source = &sim->scenario->source;
	struct place place = item->stmt->place;
	size_t shown = item->failures < MESSAGES_SHOWN ?
			       (size_t)item->failures :
			       MESSAGES_SHOWN;

	for (size_t i = 0; i < shown; i++)
		diag_fail(source, place, item->message[i]);
	if (item->failures > MESSAGES_SHOWN)
		fprintf(stderr, "%s:%u:%u: %" PRId64 " more of these\n",
			source->path, place.line, place.column,
			item->failures - MESSAGES_SHOWN);
	if (sim->report->options->json)
		print_json_expectation(source, item, shown);
}

static void print_summary(const struct sim *sim)
{
	const struct scenario *scenario = sim->scenario;
	const struct stats *stats = &sim->stats;

	printf("simulated     %s to %s, %s ticks of %s\n",
	       time_text(scenario, scenario->start),
	       time_text(scenario, scenario->end),
	       count_text(scenario->end - scenario->start),
	       span_text(scenario, 1));
	printf("timers        %s, at most %s pending, %s at the end\n",
	       count_text(scenario->names.count), count_text(stats->peak),
	       count_text(stats->pending));
	printf("armed         %s, %s of them while pending; %s postponed\n",
	       count_text(stats->armed), count_text(stats->rearmed),
	       count_text(stats->postponed));
	printf("fired         %s", count_text(stats->fired));
	if (stats->late)
		printf(", %s of them late, by at most %s",
		       count_text(stats->late),
		       span_text(scenario, stats->latest));
	printf("\ncancelled     %s; %s drained\n", count_text(stats->cancelled),
	       count_text(stats->drained));
	printf("cascaded      %s from day, %s from hour, %s from min\n",
	       count_text(stats->moved[DAY]), count_text(stats->moved[HOUR]),
	       count_text(stats->moved[MIN]));
	if (stats->again)
		printf("placed anew   %s\n", count_text(stats->again));
	if (stats->worst)
		printf("worst tick    %s moved at %s\n",
		       count_text(stats->worst),
		       time_text(scenario, stats->worst_tick));
	if (sim->expect->n_items)
		printf("expectations  %zu met, %zu failed\n",
		       sim->expect->n_items - sim->expect->n_failed,
		       sim->expect->n_failed);
}

static void print_json_summary(const struct sim *sim)
{
	const struct scenario *scenario = sim->scenario;
	const struct stats *stats = &sim->stats;
	size_t failed = sim->expect->n_failed;

	json_start("summary");
	json_string("start", time_text(scenario, scenario->start));
	json_string("end", time_text(scenario, scenario->end));
	json_number("ticks", scenario->end - scenario->start);
	json_number("tick_ms", scenario->tick_ms);
	json_number("timers", scenario->names.count);
	json_number("armed", stats->armed);
	json_number("rearmed", stats->rearmed);
	json_number("postponed", stats->postponed);
	json_number("fired", stats->fired);
	json_number("late", stats->late);
	json_number("latest", stats->latest);
	json_number("cancelled", stats->cancelled);
	json_number("drained", stats->drained);
	replay_json_moved(stats);
	json_number("placed_anew", stats->again);
	json_number("worst", stats->worst);
	json_string("worst_at",
		    stats->worst ? time_text(scenario, stats->worst_tick) : "");
	json_number("peak_pending", stats->peak);
	json_number("pending", stats->pending);
	json_number("met", (int64_t)(sim->expect->n_items - failed));
	json_number("failed", (int64_t)failed);
	json_stop();
}

void report_stop(const struct sim *sim)
{
	struct report *report = sim->report;
	const struct options *options = report->options;
	const struct scenario *scenario = sim->scenario;

	fflush(stdout);
	for (size_t i = 0; i < scenario->n_stmts; i++)
		if (stmt_is_expectation(&scenario->stmts[i]))
			print_expectation(sim, &sim->expect->items[i]);
	if (options->json) {
		options->replay ? replay_json(sim, &report->lateness) :
				  print_json_summary(sim);
		return;
	}
	if (!options->all && report->fired > FIRINGS_SHOWN)
		printf("... %s more\n",
		       count_text(report->fired - FIRINGS_SHOWN));
	separate(report, false);
	options->replay ? replay_print(sim, &report->lateness) :
			  print_summary(sim);
}
