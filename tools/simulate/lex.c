/* SPDX-License-Identifier: MIT */
/* The words of a scenario, line by line */
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "lex.h"

#define UNIT_NAMES "d, h, m, s, ms or us (for example 1h2m3s)"
#define LETTERS	   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS	   "0123456789"
#define BLANKS	   " \t"
#define LINE_ENDS  "#\r\n" /* or NUL; is_text() lets no control into a line */

static bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

bool lex_line(struct cursor *cursor)
{
	const char *end = cursor->source->text + cursor->source->size;
	const char *stop;

	if (cursor->next == end)
		return false;
	cursor->begin = cursor->at = cursor->next;
	stop = memchr(cursor->at, '\n', (size_t)(end - cursor->at));
	cursor->next = stop ? stop + 1 : end;
	cursor->end = stop ? stop : end;
	if (cursor->end > cursor->begin && cursor->end[-1] == '\r')
		cursor->end--;
	cursor->line++;
	return true;
}

struct place lex_place(const struct cursor *cursor, const char *at)
{
	return (struct place){ cursor->source, cursor->line,
			       (uint32_t)(at - cursor->begin + 1) };
}

bool lex_at_end(struct cursor *cursor)
{
	cursor->at += strspn(cursor->at, BLANKS);
	return strchr(LINE_ENDS, *cursor->at);
}

/* The next word, or right behind the last one where there is none. */
static const char *here(struct cursor *cursor)
{
	const char *at;

	if (!lex_at_end(cursor))
		return cursor->at;
	at = cursor->at;
	while (at > cursor->begin && (at[-1] == ' ' || at[-1] == '\t'))
		at--;
	return at;
}

struct place lex_here(struct cursor *cursor)
{
	return lex_place(cursor, here(cursor));
}

/* Does a word end here? */
static bool at_boundary(const struct cursor *cursor)
{
	return strchr(BLANKS LINE_ENDS, *cursor->at);
}

size_t lex_word(struct cursor *cursor)
{
	lex_at_end(cursor);
	return strcspn(cursor->at, BLANKS LINE_ENDS);
}

const char *lex_quote(const char *word, size_t length)
{
	static char quoted[48];
	size_t shown = length < 40 ? length : 40;

	for (size_t i = 0; i < shown; i++)
		quoted[i] = word[i] > ' ' && word[i] < 0x7f ? word[i] : '?';
	strcpy(quoted + shown, shown < length ? "..." : "");
	return quoted;
}

bool lex_expected(struct cursor *cursor, const char *what)
{
	size_t length = lex_word(cursor);

	if (!length)
		return lex_fail(cursor, here(cursor),
				"expected %s, but the line ends here", what);
	return lex_fail(cursor, cursor->at, "expected %s, found '%s'", what,
			lex_quote(cursor->at, length));
}

bool lex_is(struct cursor *cursor, const char *word)
{
	size_t length = lex_word(cursor);

	if (length != strlen(word) || memcmp(cursor->at, word, length))
		return false;
	cursor->at += length;
	return true;
}

unsigned lex_choose(struct cursor *cursor, size_t length,
		    const char *const *words, unsigned count, struct near *near)
{
	unsigned i = 0;

	*near = near_word(cursor->at, length);
	while (i < count && !near_try(near, words[i]))
		i++;
	cursor->at += i < count ? length : 0;
	return i;
}

bool lex_is_ahead(const struct cursor *cursor, int words, const char *word)
{
	struct cursor ahead = *cursor;

	while (words--)
		ahead.at += lex_word(&ahead);
	return lex_is(&ahead, word);
}

bool lex_value(struct cursor *cursor, uint64_t most, uint64_t *number)
{
	uint64_t value = 0;
	unsigned digit;

	while (is_digit(*cursor->at)) {
		digit = (unsigned)(*cursor->at++ - '0');
		if (value > most / 10 || digit > most - value * 10)
			return false;
		value = value * 10 + digit;
	}
	*number = value;
	return true;
}

bool lex_digits(struct cursor *cursor, uint64_t most, uint64_t *number)
{
	const char *begin = cursor->at;

	return lex_value(cursor, most, number) ||
	       lex_fail(cursor, begin, "number is too large: at most %" PRIu64,
			most);
}

/* Is a number here, and not less than zero? */
static bool find_number(struct cursor *cursor, const char *what)
{
	if (!lex_at_end(cursor) && *cursor->at == '-' &&
	    is_digit(cursor->at[1]))
		return lex_fail(cursor, cursor->at,
				"expected %s, which is never negative", what);
	return is_digit(*cursor->at) || lex_expected(cursor, what);
}

bool lex_boundary(struct cursor *cursor, const char *where, const char *what)
{
	return at_boundary(cursor) ||
	       lex_fail(cursor, cursor->at, "unexpected '%s' %s %s",
			lex_quote(cursor->at, lex_word(cursor)), where, what);
}

/* Where the piece goes. */
static void *field_of(const struct cursor *cursor)
{
	return (char *)cursor->stmt + cursor->piece->field;
}

bool lex_number(struct cursor *cursor)
{
	const struct piece *piece = cursor->piece;
	uint64_t *number = field_of(cursor);
	const char *begin;

	if (!find_number(cursor, piece->what))
		return false;
	begin = cursor->at;
	if (!lex_digits(cursor, piece->most, number) ||
	    !lex_boundary(cursor, "after", piece->what))
		return false;
	return *number >= piece->least ||
	       lex_fail(cursor, begin, "%s is at least %" PRIu64, piece->what,
			piece->least);
}

bool lex_skip(struct cursor *cursor, const char *bytes)
{
	if (strncmp(cursor->at, bytes, strlen(bytes)))
		return false;
	cursor->at += strlen(bytes);
	return true;
}

/* The unit that a word was to be, by how it begins; NULL if none is. */
static const char *guess_unit(const char *word)
{
	static const char *const unit[][2] = {
		{ "mil", "ms" }, { "ms", "ms" }, { "mic", "us" }, { "u", "us" },
		{ "d", "d" },	 { "h", "h" },	 { "m", "m" },	  { "s", "s" },
	};

	for (size_t i = 0; i < sizeof(unit) / sizeof(*unit); i++)
		if (!strncasecmp(word, unit[i][0], strlen(unit[i][0])))
			return unit[i][1];
	return NULL;
}

/* The index of a unit, which is stepped over. */
static bool read_unit(struct cursor *cursor, size_t *unit)
{
	size_t length = strspn(cursor->at, LETTERS);
	const char *guess;

	for (*unit = 0; *unit < UNITS; ++*unit)
		if (length == strlen(units[*unit].name) &&
		    lex_skip(cursor, units[*unit].name))
			return true;
	guess = guess_unit(cursor->at);
	if (!length)
		return lex_fail(cursor, cursor->at,
				"duration needs a unit: " UNIT_NAMES);
	if (!guess)
		return lex_fail(cursor, cursor->at,
				"unknown unit '%s': one of " UNIT_NAMES,
				lex_quote(cursor->at, length));
	return lex_fail(cursor, cursor->at,
			"unknown unit '%s' (did you mean '%s'?)",
			lex_quote(cursor->at, length), guess);
}

/* A number with its unit; @least is the largest unit that may come next. */
static bool read_part(struct cursor *cursor, size_t *least, struct span *span)
{
	const char *begin = cursor->at;
	uint64_t number;
	size_t unit;

	if (!lex_digits(cursor, UINT64_MAX, &number))
		return false;
	if (*cursor->at == '.' && is_digit(cursor->at[1]))
		return lex_fail(cursor, cursor->at,
				"durations have no fraction: "
				"1.5s is written 1s500ms");
	if (!read_unit(cursor, &unit))
		return false;
	if (unit < *least)
		return lex_fail(
			cursor, begin,
			"units go from large to small, each once: " UNIT_NAMES);
	*least = unit + 1;
	if (number > (uint64_t)((SPAN_MAX - span->us) / units[unit].us))
		return lex_fail(cursor, begin,
				"duration is too long: at most %" PRId64 "d",
				DAYS_MAX);
	span->us += (int64_t)number * units[unit].us;
	return true;
}

/* A duration, without a look at what follows it. */
static bool read_span(struct cursor *cursor, struct span *span)
{
	size_t least = 0;

	if (!find_number(cursor, "a duration (for example 1h2m3s)"))
		return false;
	*span = (struct span){ .place = lex_here(cursor) };
	do {
		if (!read_part(cursor, &least, span))
			return false;
	} while (is_digit(*cursor->at));
	return true;
}

bool lex_span(struct cursor *cursor)
{
	return read_span(cursor, field_of(cursor)) &&
	       lex_boundary(cursor, "after", "a duration");
}

bool lex_length(struct cursor *cursor)
{
	const struct span *span = field_of(cursor);

	return lex_span(cursor) &&
	       (span->us ||
		diag_error(span->place, "%s has to be longer than zero",
			   cursor->piece->what));
}

bool lex_delays(struct cursor *cursor)
{
	struct span *least = &cursor->stmt->span;
	struct span *most = &cursor->stmt->period;

	if (!read_span(cursor, least))
		return false;
	if (!lex_skip(cursor, ".."))
		return lex_fail(cursor, cursor->at,
				"expected '..' and the longest delay "
				"(for example 1s..30s)");
	if (at_boundary(cursor))
		return lex_fail(cursor, cursor->at,
				"expected the longest delay right behind '..' "
				"(for example 1s..30s)");
	return read_span(cursor, most) &&
	       lex_boundary(cursor, "after", "a duration") &&
	       (most->us >= least->us ||
		diag_error(least->place, "the longest delay is shorter "
					 "than the shortest one"));
}

/* Just so many digits, for a number below @limit. */
static bool read_field(struct cursor *cursor, const char *name, int digits,
		       int limit, int64_t *number)
{
	const char *begin = cursor->at;

	*number = 0;
	for (int i = 0; i < digits; i++) {
		if (!is_digit(*cursor->at))
			return lex_fail(cursor, begin,
					"expected %s of %d digits: %s", name,
					digits, cursor->piece->what);
		*number = *number * 10 + (*cursor->at++ - '0');
	}
	if (*number >= limit)
		return lex_fail(cursor, begin, "%s go from %0*d to %d", name,
				digits, 0, limit - 1);
	return true;
}

/* Milliseconds of three digits, or microseconds of six. */
static bool read_fraction(struct cursor *cursor, int64_t *us)
{
	if (strspn(cursor->at, DIGITS) == 6)
		return read_field(cursor, "microseconds", 6, 1000000, us);
	if (!read_field(cursor, "milliseconds", 3, 1000, us))
		return false;
	*us *= 1000;
	return true;
}

bool lex_clock(struct cursor *cursor)
{
	struct when *when = field_of(cursor);
	int64_t hour, minute, second = 0, us = 0;

	if (!when->place.line)
		when->place = lex_here(cursor);
	if (lex_at_end(cursor) || !is_digit(*cursor->at))
		return lex_expected(cursor, cursor->piece->what);
	if (!read_field(cursor, "hours", 2, 24, &hour))
		return false;
	if (!lex_skip(cursor, ":"))
		return lex_fail(cursor, cursor->at, "expected ':' in %s",
				cursor->piece->what);
	if (!read_field(cursor, "minutes", 2, 60, &minute))
		return false;
	if (lex_skip(cursor, ":")) {
		if (!read_field(cursor, "seconds", 2, 60, &second))
			return false;
		if (lex_skip(cursor, ".") && !read_fraction(cursor, &us))
			return false;
	}
	when->us = ((hour * 60 + minute) * 60 + second) * 1000000 + us;
	return lex_boundary(cursor, "after", "a time");
}

static bool read_day(struct cursor *cursor, struct when *when)
{
	size_t length = lex_word(cursor);
	uint64_t number;
	struct near near;

	when->base = WHEN_WEEKDAY;
	when->day = lex_choose(cursor, length, day_names, 7, &near);
	if (when->day < 7)
		return true;
	if (*cursor->at == 'd' && is_digit(cursor->at[1])) {
		cursor->at++;
		if (!lex_digits(cursor, DAYS_MAX - 1, &number) ||
		    !lex_boundary(cursor, "after", "the number of a day"))
			return false;
		when->base = WHEN_DAY;
		when->day = (int64_t)number;
		return true;
	}
	if (!near.best)
		return lex_expected(cursor, cursor->piece->what);
	return lex_fail(cursor, cursor->at, "unknown day '%s'%s",
			lex_quote(cursor->at, length), near_hint(&near));
}

bool lex_time(struct cursor *cursor)
{
	struct when *when = field_of(cursor);
	struct span span;

	*when = (struct when){ .base = WHEN_TODAY, .place = lex_here(cursor) };
	if (lex_at_end(cursor))
		return lex_expected(cursor, cursor->piece->what);
	if (lex_skip(cursor, "+")) {
		when->base = WHEN_AFTER;
		if (at_boundary(cursor))
			return lex_fail(cursor, cursor->at,
					"expected a duration right behind '+' "
					"(for example +5s)");
		if (!read_span(cursor, &span))
			return false;
		when->us = span.us;
		return lex_boundary(cursor, "after", "a duration");
	}
	if (strspn(cursor->at, LETTERS) && !read_day(cursor, when))
		return false;
	return lex_clock(cursor);
}

bool lex_start(struct cursor *cursor)
{
	const struct when *at = &cursor->stmt->at;

	return lex_time(cursor) &&
	       (at->base != WHEN_AFTER ||
		diag_error(at->place,
			   "the start cannot count from another time"));
}

bool lex_end(struct cursor *cursor)
{
	static const char *const words[] = { "every", "before", "tick" };
	size_t length = lex_word(cursor);
	const char *word = cursor->at;
	struct near near;

	if (!length)
		return true;
	lex_choose(cursor, length, words, sizeof(words) / sizeof(*words),
		   &near);
	return lex_fail(cursor, word,
			"unexpected '%s'%s: the line should end here",
			lex_quote(word, length), near_hint(&near));
}
