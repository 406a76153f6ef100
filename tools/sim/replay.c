/* SPDX-License-Identifier: MIT */
/*
 * replay.c - the replay of a trace, and what comes out of it
 */
#include <inttypes.h>
#include <stdio.h>

#include "json.h"
#include "mem.h"
#include "replay.h"
#include "trace.h"

#define BAR_WIDTH 24

enum status replay_read(struct scenario *scenario, const char *path)
{
	struct stmt stmt = { .kind = STMT_IMPORT, .place = { 1, 1 } };
	enum status status = trace_read(&stmt.trace, scenario, path, 1, 1);

	scenario->source.path = mem_print("%s", path);
	scenario->source.text = mem_print("%s", "");
	if (stmt.trace->n_rows)
		scenario->end = stmt.trace->rows[stmt.trace->n_rows - 1].tick;
	scenario_add(scenario, &stmt);
	return status;
}

static double percent(int64_t part, int64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_row(const char *label, int64_t theirs, int64_t ours,
		      const struct histogram *recorder,
		      const struct histogram *jif)
{
	double part = percent(theirs, recorder->total);
	int bar = (int)(part * BAR_WIDTH / 100 + 0.5);

	if (!theirs && !ours)
		return;
	printf("  %11s %11s %5.1f %% %11s %5.1f %%%s%.*s\n", label,
	       count_text(theirs), part, count_text(ours),
	       percent(ours, jif->total), bar ? "  " : "", bar,
	       "########################");
}

/* One by one at first, then twice as many in each row. */
static void print_lateness(const struct histogram *recorder,
			   const struct histogram *jif)
{
	int from = 0, to = 0;
	char label[32];

	printf("\njiffies late          recorder                 jif\n");
	print_row("early", recorder->early, jif->early, recorder, jif);
	while (from < HISTOGRAM_EXACT) {
		int64_t theirs = 0, ours = 0;

		snprintf(label, sizeof(label), from == to ? "%d" : "%d-%d",
			 from, to);
		for (int i = from; i <= to && i < HISTOGRAM_EXACT; i++) {
			theirs += recorder->exact[i];
			ours += jif->exact[i];
		}
		print_row(label, theirs, ours, recorder, jif);
		from = to + 1;
		to = from <= 8 ? from : from * 2 - 2;
	}
	print_row("more", recorder->more, jif->more, recorder, jif);
	for (int i = 50; i < 100; i += i == 50 ? 40 : 9)
		printf("          p%d %11" PRId64 " %19" PRId64 "\n", i,
		       histogram_percentile(recorder, i),
		       histogram_percentile(jif, i));
	printf("  %11s %11" PRId64 " %19" PRId64 "\n", "most", recorder->max,
	       jif->max);
}

static double per_start(const struct trace *trace, int64_t moved)
{
	int64_t starts = trace->count[ROW_START];

	return starts ? (double)moved / (double)starts : 0;
}

void replay_print(const struct sim *sim, const struct histogram *jif)
{
	const struct trace *trace = sim->scenario->stmts[0].trace;
	const struct stats *stats = &sim->stats;

	printf("rows       %s, from jiffy 0 to %s\n",
	       count_text((int64_t)trace->n_rows),
	       count_text(sim->scenario->end));
	printf("timers     %s, at most %s pending, %s at the end\n",
	       count_text(sim->scenario->names.count), count_text(stats->peak),
	       count_text(stats->pending));
	printf("starts     %s, %s of them while pending\n",
	       count_text(trace->count[ROW_START]), count_text(stats->rearmed));
	printf("cancels    %s hit, %s late, %s of timers not armed\n",
	       count_text(stats->cancelled), count_text(stats->missed),
	       count_text(stats->idle));
	printf("fires      %s, %s off their exact tick\n",
	       count_text(stats->fired), count_text(stats->off));
	printf("moves      %.3f from min, %.3f from hour, %.3f from day "
	       "per start\n",
	       per_start(trace, stats->moved[MIN]),
	       per_start(trace, stats->moved[HOUR]),
	       per_start(trace, stats->moved[DAY]));
	if (stats->worst)
		printf("worst tick %s moved at jiffy %s\n",
		       count_text(stats->worst), count_text(stats->worst_tick));
	print_lateness(&trace->lateness, jif);
}

static void json_lateness(const char *of, const struct histogram *histogram)
{
	const char *comma = "";

	json_start("lateness");
	json_string("of", of);
	json_number("expiries", histogram->total);
	json_number("early", histogram->early);
	json_number("p50", histogram_percentile(histogram, 50));
	json_number("p90", histogram_percentile(histogram, 90));
	json_number("p99", histogram_percentile(histogram, 99));
	json_number("max", histogram->max);
	json_key("jiffies");
	putchar('{');
	for (int i = 0; i < HISTOGRAM_EXACT; i++) {
		if (!histogram->exact[i])
			continue;
		printf("%s\"%d\":%" PRId64, comma, i, histogram->exact[i]);
		comma = ",";
	}
	putchar('}');
	json_number("more", histogram->more);
	json_stop();
}

void replay_json_moved(const struct stats *stats)
{
	json_key("cascaded");
	printf("{\"day\":%" PRId64 ",\"hour\":%" PRId64 ",\"min\":%" PRId64 "}",
	       stats->moved[DAY], stats->moved[HOUR], stats->moved[MIN]);
}

void replay_json(const struct sim *sim, const struct histogram *jif)
{
	const struct trace *trace = sim->scenario->stmts[0].trace;
	const struct stats *stats = &sim->stats;

	json_lateness("recorder", &trace->lateness);
	json_lateness("jif", jif);
	json_start("summary");
	json_number("rows", (int64_t)trace->n_rows);
	json_number("timers", sim->scenario->names.count);
	json_number("ticks", sim->scenario->end);
	json_number("starts", trace->count[ROW_START]);
	json_number("rearmed", stats->rearmed);
	json_number("cancels_hit", stats->cancelled);
	json_number("cancels_late", stats->missed);
	json_number("cancels_idle", stats->idle);
	json_number("fired", stats->fired);
	json_number("off", stats->off);
	replay_json_moved(stats);
	json_number("worst", stats->worst);
	json_number("worst_at", stats->worst ? stats->worst_tick : -1);
	json_number("peak_pending", stats->peak);
	json_number("pending", stats->pending);
	json_stop();
}
