/* SPDX-License-Identifier: MIT */
/*
 * replay.c - what comes out of the replay of a trace
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "json.h"
#include "mem.h"
#include "replay.h"

#define BAR_WIDTH 24

enum status replay_read(struct scenario *scenario, const char *path)
{
	struct stmt stmt = { .kind = STMT_IMPORT, .place = { 1, 1 } };
	enum status status = trace_read(&stmt.trace, scenario, path, 1, 1);

	scenario->source.path = mem_copy(path, strlen(path));
	scenario->source.text = mem_copy("", 0);
	if (stmt.trace->n_rows)
		scenario->end = stmt.trace->rows[stmt.trace->n_rows - 1].tick;
	scenario_add(scenario, &stmt);
	return status;
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_row(const char *label, uint64_t theirs, uint64_t ours,
		      const struct histogram *recorder,
		      const struct histogram *jif)
{
	char count[TIME_LENGTH];
	double part = percent(theirs, recorder->total);
	int bar = (int)(part * BAR_WIDTH / 100 + 0.5);

	if (!theirs && !ours)
		return;
	printf("  %11s %11s %5.1f %%", label, count_print(count, theirs), part);
	printf(" %11s %5.1f %%%s", count_print(count, ours),
	       percent(ours, jif->total), bar ? "  " : "");
	for (int i = 0; i < bar; i++)
		putchar('#');
	putchar('\n');
}

/* One by one at first, then twice as many in each row. */
static void print_lateness(const struct histogram *recorder,
			   const struct histogram *jif)
{
	int64_t from = 0, to = 0;
	char label[2 * TIME_LENGTH];

	printf("\njiffies late          recorder                 jif\n");
	print_row("early", recorder->early, jif->early, recorder, jif);
	while (from < HISTOGRAM_EXACT) {
		if (from == to)
			snprintf(label, sizeof(label), "%" PRId64, from);
		else
			snprintf(label, sizeof(label), "%" PRId64 "-%" PRId64,
				 from, to);
		print_row(label, histogram_count(recorder, from, to),
			  histogram_count(jif, from, to), recorder, jif);
		from = to + 1;
		to = from <= 8 ? from : from * 2 - 2;
	}
	print_row("more", recorder->more, jif->more, recorder, jif);
	for (unsigned i = 50; i < 100; i += i == 50 ? 40 : 9) {
		snprintf(label, sizeof(label), "p%u", i);
		printf("  %11s %11" PRId64 " %19" PRId64 "\n", label,
		       histogram_percentile(recorder, i),
		       histogram_percentile(jif, i));
	}
	printf("  %11s %11" PRId64 " %19" PRId64 "\n", "most", recorder->max,
	       jif->max);
}

static double per_start(const struct trace *trace, uint64_t moved)
{
	uint64_t starts = trace->count[ROW_START];

	return starts ? (double)moved / (double)starts : 0;
}

void replay_print(const struct report *report, const struct sim *sim)
{
	const struct trace *trace = sim->scenario->stmts[0].trace;
	const struct stats *stats = &sim->stats;
	char a[TIME_LENGTH], b[TIME_LENGTH], c[TIME_LENGTH];

	printf("rows       %s, from jiffy 0 to %s\n",
	       count_print(a, trace->n_rows),
	       count_print(b, (uint64_t)sim->scenario->end));
	printf("timers     %s, at most %s pending, %s at the end\n",
	       count_print(a, sim->scenario->names.count),
	       count_print(b, stats->peak), count_print(c, stats->pending));
	printf("starts     %s, %s of them while pending\n",
	       count_print(a, trace->count[ROW_START]),
	       count_print(b, stats->rearmed));
	printf("cancels    %s hit, %s late, %s of timers not armed\n",
	       count_print(a, stats->cancelled), count_print(b, stats->missed),
	       count_print(c, stats->idle));
	printf("fires      %s, %s off their exact tick\n",
	       count_print(a, stats->fired), count_print(b, stats->off));
	printf("moves      %.3f from min, %.3f from hour, %.3f from day "
	       "per start\n",
	       per_start(trace, stats->moved[MIN]),
	       per_start(trace, stats->moved[HOUR]),
	       per_start(trace, stats->moved[DAY]));
	if (stats->worst)
		printf("worst tick %s moved at jiffy %s\n",
		       count_print(a, stats->worst),
		       count_print(b, (uint64_t)stats->worst_tick));
	print_lateness(&trace->lateness, report->lateness);
}

static void json_lateness(const char *of, const struct histogram *histogram)
{
	const char *comma = "";

	json_start(stdout, "lateness");
	json_string(stdout, "of", of);
	json_count(stdout, "expiries", histogram->total);
	json_count(stdout, "early", histogram->early);
	json_number(stdout, "p50", histogram_percentile(histogram, 50));
	json_number(stdout, "p90", histogram_percentile(histogram, 90));
	json_number(stdout, "p99", histogram_percentile(histogram, 99));
	json_number(stdout, "max", histogram->max);
	json_key(stdout, "jiffies");
	putchar('{');
	for (unsigned i = 0; i < HISTOGRAM_EXACT; i++) {
		if (!histogram->exact[i])
			continue;
		printf("%s\"%u\":%" PRIu64, comma, i, histogram->exact[i]);
		comma = ",";
	}
	putchar('}');
	json_count(stdout, "more", histogram->more);
	json_stop(stdout);
}

void replay_json(const struct report *report, const struct sim *sim)
{
	const struct trace *trace = sim->scenario->stmts[0].trace;
	const struct stats *stats = &sim->stats;

	json_lateness("recorder", &trace->lateness);
	json_lateness("jif", report->lateness);
	json_start(stdout, "summary");
	json_count(stdout, "rows", trace->n_rows);
	json_count(stdout, "timers", sim->scenario->names.count);
	json_number(stdout, "ticks", sim->scenario->end);
	json_count(stdout, "starts", trace->count[ROW_START]);
	json_count(stdout, "rearmed", stats->rearmed);
	json_count(stdout, "cancels_hit", stats->cancelled);
	json_count(stdout, "cancels_late", stats->missed);
	json_count(stdout, "cancels_idle", stats->idle);
	json_count(stdout, "fired", stats->fired);
	json_count(stdout, "off", stats->off);
	json_key(stdout, "cascaded");
	printf("{\"day\":%" PRIu64 ",\"hour\":%" PRIu64 ",\"min\":%" PRIu64 "}",
	       stats->moved[DAY], stats->moved[HOUR], stats->moved[MIN]);
	json_count(stdout, "worst", stats->worst);
	json_number(stdout, "worst_at", stats->worst ? stats->worst_tick : -1);
	json_count(stdout, "peak_pending", stats->peak);
	json_count(stdout, "pending", stats->pending);
	json_stop(stdout);
}
