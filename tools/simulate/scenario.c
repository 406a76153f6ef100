/* SPDX-License-Identifier: MIT */
/* What a scenario file says */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario.h"

#define TEXTS	    24 /* up to three are used at a time */
#define TEXT_LENGTH 40

const struct unit units[UNITS] = {
	{ "d", DAY_US },  { "h", 3600000000u }, { "m", 60000000 },
	{ "s", 1000000 }, { "ms", 1000 },	{ "us", 1 },
};

const char *const level_names[LEVELS] = { "sec", "min", "hour", "day" };

const uint8_t level_slots[LEVELS] = { JIF_SEC_SLOTS, JIF_MIN_SLOTS,
				      JIF_HOUR_SLOTS, JIF_DAY_SLOTS };

const uint32_t level_ticks[LEVELS] = {
	1, JIF_SEC_SLOTS, JIF_SEC_SLOTS *JIF_MIN_SLOTS,
	JIF_SEC_SLOTS *JIF_MIN_SLOTS *JIF_HOUR_SLOTS
};

const char *const day_names[7] = { "mon", "tue", "wed", "thu",
				   "fri", "sat", "sun" };

/* The bucket of a name, or the free one in which it belongs: FNV-1a. */
static uint32_t *find(const struct names *names, const char *text)
{
	uint32_t at = 2166136261u;

	for (const char *byte = text; *byte; byte++)
		at = (at ^ (unsigned char)*byte) * 16777619u;
	at &= names->buckets - 1;
	while (names->bucket[at] &&
	       strcmp(names->name[names->bucket[at] - 1].text, text))
		at = (at + 1) & (names->buckets - 1);
	return &names->bucket[at];
}

/* Keeps the table at most half full. */
static void grow(struct names *names)
{
	if (names->count < names->buckets / 2)
		return;
	names->buckets = names->buckets ? names->buckets * 2 : 64;
	free(names->bucket);
	names->bucket = mem_alloc(names->buckets, sizeof(*names->bucket));
	for (uint32_t i = 0; i < names->count; i++)
		*find(names, names->name[i].text) = i + 1;
}

uint32_t names_add(struct names *names, const char *text)
{
	uint32_t *bucket;

	grow(names);
	bucket = find(names, text);
	if (!*bucket) {
		mem_add(names->name, names->count,
			(struct name){ .text = mem_print("%s", text) });
		*bucket = names->count;
	}
	return *bucket - 1;
}

void stmt_free(struct stmt *stmt)
{
	free(stmt->refs);
	free(stmt->on);
	free(stmt->slots);
	free(stmt->file);
	if (stmt->trace) {
		free(stmt->trace->rows);
		free(stmt->trace->lateness.more);
	}
	free(stmt->trace);
}

void scenario_add(struct scenario *scenario, const struct stmt *stmt)
{
	mem_add(scenario->stmts, scenario->n_stmts, *stmt);
	scenario->stmts[scenario->n_stmts - 1].index = scenario->n_stmts - 1;
	for (size_t i = 0; stmt_arms(stmt) && i < stmt->n_refs; i++)
		scenario->names.name[stmt->refs[i].id].armed = true;
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
	for (uint32_t i = 0; i < scenario->names.count; i++)
		free(scenario->names.name[i].text);
	free(scenario->names.name);
	free(scenario->names.bucket);
	source_free(&scenario->source);
}

/* Texts that stay for a while. */
static __attribute__((format(printf, 1, 2))) char *print(const char *format,
							 ...)
{
	static char texts[TEXTS][TEXT_LENGTH];
	static unsigned next;
	char *text = texts[next++ % TEXTS];
	va_list args;

	va_start(args, format);
	vsnprintf(text, TEXT_LENGTH, format, args);
	va_end(args);
	return text;
}

/* As it is written in the scenario. */
static const char *day_text(const struct scenario *scenario, int64_t day)
{
	int64_t ahead = day - scenario->start * scenario->tick_us / DAY_US;
	enum when_base base = (uint64_t)ahead < 7 ? scenario->days[ahead] :
						    WHEN_DAY;

	if (base == WHEN_WEEKDAY)
		return print("%s ", day_names[day % 7]);
	return base == WHEN_DAY ? print("d%" PRId64 " ", day) : "";
}

const char *time_text(const struct scenario *scenario, int64_t tick)
{
	int64_t us = tick * scenario->tick_us;
	int second = (int)(us / 1000000 % 86400);
	const char *fraction = "";

	if (!scenario->tick_us)
		return print("%" PRId64, tick);
	if (scenario->tick_us % 1000)
		fraction = print(".%06d", (int)(us % 1000000));
	else if (scenario->tick_us % 1000000)
		fraction = print(".%03d", (int)(us / 1000 % 1000));
	return print("%s%02d:%02d:%02d%s", day_text(scenario, us / DAY_US),
		     second / 3600, second / 60 % 60, second % 60, fraction);
}

const char *span_text(const struct scenario *scenario, int64_t ticks)
{
	int64_t us = ticks * scenario->tick_us;
	char *text = print("0s"), *end = text;

	if (!scenario->tick_us)
		return print("%" PRId64, ticks);
	for (size_t i = 0; i < UNITS; i++) {
		if (us >= units[i].us)
			end += sprintf(end, "%" PRId64 "%s", us / units[i].us,
				       units[i].name);
		us %= units[i].us;
	}
	return text;
}

const char *tick_text(const struct scenario *scenario)
{
	int64_t ms = scenario->tick_us / 1000;
	int us = (int)(scenario->tick_us % 1000);

	return us ? print("%" PRId64 ".%03d", ms, us) : print("%" PRId64, ms);
}

const char *count_text(int64_t count)
{
	char *text = print("%" PRId64, count);

	for (int i = (int)strlen(text) - 3; i > 0; i -= 3) {
		memmove(text + i + 1, text + i, strlen(text + i) + 1);
		text[i] = ',';
	}
	return text;
}
