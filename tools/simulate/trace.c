/* SPDX-License-Identifier: MIT */
/* A recording of what timers were asked to do */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lex.h"

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

/* A trace that is being read. */
struct reader {
	struct cursor cursor;
	struct trace *trace;
	int64_t jiffy_us;
	int64_t tick_us;
	unsigned fields;	       /* how many the header names */
	const char *field[FIELDS + 1]; /* where they begin, behind a comma */
	int64_t last;		       /* the time of the row before */
};

void histogram_add(struct histogram *histogram, int64_t lateness)
{
	if (lateness >= HISTOGRAM_EXACT)
		mem_add(histogram->more, histogram->count[MORE], lateness);
	else
		histogram->count[lateness < 0 ? EARLY : lateness]++;
	if (!histogram->total++ || lateness > histogram->max)
		histogram->max = lateness;
}

/* Parts a line at its commas; returns how many fields it has. */
static unsigned split(struct reader *reader)
{
	const char *at = reader->cursor.begin;
	unsigned n = 0;

	reader->field[0] = at;
	for (; at <= reader->cursor.end; at++)
		if ((at == reader->cursor.end || *at == ',') && ++n <= FIELDS)
			reader->field[n] = at + 1;
	return n;
}

static size_t length_of(const struct reader *reader, enum field field)
{
	return (size_t)(reader->field[field + 1] - reader->field[field] - 1);
}

static bool field_is(const struct reader *reader, enum field field,
		     const char *text)
{
	size_t length = length_of(reader, field);

	return length == strlen(text) &&
	       !memcmp(reader->field[field], text, length);
}

static const char *quote(const struct reader *reader, enum field field)
{
	return lex_quote(reader->field[field], length_of(reader, field));
}

static bool fail_field(const struct reader *reader, enum field field,
		       const char *expected)
{
	return lex_fail(&reader->cursor, reader->field[field],
			"field '%s': expected %s, found '%s'",
			field_names[field], expected, quote(reader, field));
}

static bool read_header(struct reader *reader)
{
	if (!lex_line(&reader->cursor)) {
		diag_file(reader->cursor.source,
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
		if (!field_is(reader, i, field_names[i]))
			return lex_fail(&reader->cursor, reader->field[i],
					"expected the field '%s' in the "
					"header, found '%s'",
					field_names[i], quote(reader, i));
	}
	return true;
}

static bool read_number(struct reader *reader, enum field field, uint64_t most,
			uint64_t *number)
{
	struct cursor cursor = reader->cursor;
	char expected[32];

	cursor.at = reader->field[field];
	if (!lex_value(&cursor, most, number)) {
		snprintf(expected, sizeof(expected), "at most %" PRIu64, most);
		return fail_field(reader, field, expected);
	}
	return (length_of(reader, field) &&
		cursor.at + 1 == reader->field[field + 1]) ||
	       fail_field(reader, field, "a whole number");
}

/* A time of the trace as a tick of the scenario. */
static bool read_time(struct reader *reader, enum field field, int64_t *tick)
{
	uint64_t jiffies;
	int64_t us;

	if (!read_number(reader, field, (uint64_t)(SPAN_MAX / reader->jiffy_us),
			 &jiffies))
		return false;
	us = (int64_t)jiffies * reader->jiffy_us;
	*tick = us / reader->tick_us;
	return us % reader->tick_us == 0 ||
	       fail_field(reader, field,
			  "a time that is a whole number of the scenario's "
			  "ticks");
}

static bool read_op(struct reader *reader, struct row *row)
{
	for (row->op = 0; row->op < ROW_OPS; row->op++)
		if (field_is(reader, FIELD_OP, op_names[row->op]))
			return true;
	return fail_field(reader, FIELD_OP, "start, cancel or expire");
}

static bool read_timer(struct reader *reader, struct row *row)
{
	struct names *names = &reader->cursor.scenario->names;
	char name[NAME_SIZE];
	uint64_t number;

	if (!read_number(reader, FIELD_TIMER, UINT64_MAX, &number))
		return false;
	snprintf(name, sizeof(name), "trace%" PRIu64, number);
	row->id = names_add(names, name);
	return names->count <= NAMES_MAX ||
	       fail_field(reader, FIELD_TIMER, "fewer timers");
}

static bool read_start(struct reader *reader, struct row *row)
{
	if (!read_time(reader, FIELD_EXPIRES, &row->expires))
		return false;
	return row->expires - row->tick <= JIF_DELAY_MAX ||
	       fail_field(reader, FIELD_EXPIRES,
			  "an expiry at most 2147483647 ticks ahead");
}

/* What the recorder made of it: was the timer armed, and for when? */
static void follow(struct reader *reader, struct row *row)
{
	struct name *name = &reader->cursor.scenario->names.name[row->id];

	row->pending = name->due;
	if (row->op == ROW_EXPIRE && name->due)
		histogram_add(&reader->trace->lateness,
			      (row->tick - (name->due - 1)) * reader->tick_us /
				      reader->jiffy_us);
	name->due = row->op == ROW_START ? row->expires + 1 : 0;
	name->armed |= row->op == ROW_START;
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
	mem_add(trace->rows, trace->n_rows, row);
	return true;
}

enum status trace_read(struct trace **trace, struct scenario *scenario,
		       const char *path, int64_t jiffy_us, int64_t tick_us)
{
	struct source source;
	struct reader reader = {
		.cursor = { .source = &source, .scenario = scenario },
		.jiffy_us = jiffy_us,
		.tick_us = tick_us,
	};
	unsigned errors = diag_errors;
	enum status status = source_read(&source, path);

	*trace = reader.trace = mem_alloc(1, sizeof(**trace));
	for (uint32_t i = 0; i < scenario->names.count; i++)
		scenario->names.name[i].due = 0;
	if (status == STATUS_OK) {
		reader.cursor.next = source.text;
		if (read_header(&reader))
			while (lex_line(&reader.cursor))
				if (reader.cursor.begin != reader.cursor.end)
					read_row(&reader);
		if (diag_errors != errors)
			status = STATUS_ERROR;
	}
	source_free(&source);
	return status;
}
