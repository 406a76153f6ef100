/* SPDX-License-Identifier: MIT */
/*
 * parse.c - from the text of a scenario to its statements
 *
 * The forms of the statements are a table, written as in the manual. What is in
 * capitals in a form is a piece, with a function that takes it off the line.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lex.h"

#define RANGE_MAX    1000000u
#define DIGITS_MAX   20
#define NAME_FIRST   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define DIGITS	     "0123456789"
#define NAME_BYTES   NAME_FIRST DIGITS "-."
#define DAYS	     "days such as mon-fri or sat,sun"
#define A_SLOT	     "a slot such as hour[22]"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

enum group { STATEMENT, ACTION, EXPECTATION, NONE };

/* What a line looks like. A word with ?, and all from [ on, may be missing. */
struct form {
	enum group group;
	const char *word; /* how it begins */
	const char *text; /* words and pieces */
	enum stmt_kind kind;
	enum group next; /* what follows that */
};

/* prefix{first..last}suffix, or a name without braces */
struct pattern {
	const char *begin;
	size_t prefix;
	const char *suffix;
	size_t suffix_length;
	uint64_t first;
	uint64_t last;
	int digits; /* of a number that is written with leading zeros */
	bool range;
};

/* {first..last} */
static bool take_range(struct cursor *cursor, struct pattern *pattern)
{
	const char *brace = cursor->at, *first = brace + 1;
	const char *dots = first + strspn(first, DIGITS);
	const char *last = strncmp(dots, "..", 2) ? dots : dots + 2;
	const char *end = last + strspn(last, DIGITS);

	if (dots == first || last == dots || end == last || *end != '}')
		return lex_fail(cursor, brace,
				"expected a range such as {1..40}");
	if (*first == '0' && dots - first <= DIGITS_MAX)
		pattern->digits = (int)(dots - first);
	cursor->at = first;
	if (!lex_digits(cursor, UINT64_MAX, &pattern->first))
		return false;
	cursor->at = last;
	if (!lex_digits(cursor, UINT64_MAX, &pattern->last))
		return false;
	cursor->at = end + 1;
	pattern->range = true;
	if (pattern->last < pattern->first)
		return lex_fail(cursor, brace,
				"range goes down from %" PRIu64 " to %" PRIu64,
				pattern->first, pattern->last);
	return pattern->last - pattern->first < RANGE_MAX ||
	       lex_fail(cursor, brace, "range has more than %u timers",
			RANGE_MAX);
}

/* Does a name begin here? A word that may follow a name is none. */
static bool find_name(struct cursor *cursor)
{
	static const char *const reserved[] = { "at", "in", "before" };

	if (lex_at_end(cursor) || !strspn(cursor->at, NAME_FIRST))
		return lex_expected(cursor, "the name of a timer");
	for (size_t i = 0; i < COUNT(reserved); i++)
		if (lex_is_ahead(cursor, 0, reserved[i]))
			return lex_fail(cursor, cursor->at,
					"expected the name of a timer, which "
					"'%s' cannot be",
					reserved[i]);
	return true;
}

static bool take_pattern(struct cursor *cursor, struct pattern *pattern)
{
	if (!find_name(cursor))
		return false;
	*pattern = (struct pattern){ .begin = cursor->at };
	pattern->prefix = strspn(cursor->at, NAME_BYTES);
	cursor->at += pattern->prefix;
	if (*cursor->at == '{' && pattern->prefix <= NAME_LENGTH &&
	    !take_range(cursor, pattern))
		return false;
	pattern->suffix = cursor->at;
	if (pattern->range)
		cursor->at += strspn(cursor->at, NAME_BYTES);
	pattern->suffix_length = (size_t)(cursor->at - pattern->suffix);
	if (pattern->prefix + pattern->suffix_length > NAME_LENGTH)
		return lex_fail(cursor, pattern->begin,
				"name is too long: at most %d bytes",
				NAME_LENGTH);
	return lex_boundary(
		cursor, "in a name:", "letters, digits, _, - and . make one");
}

/* One name, or those of a range. */
static bool add_names(struct cursor *cursor, const struct pattern *pattern)
{
	struct names *names = &cursor->scenario->names;
	struct stmt *stmt = cursor->stmt;
	struct place place = lex_place(cursor, pattern->begin);
	char name[NAME_SIZE], number[DIGITS_MAX + 1] = "";

	for (uint64_t i = pattern->first;; i++) {
		if (pattern->range)
			snprintf(number, sizeof(number), "%0*" PRIu64,
				 pattern->digits, i);
		snprintf(name, sizeof(name), "%.*s%s%.*s", (int)pattern->prefix,
			 pattern->begin, number, (int)pattern->suffix_length,
			 pattern->suffix);
		mem_add(stmt->refs, stmt->n_refs,
			(struct ref){ names_add(names, name), place });
		if (names->count > NAMES_MAX)
			return lex_fail(cursor, pattern->begin,
					"too many timers: at most %u",
					NAMES_MAX);
		if (i == pattern->last)
			return true;
	}
}

/* A name, or a range of names. */
static bool take_names(struct cursor *cursor)
{
	struct pattern pattern;

	return take_pattern(cursor, &pattern) && add_names(cursor, &pattern);
}

/* The names come before those of the action. */
static bool take_trigger(struct cursor *cursor)
{
	struct stmt *stmt = cursor->stmt;

	if (!take_names(cursor))
		return false;
	stmt->on = stmt->refs;
	stmt->n_on = stmt->n_refs;
	stmt->refs = NULL;
	stmt->n_refs = 0;
	return true;
}

/* NAME, which stands for NAME1, NAME2 and so on. */
static bool take_numbered(struct cursor *cursor)
{
	struct pattern pattern;

	if (!take_pattern(cursor, &pattern))
		return false;
	if (pattern.range)
		return lex_fail(cursor, pattern.begin,
				"expected a name without braces, "
				"to which numbers are added");
	pattern.range = true;
	pattern.first = 1;
	pattern.last = cursor->stmt->number;
	return add_names(cursor, &pattern);
}

/* Names up to the word 'at'. */
static bool take_order(struct cursor *cursor)
{
	do {
		if (!take_names(cursor))
			return false;
	} while (!lex_is_ahead(cursor, 0, "at"));
	if (lex_at_end(cursor) || cursor->stmt->n_refs >= 2)
		return true;
	return lex_fail(cursor, cursor->at,
			"an order takes two timers or more");
}

/* Steps over the name of a day, and returns its number; 7 if there is none. */
static unsigned skip_day(struct cursor *cursor)
{
	unsigned day = 0;

	while (day < 7 && !lex_skip(cursor, day_names[day]))
		day++;
	return day;
}

/* Days, or from one day to another, of which the later may come first. */
static bool take_days(struct cursor *cursor)
{
	const char *item;
	unsigned first, last;

	if (lex_at_end(cursor))
		return lex_expected(cursor, DAYS);
	do {
		item = cursor->at;
		first = last = skip_day(cursor);
		if (lex_skip(cursor, "-"))
			last = skip_day(cursor);
		if (first == 7 || last == 7 ||
		    !strchr(" \t#\r\n,", *cursor->at)) {
			cursor->at = item;
			return lex_expected(cursor, DAYS);
		}
		cursor->stmt->days |= (uint8_t)(1u << last);
		for (; first != last; first = (first + 1) % 7)
			cursor->stmt->days |= (uint8_t)(1u << first);
	} while (lex_skip(cursor, ","));
	return true;
}

/* How a periodic timer makes up for what it has missed: each, if not said. */
static bool take_catchup(struct cursor *cursor)
{
	static const char *const words[] = { "skip", "each", "restart" };
	struct stmt *stmt = cursor->stmt;
	size_t length = lex_word(cursor);
	struct near near;
	unsigned word;

	if (stmt->has_catchup)
		return true;
	word = lex_choose(cursor, length, words, COUNT(words), &near);
	if (word < COUNT(words)) {
		stmt->catchup = (uint8_t)word;
		stmt->has_catchup = true;
		return true;
	}
	return !near.best ||
	       lex_fail(cursor, cursor->at,
			"expected each, skip or restart, found '%s'%s",
			lex_quote(cursor->at, length), near_hint(&near));
}

/* The name of a file, between quotes. */
static bool take_file(struct cursor *cursor)
{
	const char *begin, *stop;

	if (lex_at_end(cursor) || *cursor->at != '"')
		return lex_expected(cursor, "a file name between quotes");
	begin = cursor->at + 1;
	stop = memchr(begin, '"', (size_t)(cursor->end - begin));
	if (!stop)
		return lex_fail(cursor, cursor->at,
				"the quote that ends the file name is missing");
	if (stop == begin)
		return lex_fail(cursor, cursor->at, "the file name is empty");
	cursor->stmt->file = mem_print("%.*s", (int)(stop - begin), begin);
	cursor->at = stop + 1;
	return lex_boundary(cursor, "after", "a file name");
}

/* LEVEL[SLOT] */
static bool take_slot(struct cursor *cursor)
{
	struct stmt *stmt = cursor->stmt;
	size_t length = lex_word(cursor);
	const char *bracket = memchr(cursor->at, '[', length);
	struct near near;
	uint64_t number;
	unsigned level;

	if (!bracket)
		return lex_expected(cursor, A_SLOT);
	length = (size_t)(bracket - cursor->at);
	level = lex_choose(cursor, length, level_names, LEVELS, &near);
	if (level == LEVELS)
		return lex_fail(cursor, cursor->at,
				"expected sec, min, hour or day, found '%s'%s",
				lex_quote(cursor->at, length),
				near_hint(&near));
	cursor->at++;
	if (!lex_digits(cursor, UINT64_MAX, &number))
		return false;
	if (cursor->at == bracket + 1 || !lex_skip(cursor, "]"))
		return lex_fail(cursor, cursor->at, "expected " A_SLOT);
	if (number >= level_slots[level])
		return lex_fail(cursor, bracket + 1, "%s has the slots 0 to %d",
				level_names[level], level_slots[level] - 1);
	mem_add(stmt->slots, stmt->n_slots,
		(struct slot){ (uint8_t)level, (uint8_t)number });
	return lex_boundary(cursor, "after", "a slot");
}

/* Slots up to the end of the line. */
static bool take_path(struct cursor *cursor)
{
	do {
		if (!take_slot(cursor))
			return false;
	} while (!lex_at_end(cursor));
	return true;
}

static const char a_time[] =
	"a time such as 08:30:00, mon 08:30, d8 08:30:00.500 or +5s";

#define FIELD(name) offsetof(struct stmt, name)

static const struct piece pieces[] = {
	{ "CATCHUP", take_catchup, 0, NULL, 0, 0 },
	{ "CLOCK", lex_clock, FIELD(at), "a time of day such as 07:30", 0, 0 },
	{ "COUNT", lex_number, FIELD(number), "a count", 1, UINT32_MAX - 1 },
	{ "DAYS", take_days, 0, NULL, 0, 0 },
	{ "DELAYS", lex_delays, 0, NULL, 0, 0 },
	{ "DUR", lex_span, FIELD(span), NULL, 0, 0 },
	{ "FILE", take_file, 0, NULL, 0, 0 },
	{ "JIFFY", lex_length, FIELD(span), "a tick", 0, 0 },
	{ "NAME", take_names, 0, NULL, 0, 0 },
	{ "NAMES", take_order, 0, NULL, 0, 0 },
	{ "NUMBER", lex_number, FIELD(number), "a count", 0, UINT64_MAX },
	{ "NUMBERED", take_numbered, 0, NULL, 0, 0 },
	{ "PATH", take_path, 0, NULL, 0, 0 },
	{ "PERIOD", lex_length, FIELD(period), "a period", 0, 0 },
	{ "SEED", lex_number, FIELD(seed), "a seed", 0, UINT64_MAX },
	{ "SLOT", take_slot, 0, NULL, 0, 0 },
	{ "STALL", lex_length, FIELD(span), "a stall", 0, 0 },
	{ "START", lex_start, FIELD(at), a_time, 0, 0 },
	{ "STEP", lex_length, FIELD(step), "a step", 0, 0 },
	{ "TIME", lex_time, FIELD(at), a_time, 0, 0 },
	{ "TIMERS", lex_number, FIELD(number), "a number of timers", 1,
	  RANGE_MAX },
	{ "TRIGGER", take_trigger, 0, NULL, 0, 0 },
	{ "UNTIL", lex_time, FIELD(until), a_time, 0, 0 },
};

static const char *const group_names[] = {
	("start, tick, at, on, every, weekly, random, stall, starve, import, "
	 "run or expect"),
	"arm, mod, postpone, cancel or drain",
	"fire, no fire, count, order, path, next or NAME in SLOT",
};

static const struct form forms[] = {
	{ STATEMENT, "start", "START", STMT_START, NONE },
	{ STATEMENT, "tick", "JIFFY", STMT_TICK, NONE },
	{ STATEMENT, "at", "TIME", STMT_ARM, ACTION },
	{ STATEMENT, "on", "TRIGGER fire:", STMT_ARM, ACTION },
	{ STATEMENT, "every", "STEP from TIME until UNTIL", STMT_ARM, ACTION },
	{ STATEMENT, "weekly", "DAYS CLOCK fire NAME", STMT_WEEKLY, NONE },
	{ STATEMENT, "random", "TIMERS timers NUMBERED DELAYS seed SEED",
	  STMT_RANDOM, NONE },
	{ STATEMENT, "stall", "STALL at TIME", STMT_STALL, NONE },
	{ STATEMENT, "starve", "STALL every STEP", STMT_STARVE, NONE },
	{ STATEMENT, "import", "FILE [tick JIFFY", STMT_IMPORT, NONE },
	{ STATEMENT, "run", "until TIME", STMT_RUN, NONE },
	{ STATEMENT, "expect", "", STMT_FIRE, EXPECTATION },
	{ ACTION, "arm", "NAME ?in DUR [every PERIOD CATCHUP [x COUNT CATCHUP",
	  STMT_ARM, NONE },
	{ ACTION, "mod", "NAME ?in DUR", STMT_ARM, NONE },
	{ ACTION, "postpone", "NAME ?in DUR", STMT_POSTPONE, NONE },
	{ ACTION, "cancel", "NAME", STMT_CANCEL, NONE },
	{ ACTION, "drain", "", STMT_DRAIN, NONE },
	{ EXPECTATION, "fire", "NAME at TIME", STMT_FIRE, NONE },
	{ EXPECTATION, "no", "fire NAME [before TIME", STMT_NO_FIRE, NONE },
	{ EXPECTATION, "count", "NAME NUMBER", STMT_COUNT, NONE },
	{ EXPECTATION, "order", "NAMES at TIME", STMT_ORDER, NONE },
	{ EXPECTATION, "path", "NAME PATH", STMT_PATH, NONE },
	{ EXPECTATION, "next", "DUR at TIME", STMT_NEXT, NONE },
};

/* The only form that does not begin with a word of its own. */
static const struct form form_in = { EXPECTATION, "",
				     "NAME in SLOT left DUR at TIME", STMT_IN,
				     NONE };

/*
 * The form whose word is next, of those whose text begins so; or NULL, and in
 * @near the word that may have been meant.
 */
static const struct form *find_form(struct cursor *cursor, enum group group,
				    const char *begin, struct near *near)
{
	size_t length = lex_word(cursor);

	*near = near_word(cursor->at, length);
	for (size_t i = 0; i < COUNT(forms); i++)
		if (forms[i].group == group &&
		    !strncmp(forms[i].text, begin, strlen(begin)) &&
		    near_try(near, forms[i].word))
			return &forms[i];
	return NULL;
}

/* Nothing begins so: a word is misspelled, or stands behind a name. */
static bool fail_word(struct cursor *cursor, enum group group,
		      const struct near *near)
{
	struct cursor second = *cursor;
	struct near behind;

	if (near->best)
		return lex_fail(cursor, cursor->at, "expected %s, found '%s'%s",
				group_names[group],
				lex_quote(cursor->at, near->length),
				near_hint(near));
	second.at += near->length;
	find_form(&second, group, "NAME", &behind);
	if (behind.best)
		return lex_fail(cursor, second.at,
				"expected '%s' before the name, "
				"found '%s' behind it",
				behind.best,
				lex_quote(second.at, behind.length));
	return lex_expected(cursor, group_names[group]);
}

/* Takes the next word, which has to be that of a form. */
static const struct form *take_word(struct cursor *cursor, enum group group)
{
	const struct form *form;
	struct near near;

	if (group == EXPECTATION && lex_is_ahead(cursor, 1, "in"))
		return &form_in;
	form = find_form(cursor, group, "", &near);
	if (form)
		cursor->at += near.length;
	else
		fail_word(cursor, group, &near);
	return form;
}

/* Takes what a word of a form stands for. */
static bool take_piece(struct cursor *cursor, const char *word)
{
	char quoted[20];

	if (*word >= 'a') {
		snprintf(quoted, sizeof(quoted), "'%s'", word);
		return lex_is(cursor, word) || lex_expected(cursor, quoted);
	}
	cursor->piece = pieces;
	while (strcmp(cursor->piece->name, word))
		cursor->piece++;
	return cursor->piece->take(cursor);
}

static bool take_form(struct cursor *cursor, const char *form)
{
	char word[16];
	size_t length;

	for (; *form; form += length + (form[length] == ' ')) {
		length = strcspn(form, " ");
		snprintf(word, sizeof(word), "%.*s", (int)length, form);
		if (*word == '[') {
			if (!lex_is(cursor, word + 1))
				return true;
		} else if (*word == '?') {
			lex_is(cursor, word + 1);
		} else if (!take_piece(cursor, word)) {
			return false;
		}
	}
	return true;
}

static bool take_stmt(struct cursor *cursor)
{
	enum group group = STATEMENT;
	const struct form *form;

	do {
		if (group == EXPECTATION)
			cursor->stmt->place = lex_here(cursor);
		form = take_word(cursor, group);
		if (!form || !take_form(cursor, form->text))
			return false;
		cursor->stmt->kind = form->kind;
		group = form->next;
	} while (group != NONE);
	return lex_end(cursor);
}

/* What there is only one of must not be there yet. */
static bool is_new(const struct cursor *cursor)
{
	const struct stmt *stmt = cursor->stmt;
	const struct stmt *first;

	if (stmt->kind > STMT_STARVE)
		return true;
	first = scenario_find(cursor->scenario, stmt->kind);
	if (!first)
		return true;
	return diag_error(stmt->place,
			  "this is said twice; the first time in line %u",
			  first->place.line);
}

static void take_line(struct cursor *cursor)
{
	struct stmt *stmt = cursor->stmt;

	if (lex_at_end(cursor))
		return;
	*stmt = (struct stmt){ .place = lex_here(cursor),
			       .catchup = JIF_CATCHUP_EACH };
	if (take_stmt(cursor) && is_new(cursor))
		scenario_add(cursor->scenario, stmt);
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
	struct stmt stmt;
	struct cursor cursor = {
		.source = &scenario->source,
		.scenario = scenario,
		.stmt = &stmt,
		.next = scenario->source.text,
	};

	while (lex_line(&cursor) && is_text(&cursor))
		take_line(&cursor);
}
