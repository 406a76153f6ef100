/* SPDX-License-Identifier: MIT */
/*
 * main.c - jifsim: timers on the jif timer wheel, in simulated time
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "mem.h"
#include "parse.h"
#include "report.h"
#include "resolve.h"
#include "run.h"
#include "source.h"
#include "trace.h"

static enum status read_scenario(struct scenario *scenario, const char *path)
{
	enum status status = source_read(&scenario->source, path);

	if (status != STATUS_OK)
		return status;
	parse_scenario(scenario);
	return diag_errors() ? STATUS_ERROR : resolve_scenario(scenario);
}

/* A trace is a scenario that does nothing but import it. */
static enum status read_trace(struct scenario *scenario, const char *path)
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

static enum status run(const struct options *options,
		       const struct scenario *scenario)
{
	struct report report = { .options = options };
	struct expect expect;
	struct sim sim = {
		.scenario = scenario,
		.expect = &expect,
		.report = &report,
		.seed = options->has_seed ? &options->seed : NULL,
	};

	run_scenario(&sim, options->wheels);
	if (sim.failures)
		return STATUS_INTERNAL;
	return expect.n_failed ? STATUS_FAILED : STATUS_OK;
}

static enum status read_and_run(const struct options *options)
{
	struct scenario scenario = { .stmts = NULL };
	enum status status;

	if (options->json)
		diag_to_json();
	status = options->replay ? read_trace(&scenario, options->file) :
				   read_scenario(&scenario, options->file);
	if (status == STATUS_OK)
		status = run(options, &scenario);
	else
		diag_stop(&scenario.source);
	scenario_free(&scenario);
	return status;
}

int main(int argc, char **argv)
{
	struct options options;
	int status = args_parse(&options, argc, argv);

	if (status < 0)
		status = (int)read_and_run(&options);
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "jifsim: cannot write the output: %s\n",
			strerror(errno));
		status = STATUS_OUTPUT;
	}
	return status;
}
