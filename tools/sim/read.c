/* SPDX-License-Identifier: MIT */
/*
 * read.c - from a file to a scenario
 */
#include <string.h>

#include "mem.h"
#include "parse.h"
#include "read.h"
#include "resolve.h"
#include "source.h"
#include "trace.h"

/* Is that a trace? By its header, or if that is wrong, by its name. */
static bool is_trace(const struct source *source)
{
	static const char *const endings[] = { ".csv", ".csv.gz", ".csv.xz" };
	size_t length = strlen(source->path);

	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		size_t ending = strlen(endings[i]);

		if (length >= ending &&
		    !strcmp(source->path + length - ending, endings[i]))
			return true;
	}
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
	return diag_errors() ? STATUS_ERROR : resolve_scenario(scenario);
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
