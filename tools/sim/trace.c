/* SPDX-License-Identifier: MIT */
/*
 * trace.c - a recording of what timers were asked to do
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jif/types.h>

#include "lex.h"
#include "mem.h"
#include "source.h"
#include "trace.h"

enum field {
	FIELD_TIME,
	FIELD_OP,
	FIELD_TIMER,
	FIELD_FUNCTION,
	FIELD_DELAY,
	FIELD_EXPIRES,
	FIELDS,
};

static const char *const field_names[FIELDS] = {
	"t_jiffies", "op", "timer", "function", "delay", "expires",
};

static const char *const op_names[ROW_OPS] = { "start", "cancel", "expire" };

/*
 * struct reader - a trace that is being read
 * @fields:	how many the header names
 * @field:	where those that matter begin in this line
 * @length:	and how long they are
 * @armed:	of each name's number: when the recorder had it expire, plus
 *		one; 0: it was not armed
 */
struct reader {
	struct cursor cursor;
	struct scenario *scenario;
	struct trace *trace;
	int64_t jiffy_ms;
	int64_t tick_ms;
	unsigned fields;
	const char *field[FIELDS];
	size_t length[FIELDS];
	int64_t *armed;
	size_t room_armed;
	int64_t last;
};

/* Parts a line at its commas; returns how many fields it has. */
static unsigned split(struct reader *reader)
{
	const char *at = reader->cursor.begin;
	const char *end = reader->cursor.end;
	const char *comma;
	unsigned n = 0;

	for (;; at = comma + 1) {
		comma = memchr(at, ',', (size_t)(end - at));
		if (n < FIELDS) {
			reader->field[n] = at;
			reader->length[n] =
				(size_t)((comma ? comma : end) - at);
		}
		n++;
		if (!comma)
			return n;
	}
}

static bool fail_field(const struct reader *reader, enum field field,
		       const char *expected)
{
	return lex_fail(&reader->cursor, reader->field[field],
			"field '%s': expected %s, found '%s'",
			field_names[field], expected,
			lex_quote(reader->field[field], reader->length[field]));
}

static bool read_header(struct reader *reader)
{
	if (!lex_line(&reader->cursor)) {
		diag_file(reader->cursor.source->path,
			  "is empty; expected the header t_jiffies,op,timer,"
			  "function,delay,expires");
		return false;
	}
	reader->fields = split(reader);
	for (unsigned i = 0; i < FIELDS; i++) {
		if (i == reader->fields)
			return lex_fail(&reader->cursor, reader->cursor.end,
					"the header lacks the field '%s'",
					field_names[i]);
		if (reader->length[i] != strlen(field_names[i]) ||
		    memcmp(reader->field[i], field_names[i], reader->length[i]))
			return lex_fail(
				&reader->cursor, reader->field[i],
				"expected the field '%s' in the header, "
				"found '%s'",
				field_names[i],
				lex_quote(reader->field[i], reader->length[i]));
	}
	return true;
}

static bool read_number(struct reader *reader, enum field field, uint64_t most,
			uint64_t *number)
{
	struct cursor cursor = reader->cursor;

	cursor.at = reader->field[field];
	cursor.end = cursor.at + reader->length[field];
	if (cursor.at == cursor.end || *cursor.at < '0' || *cursor.at > '9')
		return fail_field(reader, field, "a whole number");
	if (!lex_digits(&cursor, most, number))
		return false;
	return cursor.at == cursor.end ||
	       fail_field(reader, field, "a whole number");
}

/* A time of the trace as a tick of the scenario. */
static bool read_time(struct reader *reader, enum field field, int64_t *tick)
{
	uint64_t jiffies;
	int64_t ms;

	if (!read_number(reader, field, (uint64_t)(SPAN_MAX / reader->jiffy_ms),
			 &jiffies))
		return false;
	ms = (int64_t)jiffies * reader->jiffy_ms;
	*tick = ms / reader->tick_ms;
	return ms % reader->tick_ms == 0 ||
	       fail_field(reader, field,
			  "a time that is a whole number of the scenario's "
			  "ticks");
}

static bool read_op(struct reader *reader, struct row *row)
{
	for (row->op = 0; row->op < ROW_OPS; row->op++)
		if (reader->length[FIELD_OP] == strlen(op_names[row->op]) &&
		    !memcmp(reader->field[FIELD_OP], op_names[row->op],
			    reader->length[FIELD_OP]))
			return true;
	return fail_field(reader, FIELD_OP, "start, cancel or expire");
}

static bool read_timer(struct reader *reader, struct row *row)
{
	struct names *names = &reader->scenario->names;
	char name[NAME_MAX_LENGTH + 1];
	size_t room = reader->room_armed;
	uint64_t number;

	if (!read_number(reader, FIELD_TIMER, UINT64_MAX, &number))
		return false;
	if (names->count >= NAMES_MAX)
		return fail_field(reader, FIELD_TIMER, "fewer timers");
	snprintf(name, sizeof(name), "trace%" PRIu64, number);
	row->id = names_add(names, name);
	reader->armed = mem_grow(reader->armed, &reader->room_armed,
				 names->count, sizeof(*reader->armed));
	memset(reader->armed + room, 0,
	       (reader->room_armed - room) * sizeof(*reader->armed));
	return true;
}

static bool read_start(struct reader *reader, struct row *row)
{
	if (!read_time(reader, FIELD_EXPIRES, &row->expires))
		return false;
	if (row->expires - row->tick > JIF_DELAY_MAX)
		return fail_field(reader, FIELD_EXPIRES,
				  "an expiry at most 2147483647 ticks ahead");
	return true;
}

/* What the recorder made of it: was the timer armed, and for when? */
static void follow(struct reader *reader, struct row *row)
{
	struct trace *trace = reader->trace;
	int64_t *armed = &reader->armed[row->id];

	row->pending = *armed;
	if (row->op == ROW_EXPIRE && *armed)
		histogram_add(&trace->lateness, (row->tick - (*armed - 1)) *
							reader->tick_ms /
							reader->jiffy_ms);
	*armed = row->op == ROW_START ? row->expires + 1 : 0;
	if (row->op == ROW_START)
		reader->scenario->names.armed[row->id] = true;
}

static bool read_row(struct reader *reader)
{
	struct trace *trace = reader->trace;
	struct row row = { 0 };
	unsigned fields = split(reader);

	if (fields != reader->fields)
		return lex_fail(&reader->cursor, reader->cursor.begin,
				"expected %u fields as in the header, found %u",
				reader->fields, fields);
	if (!read_time(reader, FIELD_TIME, &row.tick) ||
	    !read_op(reader, &row) || !read_timer(reader, &row))
		return false;
	if (row.tick < reader->last)
		return fail_field(reader, FIELD_TIME,
				  "a time that is not before the last row's");
	if (row.op == ROW_START && !read_start(reader, &row))
		return false;
	reader->last = row.tick;
	follow(reader, &row);
	trace->count[row.op]++;
	trace->rows = mem_grow(trace->rows, &trace->room_rows,
			       trace->n_rows + 1, sizeof(*trace->rows));
	trace->rows[trace->n_rows++] = row;
	return true;
}

enum status trace_read(struct trace **result, struct scenario *scenario,
		       const char *path, int64_t jiffy_ms, int64_t tick_ms)
{
	struct trace *trace = mem_alloc(1, sizeof(*trace));
	struct reader reader = {
		.scenario = scenario,
		.trace = trace,
		.jiffy_ms = jiffy_ms,
		.tick_ms = tick_ms,
	};
	unsigned errors = diag_errors();
	struct source source;
	enum status status = source_unpack(&source, path);

	*result = trace;
	if (status != STATUS_OK)
		return status;
	lex_init(&reader.cursor, &source);
	if (read_header(&reader))
		while (lex_line(&reader.cursor))
			if (reader.cursor.begin != reader.cursor.end)
				read_row(&reader);
	free(reader.armed);
	source_free(&source);
	return diag_errors() == errors ? STATUS_OK : STATUS_ERROR;
}

void trace_free(struct trace *trace)
{
	if (!trace)
		return;
	free(trace->rows);
	free(trace);
}
