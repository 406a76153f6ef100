/* SPDX-License-Identifier: MIT */
/*
 * scenario.c - what a scenario file says
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "scenario.h"
#include "source.h"
#include "trace.h"

const struct unit units[UNITS] = {
	{ "d", DAY_MS }, { "h", 3600000 }, { "m", 60000 },
	{ "s", 1000 },	 { "ms", 1 },
};

const char *const level_names[LEVELS] = { "sec", "min", "hour", "day" };

const uint8_t level_slots[LEVELS] = {
	JIF_SEC_SLOTS,
	JIF_MIN_SLOTS,
	JIF_HOUR_SLOTS,
	JIF_DAY_SLOTS,
};

const uint32_t level_ticks[LEVELS] = {
	1,
	JIF_SEC_SLOTS,
	JIF_SEC_SLOTS *JIF_MIN_SLOTS,
	JIF_SEC_SLOTS *JIF_MIN_SLOTS *JIF_HOUR_SLOTS,
};

const char *const day_names[7] = {
	"mon", "tue", "wed", "thu", "fri", "sat", "sun",
};

void stmt_add_ref(struct stmt *stmt, uint32_t id, uint32_t column)
{
	stmt->refs = mem_grow(stmt->refs, &stmt->room_refs, stmt->n_refs + 1,
			      sizeof(*stmt->refs));
	stmt->refs[stmt->n_refs++] = (struct ref){ id, column };
}

void stmt_free(struct stmt *stmt)
{
	free(stmt->refs);
	free(stmt->slots);
	free(stmt->file);
	trace_free(stmt->trace);
}

struct stmt *scenario_add(struct scenario *scenario, const struct stmt *stmt)
{
	scenario->stmts = mem_grow(scenario->stmts, &scenario->room_stmts,
				   scenario->n_stmts + 1,
				   sizeof(*scenario->stmts));
	scenario->stmts[scenario->n_stmts] = *stmt;
	return &scenario->stmts[scenario->n_stmts++];
}

struct stmt *scenario_find(const struct scenario *scenario, enum stmt_kind kind)
{
	for (size_t i = 0; i < scenario->n_stmts; i++)
		if (scenario->stmts[i].kind == kind)
			return &scenario->stmts[i];
	return NULL;
}

void scenario_free(struct scenario *scenario)
{
	for (size_t i = 0; i < scenario->n_stmts; i++)
		stmt_free(&scenario->stmts[i]);
	free(scenario->stmts);
	names_free(&scenario->names);
	source_free(&scenario->source);
}

char *time_print(char *buffer, const struct scenario *scenario, int64_t tick)
{
	int64_t ms = tick * scenario->tick_ms;
	int64_t start = scenario->start * scenario->tick_ms;
	int length = 0;

	if (!scenario->tick_ms) {
		snprintf(buffer, TIME_LENGTH, "%" PRId64, tick);
		return buffer;
	}
	if (ms / DAY_MS != start / DAY_MS)
		length = snprintf(buffer, TIME_LENGTH, "d%" PRId64 " ",
				  ms / DAY_MS);
	ms %= DAY_MS;
	length += snprintf(buffer + length, TIME_LENGTH - (size_t)length,
			   "%02d:%02d:%02d", (int)(ms / 3600000),
			   (int)(ms / 60000 % 60), (int)(ms / 1000 % 60));
	if (scenario->tick_ms % 1000)
		snprintf(buffer + length, TIME_LENGTH - (size_t)length, ".%03d",
			 (int)(ms % 1000));
	return buffer;
}

char *span_print(char *buffer, const struct scenario *scenario, int64_t ticks)
{
	int64_t ms = ticks * scenario->tick_ms;
	int length = 0;

	if (!scenario->tick_ms) {
		snprintf(buffer, TIME_LENGTH, "%" PRId64, ticks);
		return buffer;
	}
	strcpy(buffer, "0s");
	for (size_t i = 0; i < UNITS; i++) {
		if (ms >= units[i].ms)
			length += snprintf(buffer + length,
					   TIME_LENGTH - (size_t)length,
					   "%" PRId64 "%s", ms / units[i].ms,
					   units[i].name);
		ms %= units[i].ms;
	}
	return buffer;
}

char *count_print(char *buffer, uint64_t count)
{
	char digits[24];
	char *to = buffer;
	int length = snprintf(digits, sizeof(digits), "%" PRIu64, count);

	for (int i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			*to++ = ',';
		*to++ = digits[i];
	}
	*to = '\0';
	return buffer;
}
