/* SPDX-License-Identifier: MIT */
/*
 * read.c - from a file to a scenario
 */
#include "read.h"
#include "mem.h"
#include "parse.h"
#include "resolve.h"
#include "source.h"
#include "trace.h"

enum status read_scenario(struct scenario *scenario, const char *path)
{
	enum status status = source_read(&scenario->source, path);

	if (status != STATUS_OK)
		return status;
	parse_scenario(scenario);
	return diag_errors() ? STATUS_ERROR : resolve_scenario(scenario);
}

enum status read_trace(struct scenario *scenario, const char *path)
{
	struct stmt stmt = { .kind = STMT_IMPORT, .place = { 1, 1 } };
	enum status status =
		trace_read(&stmt.trace, scenario, path, 1000, 1000);

	scenario->source.path = mem_print("%s", path);
	scenario->source.text = mem_print("%s", "");
	if (stmt.trace->n_rows)
		scenario->end = stmt.trace->rows[stmt.trace->n_rows - 1].tick;
	scenario_add(scenario, &stmt);
	return status;
}
