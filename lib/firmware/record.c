/* SPDX-License-Identifier: MIT */
/* lib/firmware/record.c - keeps what timers do, and prints it */
#include <jif/trace.h>

#include "../print.h"
#include "../rings.h"

#define NUMBER_BITS  (sizeof(jif_trace_word_t) * 8 - 13)
#define ALWAYS_CLEAR (sizeof(void *) < 4 ? 1 : sizeof(void *))

JIF_STATIC_ASSERT(LAST_SLOT < 512, "a slot has room in a record");
JIF_STATIC_ASSERT(JIF_TRACE_WAKE < 16, "an event has room in a record");

/* The recording: its wheel and its memory. */
static struct recorder {
	const struct jif_wheel *wheel;	/* the wheel */
	uint32_t clk;			/* its clock at the last record */
	struct jif_trace_record *next;	/* where the next one goes */
	struct jif_trace_record *end;	/* of the memory */
	struct jif_trace_record *begin; /* of the memory */
	uint32_t filled;		/* stored when it was full last */
	uint32_t printed;		/* how many have been printed or lost */
	uint32_t start;			/* the wheel's clock when it began */
	uint32_t missed;		/* lost while others were printed */
} recorder;

static jif_trace_word_t number_of(const struct jif_timer *timer)
{
	return (uintptr_t)timer / ALWAYS_CLEAR &
	       (((jif_trace_word_t)1 << NUMBER_BITS) - 1);
}

static uint32_t records_held(void)
{
	return (uint32_t)(recorder.end - recorder.begin);
}

static JIF_NOINLINE void begin_again(void)
{
	recorder.next = recorder.begin;
	recorder.filled += records_held();
}

static JIF_ALWAYS_INLINE void store(jif_trace_word_t what, uint32_t value)
{
	struct jif_trace_record *record = recorder.next, *end = recorder.end;

	record->what = what;
	record->value = value;
	recorder.next = ++record;
	if (record == end)
		begin_again();
}

static JIF_ALWAYS_INLINE void
store_event(unsigned what, const struct jif_timer *timer, uint32_t value)
{
	store((jif_trace_word_t)what << NUMBER_BITS | number_of(timer), value);
}

/* The first event of a tick, one without a wheel, or of another wheel. */
static JIF_NOINLINE void record_other(unsigned what,
				      const struct jif_wheel *wheel,
				      const struct jif_timer *timer,
				      uint32_t value)
{
	if (wheel && wheel != recorder.wheel)
		return;
	if (clock_of(recorder.wheel) != recorder.clk) {
		recorder.clk = clock_of(recorder.wheel);
		store_event(JIF_TRACE_TIME, NULL, recorder.clk);
	}
	store_event(what, timer, value);
}

void jif_trace_record(unsigned what, const struct jif_wheel *wheel,
		      const struct jif_timer *timer, uint32_t value)
{
	if (wheel == recorder.wheel && clock_of(wheel) == recorder.clk)
		store_event(what, timer, value);
	else
		record_other(what, wheel, timer, value);
}

/* In place of jif_trace, while the records are printed. */
static void miss(unsigned what, const struct jif_wheel *wheel,
		 const struct jif_timer *timer, uint32_t value)
{
	(void)what;
	(void)timer;
	(void)value;
	recorder.missed += !wheel || wheel == recorder.wheel;
}

void jif_trace_start(const struct jif_wheel *wheel,
		     struct jif_trace_record *records, uint32_t count)
{
	jif_irq_t flags = jif_irq_save();

	/* Not the clock's tick, so that the first event gets a time. */
	recorder = (struct recorder){ .wheel = wheel,
				      .clk = clock_of(wheel) - 1,
				      .next = records,
				      .end = records + count,
				      .begin = records,
				      .start = clock_of(wheel) };
	jif_trace = jif_trace_record;
	jif_irq_restore(flags);
}

void jif_trace_stop(void)
{
	jif_trace = NULL;
}

static const struct jif_trace_record *
record_after(const struct jif_trace_record *record)
{
	return ++record == recorder.end ? recorder.begin : record;
}

/* How many have been stored. */
static uint32_t stored(void)
{
	return recorder.filled + (uint32_t)(recorder.next - recorder.begin);
}

/* How many there are; the oldest one is @first. */
static uint32_t find_first(const struct jif_trace_record **first)
{
	uint32_t used = (uint32_t)(recorder.next - recorder.begin);
	uint32_t fresh = stored() - recorder.printed;

	if (fresh > records_held())
		fresh = records_held();
	*first = recorder.next - fresh;
	if (fresh > used)
		*first = recorder.end - (fresh - used);
	return fresh;
}

/*
 * The time of what comes before the first JIF_TRACE_TIME is not known, so it is
 * lost. If there is none, all is of one tick, which the head has.
 */
static uint32_t find_first_known(const struct jif_trace_record **first)
{
	uint32_t fresh = find_first(first);
	const struct jif_trace_record *at = *first;

	for (uint32_t left = fresh; left; left--) {
		/* A time has neither slot nor timer. */
		if (at->what == JIF_TRACE_TIME) {
			*first = at;
			return left;
		}
		at = record_after(at);
	}
	return fresh;
}

static void print_head(jif_put_fn *put, uint32_t lost, uint32_t count)
{
	const struct jif_wheel *wheel = recorder.wheel;

	print_text(put, "jif-trace 1");
	print_number(put, " hz=", CONFIG_JIF_HZ);
	print_number(put, " bits=", sizeof(jif_trace_word_t) * 8);
	print_number(put, " turns=", JIF_WHEEL_TURNS);
	print_number(put, " start=", recorder.start);
	print_number(put, " clock=", clock_of(wheel));
	for (unsigned level = WEEK; level-- > SEC;)
		print_number(put, level == DAY ? " hands=" : ":",
			     in_turn(&jif_rings[level], wheel->hand[level]));
	print_number(put, " time=", recorder.clk);
	print_number(put, " lost=", lost);
	print_number(put, " records=", count);
	put('\n');
}

void jif_trace_print(jif_put_fn *put)
{
	const struct jif_trace_record *record;
	jif_irq_t flags = jif_irq_save();
	jif_trace_fn *hook = jif_trace;
	uint32_t lost = recorder.missed, count;

	recorder.missed = 0;
	if (hook)
		jif_trace = miss;
	jif_irq_restore(flags);
	count = find_first_known(&record);
	lost += stored() - recorder.printed - count;
	recorder.printed = stored();
	print_head(put, lost, count);
	for (; count; count--, record = record_after(record)) {
		print_hex(put, sizeof(record->what), record->what);
		print_hex(put, sizeof(record->value), record->value);
		put('\n');
	}
	flags = jif_irq_save();
	recorder.clk = clock_of(recorder.wheel) - 1;
	/* It may have been stopped meanwhile. */
	if (jif_trace == miss)
		jif_trace = hook;
	jif_irq_restore(flags);
}

void jif_trace_print_name(jif_put_fn *put, const struct jif_timer *timer,
			  const char *name)
{
	print_text(put, "jif-name ");
	print_hex(put, sizeof(jif_trace_word_t), number_of(timer));
	put(' ');
	print_text(put, name);
	put('\n');
}
