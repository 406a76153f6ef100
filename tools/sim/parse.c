/* SPDX-License-Identifier: MIT */
/*
 * parse.c - from the text of a scenario to its statements
 *
 * A function for each statement. They are chains of "this, and then that":
 * the first link that does not hold has reported why.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lex.h"
#include "mem.h"
#include "parse.h"

#define RANGE_MAX 1000000u

struct parser {
	struct scenario *scenario;
	struct cursor cursor;
	struct stmt stmt;
};

struct word {
	const char *text;
	bool (*parse)(struct parser *parser);
};

/* prefix{first..last}suffix, or a name without braces */
struct pattern {
	const char *begin;
	int prefix;
	const char *suffix;
	int suffix_length;
	uint64_t first;
	uint64_t last;
	int digits; /* of a number that is written with leading zeros */
	bool range;
};

static bool is_name_start(char byte)
{
	return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
	       byte == '_';
}

static bool is_name_byte(char byte)
{
	return is_name_start(byte) || (byte >= '0' && byte <= '9') ||
	       byte == '-' || byte == '.';
}

static int name_length(const struct cursor *cursor)
{
	const char *at = cursor->at;

	while (at < cursor->end && is_name_byte(*at))
		at++;
	return at - cursor->at > NAME_MAX_LENGTH ? NAME_MAX_LENGTH + 1 :
						   (int)(at - cursor->at);
}

/* What stands between the braces of a range. */
static bool parse_range(struct cursor *cursor, struct pattern *pattern)
{
	const char *brace = cursor->at++;
	const char *first = cursor->at;
	const char *behind;

	if (!lex_digits(cursor, UINT64_MAX, &pattern->first))
		return false;
	behind = cursor->at;
	if (behind == first || cursor->end - behind < 3 ||
	    memcmp(behind, "..", 2))
		goto malformed;
	cursor->at += 2;
	if (*first == '0')
		pattern->digits = (int)(behind - first);
	behind = cursor->at;
	if (!lex_digits(cursor, UINT64_MAX, &pattern->last))
		return false;
	if (cursor->at == behind || cursor->at == cursor->end ||
	    *cursor->at != '}')
		goto malformed;
	cursor->at++;
	if (pattern->last < pattern->first)
		return lex_fail(cursor, brace,
				"range goes down from %" PRIu64 " to %" PRIu64,
				pattern->first, pattern->last);
	if (pattern->last - pattern->first >= RANGE_MAX)
		return lex_fail(cursor, brace, "range has more than %u timers",
				RANGE_MAX);
	return true;
malformed:
	return lex_fail(cursor, brace, "expected a range such as {1..40}");
}

static bool parse_pattern(struct cursor *cursor, struct pattern *pattern)
{
	*pattern = (struct pattern){ .begin = cursor->at, .suffix = "" };
	pattern->prefix = name_length(cursor);
	cursor->at += pattern->prefix;
	if (pattern->prefix <= NAME_MAX_LENGTH && cursor->at < cursor->end &&
	    *cursor->at == '{') {
		if (!parse_range(cursor, pattern))
			return false;
		pattern->range = true;
		pattern->suffix = cursor->at;
		pattern->suffix_length = name_length(cursor);
		cursor->at += pattern->suffix_length;
	}
	if (pattern->prefix + pattern->suffix_length > NAME_MAX_LENGTH - 20)
		return lex_fail(cursor, pattern->begin,
				"name is too long: at most %d bytes",
				NAME_MAX_LENGTH - 20);
	if (lex_at_end(cursor) || cursor->at[-1] == ' ' ||
	    cursor->at[-1] == '\t')
		return true;
	return lex_fail(cursor, cursor->at,
			"unexpected '%s' in a name: letters, digits, _, - "
			"and . make one",
			lex_found(cursor));
}

static bool add_name(struct parser *parser, const char *name, uint32_t column)
{
	struct names *names = &parser->scenario->names;

	if (names->count >= NAMES_MAX)
		return lex_fail(&parser->cursor,
				parser->cursor.begin + column - 1,
				"too many timers: at most %u", NAMES_MAX);
	stmt_add_ref(&parser->stmt, names_add(names, name), column);
	return true;
}

/* One name, or those of a range. */
static bool add_names(struct parser *parser, const struct pattern *pattern)
{
	uint32_t column = lex_place(&parser->cursor, pattern->begin).column;
	char name[NAME_MAX_LENGTH + 1];

	for (uint64_t i = pattern->first;; i++) {
		snprintf(name, sizeof(name), "%.*s", pattern->prefix,
			 pattern->begin);
		if (pattern->range)
			snprintf(name + pattern->prefix,
				 sizeof(name) - (size_t)pattern->prefix,
				 "%0*" PRIu64 "%.*s", pattern->digits, i,
				 pattern->suffix_length, pattern->suffix);
		if (!add_name(parser, name, column))
			return false;
		if (i == pattern->last)
			return true;
	}
}

/* Does a name begin here? A word that may follow a name is none. */
static bool find_name(struct cursor *cursor)
{
	static const char *const reserved[] = { "at", "in", "before" };
	struct cursor ahead = *cursor;

	if (lex_at_end(cursor) || !is_name_start(*cursor->at))
		return lex_expected(cursor, "the name of a timer");
	for (size_t i = 0; i < sizeof(reserved) / sizeof(*reserved); i++)
		if (lex_is(&ahead, reserved[i]))
			return lex_fail(cursor, cursor->at,
					"expected the name of a timer, which "
					"'%s' cannot be",
					reserved[i]);
	return true;
}

/* A name, or a range of names. */
static bool parse_names(struct parser *parser)
{
	struct pattern pattern;

	return find_name(&parser->cursor) &&
	       parse_pattern(&parser->cursor, &pattern) &&
	       add_names(parser, &pattern);
}

/* NAME, which stands for NAME1, NAME2 and so on. */
static bool parse_numbered(struct parser *parser, uint64_t count)
{
	struct pattern pattern;

	if (!find_name(&parser->cursor) ||
	    !parse_pattern(&parser->cursor, &pattern))
		return false;
	if (pattern.range)
		return lex_fail(&parser->cursor, pattern.begin,
				"expected a name without braces, "
				"to which numbers are added");
	pattern.range = true;
	pattern.first = 1;
	pattern.last = count;
	return add_names(parser, &pattern);
}

/* Takes the next word, which has to be one of a list, and goes on with it. */
static bool parse_word(struct parser *parser, const struct word *words,
		       size_t n_words, const char *what)
{
	struct cursor *cursor = &parser->cursor;
	size_t length = lex_word(cursor);
	struct near near = diag_near(cursor->at, length);

	for (size_t i = 0; i < n_words; i++) {
		if (lex_is(cursor, words[i].text))
			return words[i].parse(parser);
		diag_near_try(&near, words[i].text);
	}
	if (!near.best)
		return lex_expected(cursor, what);
	return lex_fail(cursor, cursor->at, "expected %s, found '%s'%s", what,
			lex_quote(cursor->at, length), diag_near_hint(&near));
}

static bool parse_arm(struct parser *parser)
{
	struct cursor *cursor = &parser->cursor;
	struct stmt *stmt = &parser->stmt;

	stmt->kind = STMT_ARM;
	if (!parse_names(parser) || !lex_span(cursor, &stmt->span))
		return false;
	if (!lex_is(cursor, "every"))
		return true;
	if (!lex_span_above_zero(cursor, "a period", &stmt->period))
		return false;
	if (!lex_is(cursor, "x"))
		return true;
	if (!lex_number(cursor, "a count", UINT32_MAX, &stmt->number))
		return false;
	if (stmt->number)
		return true;
	return lex_fail(cursor, cursor->at - 1, "a count is at least 1");
}

static bool parse_mod(struct parser *parser)
{
	parser->stmt.kind = STMT_MOD;
	return parse_names(parser) &&
	       lex_span(&parser->cursor, &parser->stmt.span);
}

static bool parse_postpone(struct parser *parser)
{
	parser->stmt.kind = STMT_POSTPONE;
	return parse_names(parser) &&
	       lex_span(&parser->cursor, &parser->stmt.span);
}

static bool parse_cancel(struct parser *parser)
{
	parser->stmt.kind = STMT_CANCEL;
	return parse_names(parser);
}

static bool parse_drain(struct parser *parser)
{
	parser->stmt.kind = STMT_DRAIN;
	return true;
}

static bool parse_action(struct parser *parser)
{
	static const struct word actions[] = {
		{ "arm", parse_arm },		{ "mod", parse_mod },
		{ "postpone", parse_postpone }, { "cancel", parse_cancel },
		{ "drain", parse_drain },
	};

	return parse_word(parser, actions, sizeof(actions) / sizeof(*actions),
			  "arm, mod, postpone, cancel or drain");
}

static bool parse_start(struct parser *parser)
{
	const char *begin = parser->cursor.at;

	parser->stmt.kind = STMT_START;
	if (!lex_when(&parser->cursor, &parser->stmt.at))
		return false;
	if (parser->stmt.at.base != WHEN_AFTER)
		return true;
	return lex_fail(&parser->cursor, begin + 1,
			"the start cannot count from another time");
}

static bool parse_tick(struct parser *parser)
{
	parser->stmt.kind = STMT_TICK;
	return lex_span_above_zero(&parser->cursor, "a tick",
				   &parser->stmt.span);
}

static bool parse_at(struct parser *parser)
{
	return lex_when(&parser->cursor, &parser->stmt.at) &&
	       parse_action(parser);
}

static bool parse_every(struct parser *parser)
{
	struct cursor *cursor = &parser->cursor;
	struct stmt *stmt = &parser->stmt;

	return lex_span_above_zero(cursor, "a step", &stmt->step) &&
	       lex_keyword(cursor, "from") && lex_when(cursor, &stmt->at) &&
	       lex_keyword(cursor, "until") && lex_when(cursor, &stmt->until) &&
	       parse_action(parser);
}

/* A day, or days from one to another, of which the later may come first. */
static bool parse_days_item(struct parser *parser, const char *item,
			    size_t length)
{
	const char *dash = memchr(item, '-', length);
	size_t head = dash ? (size_t)(dash - item) : length;
	unsigned first = lex_day(item, head);
	unsigned last = dash ? lex_day(dash + 1, length - head - 1) : first;

	if (first > 6 || last > 6)
		return lex_fail(&parser->cursor, item,
				"expected days such as mon-fri or sat,sun, "
				"found '%s'",
				lex_found(&parser->cursor));
	parser->stmt.days |= (uint8_t)(1u << last);
	for (; first != last; first = (first + 1) % 7)
		parser->stmt.days |= (uint8_t)(1u << first);
	return true;
}

static bool parse_days(struct parser *parser)
{
	struct cursor *cursor = &parser->cursor;
	size_t length = lex_word(cursor);
	const char *end = cursor->at + length;
	const char *comma;

	if (end == cursor->at)
		return lex_expected(cursor, "days such as mon-fri or sat,sun");
	for (;; cursor->at = comma + 1) {
		comma = memchr(cursor->at, ',', (size_t)(end - cursor->at));
		if (!parse_days_item(
			    parser, cursor->at,
			    (size_t)((comma ? comma : end) - cursor->at)))
			return false;
		if (!comma)
			break;
	}
	cursor->at = end;
	return true;
}

static bool parse_weekly(struct parser *parser)
{
	struct cursor *cursor = &parser->cursor;
	struct stmt *stmt = &parser->stmt;

	stmt->kind = STMT_WEEKLY;
	if (!parse_days(parser))
		return false;
	stmt->at.column = lex_column(cursor);
	return lex_clock(cursor, &stmt->at) && lex_keyword(cursor, "fire") &&
	       parse_names(parser);
}

/* DUR..DUR */
static bool parse_delays(struct parser *parser)
{
	struct cursor *cursor = &parser->cursor;
	struct stmt *stmt = &parser->stmt;

	if (!lex_span_part(cursor, &stmt->span))
		return false;
	if (cursor->end - cursor->at < 2 || memcmp(cursor->at, "..", 2))
		return lex_fail(cursor, cursor->at,
				"expected '..' and the longest delay "
				"(for example 1s..30s)");
	cursor->at += 2;
	if (!lex_span(cursor, &stmt->period))
		return false;
	if (stmt->period.ms >= stmt->span.ms)
		return true;
	return lex_fail(cursor, cursor->begin + stmt->span.column - 1,
			"the longest delay is shorter than the shortest one");
}

static bool parse_random(struct parser *parser)
{
	struct cursor *cursor = &parser->cursor;
	struct stmt *stmt = &parser->stmt;

	stmt->kind = STMT_RANDOM;
	if (!lex_number(cursor, "a number of timers", RANGE_MAX, &stmt->number))
		return false;
	if (!stmt->number)
		return lex_fail(cursor, cursor->at - 1,
				"a count is at least 1");
	return lex_keyword(cursor, "timers") &&
	       parse_numbered(parser, stmt->number) && parse_delays(parser) &&
	       lex_keyword(cursor, "seed") &&
	       lex_number(cursor, "a seed", UINT64_MAX, &stmt->seed);
}

static bool parse_stall(struct parser *parser)
{
	parser->stmt.kind = STMT_STALL;
	return lex_span_above_zero(&parser->cursor, "a stall",
				   &parser->stmt.span) &&
	       lex_keyword(&parser->cursor, "at") &&
	       lex_when(&parser->cursor, &parser->stmt.at);
}

static bool parse_import(struct parser *parser)
{
	parser->stmt.kind = STMT_IMPORT;
	if (!lex_string(&parser->cursor, &parser->stmt.file))
		return false;
	return !lex_is(&parser->cursor, "tick") ||
	       lex_span_above_zero(&parser->cursor, "a tick",
				   &parser->stmt.span);
}

static bool parse_run(struct parser *parser)
{
	parser->stmt.kind = STMT_RUN;
	return lex_keyword(&parser->cursor, "until") &&
	       lex_when(&parser->cursor, &parser->stmt.at);
}

static bool parse_expect_time(struct parser *parser)
{
	return lex_keyword(&parser->cursor, "at") &&
	       lex_when(&parser->cursor, &parser->stmt.at);
}

static bool parse_expect_fire(struct parser *parser)
{
	parser->stmt.kind = STMT_FIRE;
	return parse_names(parser) && parse_expect_time(parser);
}

static bool parse_expect_no(struct parser *parser)
{
	parser->stmt.kind = STMT_NO_FIRE;
	if (!lex_keyword(&parser->cursor, "fire") || !parse_names(parser))
		return false;
	return !lex_is(&parser->cursor, "before") ||
	       lex_when(&parser->cursor, &parser->stmt.at);
}

static bool parse_expect_count(struct parser *parser)
{
	parser->stmt.kind = STMT_COUNT;
	return parse_names(parser) &&
	       lex_number(&parser->cursor, "a count", UINT64_MAX,
			  &parser->stmt.number);
}

static bool parse_expect_order(struct parser *parser)
{
	struct cursor *cursor = &parser->cursor;

	parser->stmt.kind = STMT_ORDER;
	do {
		if (!parse_names(parser))
			return false;
	} while (!lex_is(cursor, "at"));
	if (parser->stmt.n_refs < 2)
		return lex_fail(cursor, cursor->at - 2,
				"an order takes two timers or more");
	return lex_when(cursor, &parser->stmt.at);
}

static bool parse_level(struct cursor *cursor, size_t length, uint8_t *level)
{
	struct near near = diag_near(cursor->at, length);

	for (*level = SEC; *level < LEVELS; ++*level) {
		if (length == strlen(level_names[*level]) &&
		    !memcmp(cursor->at, level_names[*level], length)) {
			cursor->at += length;
			return true;
		}
		diag_near_try(&near, level_names[*level]);
	}
	return lex_fail(cursor, cursor->at,
			"expected sec, min, hour or day, found '%s'%s",
			lex_quote(cursor->at, length), diag_near_hint(&near));
}

/* LEVEL[SLOT] */
static bool parse_slot(struct parser *parser)
{
	static const char expected[] = "a slot such as hour[22]";
	struct cursor *cursor = &parser->cursor;
	struct stmt *stmt = &parser->stmt;
	size_t length = lex_word(cursor);
	const char *bracket = memchr(cursor->at, '[', length);
	uint64_t number;
	uint8_t level;

	if (!bracket)
		return lex_expected(cursor, expected);
	if (!parse_level(cursor, (size_t)(bracket - cursor->at), &level))
		return false;
	cursor->at++;
	if (!lex_digits(cursor, UINT64_MAX, &number))
		return false;
	if (cursor->at == bracket + 1 || cursor->at == cursor->end ||
	    *cursor->at != ']')
		return lex_fail(cursor, cursor->at, "expected %s", expected);
	if (number >= level_slots[level])
		return lex_fail(cursor, bracket + 1, "%s has the slots 0 to %d",
				level_names[level], level_slots[level] - 1);
	cursor->at++;
	stmt->slots = mem_grow(stmt->slots, &stmt->room_slots,
			       stmt->n_slots + 1, sizeof(*stmt->slots));
	stmt->slots[stmt->n_slots++] = (struct slot){ level, (uint8_t)number };
	return lex_boundary(cursor, "a slot");
}

static bool parse_expect_in(struct parser *parser)
{
	struct cursor *cursor = &parser->cursor;

	parser->stmt.kind = STMT_IN;
	return parse_names(parser) && lex_keyword(cursor, "in") &&
	       parse_slot(parser) && lex_keyword(cursor, "left") &&
	       lex_span(cursor, &parser->stmt.span) &&
	       parse_expect_time(parser);
}

static bool parse_expect_path(struct parser *parser)
{
	parser->stmt.kind = STMT_PATH;
	if (!parse_names(parser))
		return false;
	do {
		if (!parse_slot(parser))
			return false;
	} while (!lex_at_end(&parser->cursor));
	return true;
}

static bool parse_expect_next(struct parser *parser)
{
	parser->stmt.kind = STMT_NEXT;
	return lex_span(&parser->cursor, &parser->stmt.span) &&
	       parse_expect_time(parser);
}

static bool parse_expect(struct parser *parser)
{
	static const struct word expectations[] = {
		{ "fire", parse_expect_fire },
		{ "no", parse_expect_no },
		{ "count", parse_expect_count },
		{ "order", parse_expect_order },
		{ "path", parse_expect_path },
		{ "next", parse_expect_next },
	};
	struct cursor *cursor = &parser->cursor;

	parser->stmt.place.column = lex_column(cursor);
	if (lex_word(cursor) && lex_second_is(cursor, "in"))
		return parse_expect_in(parser);
	return parse_word(parser, expectations,
			  sizeof(expectations) / sizeof(*expectations),
			  "fire, no fire, count, order, path, next "
			  "or NAME in SLOT");
}

static bool parse_stmt(struct parser *parser)
{
	static const struct word statements[] = {
		{ "start", parse_start },   { "tick", parse_tick },
		{ "at", parse_at },	    { "every", parse_every },
		{ "weekly", parse_weekly }, { "random", parse_random },
		{ "stall", parse_stall },   { "import", parse_import },
		{ "run", parse_run },	    { "expect", parse_expect },
	};

	return parse_word(parser, statements,
			  sizeof(statements) / sizeof(*statements),
			  "start, tick, at, every, weekly, random, stall, "
			  "import, run or expect") &&
	       lex_end(&parser->cursor);
}

/* What there is only one of must not be there yet. */
static bool is_new(const struct parser *parser)
{
	const struct stmt *stmt = &parser->stmt;
	const struct stmt *first;

	if (stmt->kind > STMT_RUN)
		return true;
	first = scenario_find(parser->scenario, stmt->kind);
	if (!first)
		return true;
	return lex_fail(&parser->cursor,
			parser->cursor.begin + stmt->place.column - 1,
			"this is said twice; the first time in line %u",
			first->place.line);
}

static void parse_line(struct parser *parser)
{
	struct stmt *stmt = &parser->stmt;

	if (lex_at_end(&parser->cursor))
		return;
	*stmt = (struct stmt){ 0 };
	stmt->place = lex_place(&parser->cursor, parser->cursor.at);
	if (parse_stmt(parser) && is_new(parser))
		scenario_add(parser->scenario, stmt);
	else
		stmt_free(stmt);
}

/* Text has no control characters, but for tabs and line ends. */
static bool is_text(struct cursor *cursor)
{
	for (const char *at = cursor->begin; at < cursor->end; at++)
		if (((unsigned char)*at < ' ' && *at != '\t') || *at == 0x7f)
			return lex_fail(cursor, at,
					"byte 0x%02x: this is not a text file",
					(unsigned char)*at);
	return true;
}

void parse_scenario(struct scenario *scenario)
{
	struct parser parser = { .scenario = scenario };

	lex_init(&parser.cursor, &scenario->source);
	while (lex_line(&parser.cursor)) {
		if (!is_text(&parser.cursor))
			return;
		parse_line(&parser);
	}
}
