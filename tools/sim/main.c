/* SPDX-License-Identifier: MIT */
/*
 * main.c - jifsim: timers on the jif timer wheel, in simulated time
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "expect.h"
#include "mem.h"
#include "parse.h"
#include "replay.h"
#include "report.h"
#include "resolve.h"
#include "run.h"
#include "source.h"

#define FRAMES_A_SECOND 20

static enum status read_scenario(struct scenario *scenario, const char *path)
{
	enum status status = source_read(&scenario->source, path);

	if (status != STATUS_OK)
		return status;
	parse_scenario(scenario);
	return diag_errors() ? STATUS_ERROR : resolve_scenario(scenario);
}

/* Evenly spread from the start to the end, and no two of them the same. */
static void spread_frames(const struct scenario *scenario, uint64_t most,
			  int64_t **frames, size_t *n_frames)
{
	int64_t ticks = scenario->end - scenario->start;
	int64_t steps = ticks < (int64_t)most ? ticks : (int64_t)most;

	*frames = mem_alloc((size_t)steps + 1, sizeof(**frames));
	for (int64_t i = 0; i <= steps; i++)
		(*frames)[(*n_frames)++] =
			scenario->start +
			(i ? ticks / steps * i + ticks % steps * i / steps : 0);
}

/* At which ticks the wheels are to be drawn. */
static enum status find_frames(const struct options *options,
			       const struct scenario *scenario,
			       int64_t **frames, size_t *n_frames)
{
	if (options->wheels_at)
		return resolve_times(scenario, "--wheels", options->wheels_at,
				     frames, n_frames);
	if (options->watch)
		spread_frames(scenario, options->watch * FRAMES_A_SECOND,
			      frames, n_frames);
	else if (options->wheels)
		spread_frames(scenario, 1, frames, n_frames);
	return STATUS_OK;
}

static enum status run(const struct options *options,
		       const struct scenario *scenario)
{
	struct histogram lateness = { .total = 0 };
	struct report report;
	struct sim sim;
	int64_t *frames = NULL;
	size_t n_frames = 0;
	enum status status;

	status = find_frames(options, scenario, &frames, &n_frames);
	if (status != STATUS_OK) {
		free(frames);
		return status;
	}
	report_start(&report, options, scenario, n_frames);
	if (options->command == COMMAND_REPLAY)
		report.lateness = &lateness;
	sim_init(&sim, scenario, &report,
		 options->has_seed ? &options->seed : NULL);
	sim_run(&sim, frames, n_frames);
	report_stop(&report, &sim);
	if (sim.expect->n_failed)
		status = STATUS_FAILED;
	if (sim.failures)
		status = STATUS_INTERNAL;
	sim_free(&sim);
	free(frames);
	return status;
}

int main(int argc, char **argv)
{
	struct scenario scenario = { .stmts = NULL };
	struct options options;
	enum status status;
	int early;

	if (!args_parse(&options, argc, argv, &early)) {
		status = (enum status)early;
	} else {
		diag_init(options.json, args_color(&options, STDERR_FILENO));
		status = options.command == COMMAND_RUN ?
				 read_scenario(&scenario, options.file) :
				 replay_read(&scenario, options.file);
		if (status == STATUS_OK)
			status = run(&options, &scenario);
		else
			diag_stop(options.file);
		scenario_free(&scenario);
	}
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "jifsim: cannot write the output: %s\n",
			strerror(errno));
		status = STATUS_OUTPUT;
	}
	return (int)status;
}
