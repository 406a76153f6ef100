/* SPDX-License-Identifier: MIT */
/* What is told, recorded and printed */
#include <jif/firmware/sched.h>
#include <jif/port.h>
#include <jif/trace.h>
#include <stdio.h>
#include <stdlib.h>

#include "damage.h"
#include "unit.h"

static struct jif_trace_record records[8];
static char text[4096];
static size_t length;

static void put(char c)
{
	cr_assert_lt(length, sizeof(text) - 1);
	text[length++] = c;
	text[length] = '\0';
}

/* What has been told, as letters, and the values in between. */
static void tell(unsigned what, const struct jif_wheel *on,
		 const struct jif_timer *timer, uint32_t value)
{
	static const char letters[] = "?SPMCEXIsw";
	enum jif_trace_event event = JIF_TRACE_EVENT(what);
	unsigned slot = 0;

	if (event <= JIF_TRACE_CASCADE)
		slot = (unsigned)slot_of(timer);
	cr_assert_eq(what, JIF_TRACE_WHAT(event, slot));
	cr_assert(jif_sim.off, "interrupts are off");
	cr_assert_eq(on, event == JIF_TRACE_INIT ? NULL : &wheel);
	cr_assert_eq(timer == NULL, event >= JIF_TRACE_SLEEP);
	put(letters[event]);
	length += (size_t)sprintf(text + length, "%lu ", (unsigned long)value);
}

static void begin(void)
{
	unit_init();
	length = 0;
	text[0] = '\0';
	jif_trace = tell;
}

TestSuite(trace, .init = begin, .fini = unit_fini);

#define cr_assert_told(want) cr_assert_str_eq(text, want)

static unsigned long when(uint32_t after)
{
	return (unsigned long)(uint32_t)at(after);
}

Test(trace, each_event_is_told)
{
	char want[200];

	arm(0, 150);
	jif_timer_postpone(&wheel, &timers[0], at(160));
	run_to(160);
	jif_timer_init(&timers[1], unit_fire);
	arm(1, 165);
	jif_timer_mod(&wheel, &timers[1], at(170));
	jif_timer_pause(&wheel, &timers[1]);
	cr_assert_eq(jif_timer_resume(&wheel, &timers[1]), 0);
	jif_timer_del(&wheel, &timers[1]);
	jif_timer_del(&wheel, &timers[1]);
	sprintf(want, "S%lu P%lu M0 E0 X0 I0 S%lu C0 S%lu C0 S%lu C0 ",
		when(150), when(160), when(165), when(170), when(170));
	cr_assert_told(want);
}

Test(trace, late_run_is_told_as_such)
{
	arm(0, 5);
	text[length = 0] = '\0';
	run_to(50);
	cr_assert_told("E45 X0 ");
}

static void idle(uint32_t ticks)
{
	jif_ticks(ticks - 1);
}

/* By the wheel, and in a turn. */
Test(trace, sleep_and_wake_are_told)
{
	struct jif_sched sched;
	char want[80];

	for (unsigned in_turn = 0; in_turn < 2; in_turn++) {
		begin();
		set_jiffies(0);
		jif_sched_init(&sched, &wheel, idle, NULL);
		arm(0, 7);
		run_to(0);
		text[length = 0] = '\0';
		if (in_turn)
			jif_sched_run(&sched);
		else
			cr_assert(jif_wheel_sleep(&wheel, idle));
		sprintf(want, "s7 w%lu ", when(6));
		cr_assert_told(want);
	}
}

Test(trace, walk_and_search_are_not_told)
{
	uint32_t next;

	arm(0, 5);
	arm(1, 100000);
	text[length = 0] = '\0';
	jif_wheel_next_expiry(&wheel, &next);
	cr_assert_eq(unit_pending(), 2);
	cr_assert_told("");
}

/* --- the recorder --- */

static const char *line(unsigned n)
{
	const char *at = text;

	while (n--)
		at = strchr(at, '\n') + 1;
	return at;
}

static unsigned lines(void)
{
	unsigned n = 0;

	for (const char *c = text; *c; c++)
		n += *c == '\n';
	return n;
}

static void print(void)
{
	text[length = 0] = '\0';
	jif_trace_print(put);
}

static void expect_printed(const char *what)
{
	print();
	cr_assert_not_null(strstr(text, what), "%s", text);
}

Test(trace, recorder_prints_a_head_and_a_line_for_each_record)
{
	char want[200];
	char slot[4 + 1];

	jif_trace_start(&wheel, records, 8);
	arm(0, 90);
	print();
	cr_assert_eq(lines(), 3);
	sprintf(want,
		"jif-trace 1 hz=1000 bits=%u turns=%u start=%lu clock=%lu "
		"hands=0:0:0:0 time=%lu lost=0 records=2\n",
		(unsigned)sizeof(jif_trace_word_t) * 8,
		(unsigned)JIF_WHEEL_TURNS, when(0), when(0), when(0));
	cr_assert_eq(strncmp(line(0), want, strlen(want)), 0, "%s", text);
	sprintf(want, "%0*x%08lx\n", (int)sizeof(jif_trace_word_t) * 2, 0,
		when(0));
	cr_assert_eq(strncmp(line(1), want, strlen(want)), 0, "%s", text);
	sprintf(slot, "%03x", (unsigned)slot_of(&timers[0]) << 3);
	cr_assert_eq(strncmp(line(2), slot, 3), 0, "slot %d: %s",
		     slot_of(&timers[0]), line(2));
	sprintf(want, "%08lx\n", when(90));
	cr_assert_str_eq(line(3) - 9, want);
}

Test(trace, recorder_forgets_what_it_has_printed)
{
	jif_trace_start(&wheel, records, 8);
	arm(0, 90);
	print();
	print();
	cr_assert_eq(lines(), 1);
	cr_assert_not_null(strstr(text, " lost=0 records=0\n"));
	arm(1, 90);
	expect_printed(" lost=0 records=2\n");
}

/* Each event comes on a tick of its own: eight records are four of them. */
Test(trace, recorder_overwrites_the_oldest_and_counts_them)
{
	jif_trace_start(&wheel, records, 8);
	for (unsigned i = 0; i < 10; i++) {
		arm(i, 1000);
		run_to(i + 1);
	}
	expect_printed(" lost=12 records=8\n");
	cr_assert_eq(strtoul(line(2) - 9, NULL, 16), when(6));
}

Test(trace, first_event_has_a_time_whatever_it_is)
{
	for (uint32_t clock = 0; clock < 3; clock++) {
		unit_init();
		jif_wheel_init(&wheel, clock);
		jif_trace_start(&wheel, records, 8);
		arm(0, 90);
		expect_printed(" records=2\n");
		arm(1, 90);
		expect_printed(" records=2\n");
	}
}

/* What has no time is lost, too. */
Test(trace, recorder_begins_with_a_time)
{
	jif_trace_start(&wheel, records, 8);
	arm_all(7, 1000);
	run_to(1);
	jif_timer_del(&wheel, &timers[0]);
	expect_printed(" lost=8 records=2\n");
	for (unsigned i = 1; i < 7; i++)
		jif_timer_mod(&wheel, &timers[i], at(2000));
	expect_printed(" lost=5 records=8\n");
}

Test(trace, recorder_is_for_one_wheel)
{
	static struct jif_wheel other;

	unit_wheel(&other, jif_wheel_clock(&wheel));
	jif_trace_start(&wheel, records, 8);
	cr_assert_eq(jif_timer_add(&other, &timers[0], at(5)), 0);
	jif_timer_del(&other, &timers[0]);
	expect_printed(" lost=0 records=0\n");
}

/* T S S, T S, T S and the last T: the S of then is where the first T was. */
Test(trace, record_of_a_time_may_be_the_last_one_there_is_room_for)
{
	jif_trace_start(&wheel, records, 8);
	arm(0, 1000);
	for (unsigned i = 0; i < 4; i++) {
		run_to(i);
		arm(i + 1, 1000);
	}
	expect_printed(" lost=3 records=6\n");
	cr_assert_eq(strtoul(line(2) - 9, NULL, 16), when(1));
	cr_assert_eq(strtoul(line(6) - 9, NULL, 16), when(3));
}

/* An event is the four bits above those of the timer, and below a slot. */
static unsigned event_on(unsigned n)
{
	char word[5];

	memcpy(word, line(n), 4);
	word[4] = '\0';
	return (unsigned)strtoul(word, NULL, 16) >> 3 & 15;
}

Test(trace, what_has_no_wheel_is_recorded)
{
	jif_trace_start(&wheel, records, 8);
	jif_timer_init(&timers[0], unit_fire);
	jif_timer_init(&timers[1], unit_fire);
	expect_printed(" lost=0 records=3\n");
	cr_assert_eq(event_on(1), JIF_TRACE_TIME);
	cr_assert_eq(event_on(2), JIF_TRACE_INIT);
	cr_assert_eq(event_on(3), JIF_TRACE_INIT);
}

static struct jif_wheel another;

static void put_and_init(char c)
{
	static bool done;

	put(c);
	if (done)
		return;
	done = true;
	jif_timer_init(&timers[0], unit_fire);
	cr_assert_eq(jif_timer_add(&another, &timers[0], 5), 0);
	jif_timer_del(&another, &timers[0]);
}

Test(trace, what_is_missed_is_counted_but_not_that_of_another_wheel)
{
	unit_wheel(&another, 0);
	jif_trace_start(&wheel, records, 8);
	jif_trace_print(put_and_init);
	expect_printed(" lost=1 records=0\n");
}

Test(trace, name_has_the_number_that_records_have)
{
	unsigned digits = (unsigned)sizeof(jif_trace_word_t) * 2;
	const char *number = line(0) + sizeof("jif-name ") - 1;
	jif_trace_word_t named, recorded;

	jif_trace_print_name(put, &timers[3], "lease");
	cr_assert_eq(strncmp(text, "jif-name ", 9), 0, "%s", text);
	cr_assert_str_eq(number + digits, " lease\n");
	named = (jif_trace_word_t)strtoull(number, NULL, 16);
	jif_trace_start(&wheel, records, 8);
	arm(3, 90);
	print();
	cr_assert_eq(line(2)[digits + 8], '\n');
	text[line(2) - text + digits] = '\0';
	recorded = (jif_trace_word_t)strtoull(line(2), NULL, 16);
	recorded &= ((jif_trace_word_t)1 << (digits * 4 - 13)) - 1;
	cr_assert_neq(named, 0);
	cr_assert_eq(named, recorded);
}

/* Of 64 bits, 51 behind the three that are 0; of 32, 19 behind two. */
Test(trace, number_is_made_of_the_low_bits_of_the_address)
{
	uintptr_t address = UINTPTR_MAX / 0xff * 0xfe - 6;

	jif_trace_print_name(put, (const struct jif_timer *)address, "far");
	cr_assert_str_eq(text, sizeof(void *) == 8 ?
				       "jif-name 0007dfdfdfdfdfdf far\n" :
				       "jif-name 0007bfbe far\n");
}

static void put_and_arm(char c)
{
	static unsigned next;

	put(c);
	if (next < 3)
		arm(next++, 50);
}

Test(trace, what_happens_while_it_is_printed_is_counted)
{
	jif_trace_start(&wheel, records, 8);
	jif_trace_print(put_and_arm);
	expect_printed(" lost=3 records=0\n");
	jif_trace_stop();
	arm(5, 50);
	expect_printed(" lost=0 records=0\n");
}

Test(trace, printing_of_what_is_stopped_misses_nothing)
{
	jif_trace_start(&wheel, records, 8);
	jif_trace_stop();
	jif_trace_print(put_and_arm);
	cr_assert_null(jif_trace);
	expect_printed(" lost=0 records=0\n");
}

/* --- a live wheel --- */

static const char *name(const struct jif_timer *timer)
{
	return timer == &timers[0] ? "lease" : "other";
}

static void put_and_stop(char c)
{
	jif_trace_stop();
	put(c);
}

Test(trace, stop_while_it_is_printed_is_a_stop)
{
	jif_trace_start(&wheel, records, 8);
	arm(0, 5);
	jif_trace_print(put_and_stop);
	cr_assert_null(jif_trace);
}

/* For %0*lx: all digits of a pointer. */
#define HEX(pointer)                                                           \
	(int)sizeof(void *) * 2, (unsigned long)(uintptr_t)(pointer)

Test(trace, wheel_is_printed)
{
	char want[400];

	unit_init_at(0, 21, 30, 2);
	length = 0;
	arm(0, 200000);
	arm(1, 45);
	jif_wheel_print(&wheel, put, name);
	sprintf(want,
		"clock: %lu\n"
		"hands: seconds 2, minutes 30, hours 21, days 0\n"
		"next expiry: %lu (in 45)\n"
		"active timers:\n"
		" #0: <%0*lx>, <%0*lx>, other\n"
		" # seconds 47 + 0, expires at %lu (in 45)\n"
		" #1: <%0*lx>, <%0*lx>, lease\n"
		" # days 3 + 18202, expires at %lu (in 200000)\n",
		when(0), when(45), HEX(&timers[1]), HEX(unit_fire), when(45),
		HEX(&timers[0]), HEX(unit_fire), when(200000));
	cr_assert_str_eq(text, want);
}

Test(trace, wheel_is_printed_without_names)
{
	char want[80];

	arm(0, 45);
	jif_wheel_print(&wheel, put, NULL);
	sprintf(want, "<%0*lx>\n # seconds 45 + 0, ", HEX(unit_fire));
	cr_assert_not_null(strstr(text, want), "%s", text);
}

Test(trace, empty_wheel_has_no_next_expiry_to_print)
{
	char want[200];

	jif_wheel_print(&wheel, put, name);
	sprintf(want,
		"clock: %lu\n"
		"hands: seconds 0, minutes 0, hours 0, days 0\n"
		"active timers:\n",
		when(0));
	cr_assert_str_eq(text, want);
}
