/* SPDX-License-Identifier: MIT */
/* What comes out of a run */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

#define FIRINGS_SHOWN 40
#define BAR_WIDTH     24
#define SLOTS_MAX     JIF_SEC_SLOTS
#define MARGIN	      9
#define WIDTH	      79
#define LEGEND	      "1-9, * 10, # 100, @ 1000 and more"

/*
 * The four rings. Where the hands are follows from the clock; the engine's own
 * are not looked at. What waits in each slot is what a walk of the wheel finds.
 */
struct picture {
	unsigned hand[LEVELS];
	int64_t count[LEVELS][SLOTS_MAX];
	int64_t total[LEVELS];
	int64_t pending;
};

static int see_entry(void *arg, const struct jif_timer *timer, unsigned level,
		     unsigned slot, uint32_t remaining)
{
	struct picture *picture = arg;

	picture->count[level][slot]++;
	picture->total[level]++;
	picture->pending++;
	return 0;
}

static struct picture see(struct sim *sim)
{
	struct picture picture = { .pending = 0 };
	int64_t clock = sim_clock(sim);

	for (unsigned i = SEC; i < LEVELS; i++)
		picture.hand[i] =
			(unsigned)(clock / level_ticks[i] % level_slots[i]);
	jif_wheel_walk(&sim->wheel, see_entry, &picture);
	return picture;
}

static char sign(int64_t count)
{
	if (count < 10)
		return count ? (char)('0' + count) : '.';
	return count < 100 ? '*' : count < 1000 ? '#' : '@';
}

/* The hand above the ring, then the ring, and a note where there is room. */
static void draw_level(const struct picture *picture, unsigned level)
{
	int room = WIDTH - MARGIN - level_slots[level];

	printf("%*sv\n", MARGIN + (int)picture->hand[level], "");
	printf(" %4s %2u ", level_names[level], picture->hand[level]);
	for (unsigned i = 0; i < level_slots[level]; i++)
		putchar(sign(picture->count[level][i]));
	if (level == HOUR)
		room -= printf("  " LEGEND);
	printf("%*s\n", room, count_text(picture->total[level]));
}

static void draw_head(struct sim *sim, int64_t pending)
{
	const struct scenario *scenario = sim->scenario;
	int64_t us = sim->now * scenario->tick_us, wait;
	const char *time = time_text(scenario, sim->now);
	const char *day = scenario->tick_us ? day_names[us / DAY_US % 7] :
					      "jiffy";
	char right[128] = "none pending";
	uint32_t next;

	if (!strncmp(time, day, 3))
		day = "";
	if (jif_wheel_next_expiry(&sim->wheel, &next)) {
		wait = sim_tick(sim, next) - sim->now;
		snprintf(right, sizeof(right), "%s pending, next in %s",
			 count_text(pending),
			 span_text(scenario, wait > 0 ? wait : 0));
	}
	printf("%*s\n", WIDTH - printf(" %s%s%s", day, *day ? " " : "", time),
	       right);
}

static void draw_wheels(struct sim *sim)
{
	struct picture picture = see(sim);

	draw_head(sim, picture.pending);
	printf("%*s0", MARGIN, "");
	for (unsigned i = 10; i < SLOTS_MAX; i += 10)
		printf("%10u", i);
	printf("%19s\n", "entries");
	for (unsigned i = LEVELS; i--;)
		draw_level(&picture, i);
}

static void json_time(struct sim *sim, int64_t tick)
{
	if (sim->scenario->tick_us)
		json_string("time", time_text(sim->scenario, tick));
	else
		json_number("time", tick);
}

static void json_wheels(struct sim *sim)
{
	struct picture picture = see(sim);

	json_start("wheels");
	json_time(sim, sim->now);
	json_number("tick", sim->now - sim->scenario->start);
	json_number("pending", picture.pending);
	for (unsigned i = SEC; i < LEVELS; i++) {
		json_key(level_names[i]);
		printf("{\"hand\":%u,\"slots\":[", picture.hand[i]);
		for (unsigned j = 0; j < level_slots[i]; j++)
			printf("%s%" PRId64, j ? "," : "", picture.count[i][j]);
		printf("]}");
	}
	json_stop();
}

static void json_firing(struct sim *sim, const struct firing *firing)
{
	json_start("fire");
	json_time(sim, firing->tick);
	json_number("tick", firing->tick - sim->scenario->start);
	json_string("timer", firing->timer->name);
	json_number("late", firing->ran - firing->tick);
	if (firing->missed)
		json_number("missed", firing->missed);
	json_stop();
}

/* A blank line between things of different kinds. */
static void separate(struct sim *sim, bool fired)
{
	if (sim->printed && !(fired && sim->printed_fired))
		putchar('\n');
	sim->printed = true;
	sim->printed_fired = fired;
}

static void print_firing(const struct scenario *scenario,
			 const struct firing *firing)
{
	printf("%s  %s", time_text(scenario, firing->tick),
	       firing->timer->name);
	if (firing->ran != firing->tick) {
		printf("  (at %s, after a stall",
		       time_text(scenario, firing->ran));
		if (firing->missed)
			printf(", for %s more", count_text(firing->missed));
		putchar(')');
	}
	putchar('\n');
}

void report_fired(struct sim *sim, const struct firing *firing)
{
	const struct options *options = sim->options;

	if (options->replay)
		histogram_add(&sim->stats.lateness,
			      firing->tick - firing->asked);
	if (options->quiet)
		return;
	if (options->json) {
		json_firing(sim, firing);
	} else if (sim->to_print++ < FIRINGS_SHOWN || options->all) {
		separate(sim, true);
		print_firing(sim->scenario, firing);
	}
}

void report_frame(struct sim *sim)
{
	if (sim->options->json) {
		json_wheels(sim);
		return;
	}
	separate(sim, false);
	draw_wheels(sim);
}

static void json_expectation(const struct expectation *item, size_t shown)
{
	struct place place = item->stmt->place;

	json_start("expectation");
	json_string("file", place.source->path);
	json_number("line", place.line);
	json_number("column", place.column);
	json_key("met");
	fputs(item->failures ? "false" : "true", stdout);
	json_number("failures", item->failures);
	json_key("messages");
	putchar('[');
	for (size_t i = 0; i < shown; i++) {
		fputs(i ? "," : "", stdout);
		json_text(item->message[i]);
	}
	putchar(']');
	json_stop();
}

static void print_expectation(struct sim *sim, const struct expectation *item)
{
	struct place place = item->stmt->place;
	size_t shown = 0;

	for (; shown < MESSAGES_SHOWN && item->message[shown]; shown++)
		diag_show(place, "expectation failed", item->message[shown]);
	if (item->failures > MESSAGES_SHOWN)
		fprintf(stderr, "%s:%u:%u: %" PRId64 " more of these\n",
			place.source->path, place.line, place.column,
			item->failures - MESSAGES_SHOWN);
	if (sim->options->json)
		json_expectation(item, shown);
}

static int compare(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

	return (left > right) - (left < right);
}

/* The least lateness that so many in a hundred do not exceed. */
static int64_t percentile(const struct histogram *histogram, int percent)
{
	int64_t count = (histogram->total * percent + 99) / 100 -
			histogram->count[EARLY];

	for (int i = 0; i < HISTOGRAM_EXACT; i++) {
		count -= histogram->count[i];
		if (count <= 0)
			return i;
	}
	qsort(histogram->more, (size_t)histogram->count[MORE],
	      sizeof(*histogram->more), compare);
	return histogram->more[count - 1];
}

static void json_lateness(const char *of, const struct histogram *histogram)
{
	const char *comma = "";

	json_start("lateness");
	json_string("of", of);
	json_number("expiries", histogram->total);
	json_number("early", histogram->count[EARLY]);
	json_number("p50", percentile(histogram, 50));
	json_number("p90", percentile(histogram, 90));
	json_number("p99", percentile(histogram, 99));
	json_number("max", histogram->max);
	json_key("jiffies");
	putchar('{');
	for (int i = 0; i < HISTOGRAM_EXACT; i++) {
		if (!histogram->count[i])
			continue;
		printf("%s\"%d\":%" PRId64, comma, i, histogram->count[i]);
		comma = ",";
	}
	putchar('}');
	json_number("more", histogram->count[MORE]);
	json_stop();
}

static void print_recorder(const struct scenario *scenario,
			   const struct stmt *stmt)
{
	const struct histogram *recorder = &stmt->trace->lateness;
	int64_t early = recorder->count[EARLY];
	int64_t late = recorder->total - recorder->count[0] - early;

	printf("recorder      fired %s, %s of them early, %s late",
	       count_text(recorder->total), count_text(early),
	       count_text(late));
	if (late)
		printf(", by at most %s",
		       span_text(scenario, recorder->max * stmt->span.us /
						   scenario->tick_us));
	putchar('\n');
}

/* How early or late those were that recorded what is imported. */
static void report_recorders(struct sim *sim)
{
	const struct scenario *scenario = sim->scenario;

	for (size_t i = 0; i < scenario->n_stmts; i++) {
		const struct stmt *stmt = &scenario->stmts[i];

		if (!stmt->trace || !stmt->trace->lateness.total)
			continue;
		if (sim->options->json)
			json_lateness("recorder", &stmt->trace->lateness);
		else
			print_recorder(scenario, stmt);
	}
}

static void print_summary(struct sim *sim)
{
	const struct scenario *scenario = sim->scenario;
	const struct stats *stats = &sim->stats;

	printf("simulated     %s to %s, %s tick%s of %s\n",
	       time_text(scenario, scenario->start),
	       time_text(scenario, scenario->end),
	       count_text(scenario->end - scenario->start),
	       scenario->end - scenario->start == 1 ? "" : "s",
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
	report_recorders(sim);
	if (stats->met || stats->failed)
		printf("expectations  %" PRId64 " met, %" PRId64 " failed\n",
		       stats->met, stats->failed);
}

static void json_cascaded(const struct stats *stats)
{
	json_key("cascaded");
	printf("{\"day\":%" PRId64 ",\"hour\":%" PRId64 ",\"min\":%" PRId64 "}",
	       stats->moved[DAY], stats->moved[HOUR], stats->moved[MIN]);
}

static void json_summary(struct sim *sim)
{
	const struct scenario *scenario = sim->scenario;
	const struct stats *stats = &sim->stats;

	report_recorders(sim);
	json_start("summary");
	json_string("start", time_text(scenario, scenario->start));
	json_string("end", time_text(scenario, scenario->end));
	json_number("ticks", scenario->end - scenario->start);
	json_key("tick_ms");
	fputs(tick_text(scenario), stdout);
	json_number("timers", scenario->names.count);
	json_number("armed", stats->armed);
	json_number("rearmed", stats->rearmed);
	json_number("postponed", stats->postponed);
	json_number("fired", stats->fired);
	json_number("late", stats->late);
	json_number("latest", stats->latest);
	json_number("cancelled", stats->cancelled);
	json_number("drained", stats->drained);
	json_cascaded(stats);
	json_number("placed_anew", stats->again);
	json_number("worst", stats->worst);
	json_string("worst_at",
		    stats->worst ? time_text(scenario, stats->worst_tick) : "");
	json_number("peak_pending", stats->peak);
	json_number("pending", stats->pending);
	json_number("met", stats->met);
	json_number("failed", stats->failed);
	json_stop();
}

static double ratio(double part, int64_t whole)
{
	return whole ? part / (double)whole : 0;
}

/* How many were late by so much, or by up to so much. */
static void print_row(struct sim *sim, const char *label, int from, int to)
{
	const struct histogram *recorder =
		&sim->scenario->stmts[0].trace->lateness;
	const struct histogram *jif = &sim->stats.lateness;
	int64_t theirs = 0, ours = 0;
	double part;
	int bar;

	for (int i = from; i <= to; i++) {
		theirs += recorder->count[i];
		ours += jif->count[i];
	}
	if (!theirs && !ours)
		return;
	part = ratio(100.0 * (double)theirs, recorder->total);
	bar = (int)(part * BAR_WIDTH / 100 + 0.5);
	printf("  %11s %11s %5.1f %% %11s %5.1f %%%s%.*s\n", label,
	       count_text(theirs), part, count_text(ours),
	       ratio(100.0 * (double)ours, jif->total), bar ? "  " : "", bar,
	       "########################");
}

/* One by one at first, then twice as many in each row. */
static void print_lateness(struct sim *sim)
{
	const struct histogram *recorder =
		&sim->scenario->stmts[0].trace->lateness;
	const struct histogram *jif = &sim->stats.lateness;
	int from = 0, to = 0;
	char label[32];

	printf("\njiffies late          recorder                 jif\n");
	print_row(sim, "early", EARLY, EARLY);
	while (from < HISTOGRAM_EXACT) {
		snprintf(label, sizeof(label), from == to ? "%d" : "%d-%d",
			 from, to);
		print_row(sim, label, from, to);
		from = to + 1;
		to = from <= 8 ? from : from * 2 - 2;
		if (to >= HISTOGRAM_EXACT)
			to = HISTOGRAM_EXACT - 1;
	}
	print_row(sim, "more", MORE, MORE);
	for (int i = 50; i < 100; i += i == 50 ? 40 : 9)
		printf("          p%d %11" PRId64 " %19" PRId64 "\n", i,
		       percentile(recorder, i), percentile(jif, i));
	printf("  %11s %11" PRId64 " %19" PRId64 "\n", "most", recorder->max,
	       jif->max);
}

static void print_replay(struct sim *sim)
{
	const struct trace *trace = sim->scenario->stmts[0].trace;
	const struct stats *stats = &sim->stats;
	int64_t starts = trace->count[ROW_START];

	printf("rows       %s, from jiffy 0 to %s\n",
	       count_text((int64_t)trace->n_rows),
	       count_text(sim->scenario->end));
	printf("timers     %s, at most %s pending, %s at the end\n",
	       count_text(sim->scenario->names.count), count_text(stats->peak),
	       count_text(stats->pending));
	printf("starts     %s, %s of them while pending\n", count_text(starts),
	       count_text(stats->rearmed));
	printf("cancels    %s hit, %s late, %s of timers not armed\n",
	       count_text(stats->cancelled), count_text(stats->missed),
	       count_text(stats->idle));
	printf("fires      %s, %s off their exact tick\n",
	       count_text(stats->fired), count_text(stats->off));
	printf("moves      %.3f from min, %.3f from hour, %.3f from day "
	       "per start\n",
	       ratio((double)stats->moved[MIN], starts),
	       ratio((double)stats->moved[HOUR], starts),
	       ratio((double)stats->moved[DAY], starts));
	if (stats->worst)
		printf("worst tick %s moved at jiffy %s\n",
		       count_text(stats->worst), count_text(stats->worst_tick));
	print_lateness(sim);
}

static void json_replay(struct sim *sim)
{
	const struct trace *trace = sim->scenario->stmts[0].trace;
	const struct stats *stats = &sim->stats;

	json_lateness("recorder", &trace->lateness);
	json_lateness("jif", &stats->lateness);
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
	json_cascaded(stats);
	json_number("worst", stats->worst);
	json_number("worst_at", stats->worst ? stats->worst_tick : -1);
	json_number("peak_pending", stats->peak);
	json_number("pending", stats->pending);
	json_stop();
}

void report_stop(struct sim *sim)
{
	const struct options *options = sim->options;
	const struct scenario *scenario = sim->scenario;

	fflush(stdout);
	for (size_t i = 0; i < scenario->n_stmts; i++)
		if (stmt_is_expectation(&scenario->stmts[i]))
			print_expectation(sim, &sim->expectations[i]);
	if (options->json) {
		options->replay ? json_replay(sim) : json_summary(sim);
		return;
	}
	if (!options->all && sim->to_print > FIRINGS_SHOWN)
		printf("... %s more\n",
		       count_text(sim->to_print - FIRINGS_SHOWN));
	separate(sim, false);
	options->replay ? print_replay(sim) : print_summary(sim);
}
