/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/model/fuzz/sim.c - a scenario, as an input says; or the trace of a
 * replay, if the program is called so
 *
 * Behind a NUL, an input has the trace that the scenario imports. What can be
 * run is run, for some steps, and the simulator must not find itself wrong.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim.h"

#define STEPS  200
#define FILE_1 "input"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size);

static bool replay;
static struct source files[2];

/* In place of source.c. */
enum status source_read(struct source *source, const char *path)
{
	const struct source *from = &files[strcmp(path, FILE_1) != 0];

	source->path = mem_print("%s", path);
	source->size = from->size;
	source->text = mem_alloc(from->size + 1, 1);
	memcpy(source->text, from->text, from->size);
	return STATUS_OK;
}

bool source_is_below(const char *path, const char *of)
{
	return true;
}

void source_free(struct source *source)
{
	free(source->path);
	free(source->text);
}

/* After a stall, all that was to be done in it is done at once. */
static bool is_long(const struct scenario *scenario)
{
	int64_t most = 20000 / (1 + (int64_t)scenario->names.count);

	for (size_t i = 0; i < scenario->n_stmts; i++) {
		const struct stmt *stmt = &scenario->stmts[i];

		if ((stmt->kind == STMT_STALL || stmt->kind == STMT_STARVE) &&
		    stmt->span.ticks > most)
			return true;
	}
	return false;
}

/* To the next time at which something is to be done, if that is not too far. */
static bool step(struct sim *sim)
{
	int64_t end = sim->scenario->end, tick = end, line;
	uint32_t stop;

	if (jif_wheel_next_stop(&sim->wheel, &stop) &&
	    sim_tick(sim, stop) < tick)
		tick = sim_tick(sim, stop);
	if (tick < sim->stalled)
		tick = sim->stalled < end ? sim->stalled : end;
	if (run_next(sim, &line) && line < tick)
		tick = line;
	if (sim->now == end || tick - sim->now > JIF_DELAY_MAX)
		return false;
	run_to(sim, tick > sim->now ? tick : sim->now + 1);
	sim_check(sim);
	return true;
}

static void run(const struct scenario *scenario)
{
	struct options options = {
		.replay = replay,
		.all = true,
		.json = diag_json,
		.wheels = 3,
	};
	struct sim sim = { .scenario = scenario, .options = &options };

	run_start(&sim);
	run_to(&sim, scenario->start);
	for (unsigned i = 0; i < STEPS && step(&sim); i++)
		;
	if (sim.stalled <= sim.now)
		run_stop(&sim);
	if (sim.failures)
		abort();
	run_free(&sim);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	replay = strstr((*argv)[0], "replay");
	stdout = stderr = fopen("/dev/null", "w");
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
	const char *text = (const char *)input;
	const char *end = memchr(text, '\0', size);
	struct scenario scenario = { .stmts = NULL };
	enum status status;

	diag_errors = 0;
	diag_json = size & 1;
	files[0].text = (char *)text;
	files[0].size = end ? (size_t)(end - text) : size;
	files[1].text = (char *)(end ? end + 1 : text);
	files[1].size = end ? size - files[0].size - 1 : 0;
	status = replay ? read_trace(&scenario, FILE_1) :
			  read_scenario(&scenario, FILE_1);
	if (status == STATUS_OK && !is_long(&scenario))
		run(&scenario);
	diag_stop(&scenario.source);
	scenario_free(&scenario);
	return 0;
}
