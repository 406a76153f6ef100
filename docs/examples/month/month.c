/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/month/month.c - a month with its power cut at random
 *
 * A tick is a second of the RTC, which is all that goes on: between two calls
 * the machine is off. It beats each twenty minutes, reports each hour, closes a
 * valve some time after it was opened, ends visits, and rings at 6:30. Each has
 * to happen once, whenever power is cut: so what has been done is kept together
 * with what the timers have left, by turns in two slots.
 */
#include <jif/firmware/calendar.h>
#include <jif/firmware/snapshot.h>
#include <string.h>

#include "board.h"

#define BEAT	1200
#define HOUR	3600
#define MORNING JIF_TIME_OF_DAY(6, 30, 0)

static struct jif_wheel wheel;
static struct jif_periodic beat, report;
static struct jif_timer valve;
static struct jif_table visits;
static struct jif_entry entries[KEYS];
static struct jif_calendar calendar;
static struct jif_alarm morning;
static struct month_counts counts;
static int current; /* the slot of what is kept; -1: none */

static struct jif_saved_keys keys = { &visits, NULL };
static const struct jif_saved list[] = {
	JIF_SAVED_PERIODIC(1, &beat),
	JIF_SAVED_PERIODIC(2, &report),
	JIF_SAVED_TIMER(3, &valve),
	JIF_SAVED_KEYS(4, &keys),
};
static const struct jif_snapshot snapshot = { &wheel, list, 4, 1 };

/* By the counts alone, it is known when each has to come. */
static void expect(uint32_t after)
{
	if (jif_wheel_clock(&wheel) != BEGIN + after ||
	    board_rtc() < BEGIN + after)
		counts.faults++;
}

static uint32_t stay(uint32_t visit)
{
	return 60 + visit % 7 * 1000;
}

static void on_beat(struct jif_periodic *p)
{
	(void)p;
	expect(++counts.beats * BEAT);
	if (counts.beats % 5 == 0 &&
	    !jif_timer_add(&wheel, &valve, BEGIN + counts.beats * BEAT + 137))
		counts.opened++;
	if (!jif_table_add(&visits, jif_key_number(counts.visits), NULL,
			   jif_once(BEGIN + counts.beats * BEAT +
				    stay(counts.visits))))
		counts.visits++;
}

/* One for all hours that were missed. */
static void on_report(struct jif_periodic *p)
{
	expect(++counts.hours * HOUR);
	counts.hours += jif_periodic_missed(p);
}

static void close_valve(struct jif_timer *timer)
{
	(void)timer;
	expect(++counts.closed * 5 * BEAT + 137);
}

/* Visit n began with beat n + 1. */
static void on_gone(struct jif_table *table, struct jif_key key, void *value)
{
	(void)table;
	(void)value;
	expect(((uint32_t)key.number + 1) * BEAT + stay((uint32_t)key.number));
	counts.gone++;
}

static void on_morning(struct jif_alarm *alarm)
{
	expect(counts.mornings++ * 86400 + MORNING);
	counts.faults += jif_alarm_missed(alarm);
}

static void init(void)
{
	visits = (struct jif_table){ .wheel = &wheel,
				     .fn = on_gone,
				     .hash = jif_key_hash,
				     .entries = entries,
				     .capacity = KEYS };
	jif_wheel_init(&wheel, (uint32_t)board_rtc());
	jif_periodic_init(&beat, on_beat, JIF_CATCHUP_EACH);
	jif_periodic_init(&report, on_report, JIF_CATCHUP_SKIP);
	jif_timer_init(&valve, close_valve);
	jif_table_init(&visits);
	jif_alarm_init(&morning, on_morning);
}

/* The slot whose snapshot is the latest one; -1 if there is none. */
static int latest(void)
{
	uint64_t rtc[2] = { 0, 0 };
	int found = -1;

	for (int i = 0; i < 2; i++)
		if (!jif_snapshot_clock(board_slots[i].snapshot,
					sizeof(board_slots[i].snapshot),
					&rtc[i]) &&
		    (found < 0 || rtc[i] > rtc[found]))
			found = i;
	return found;
}

/* Until its checksum is there, the other slot is the latest one. */
static void keep(void)
{
	uint32_t now = jif_wheel_clock(&wheel);
	struct month_slot *slot;

	if (jif_table_count(&visits) != counts.visits - counts.gone)
		counts.faults++;
	current = current == 0;
	slot = &board_slots[current];
	slot->counts = counts;
	if (jif_snapshot_save(&snapshot, slot->snapshot, sizeof(slot->snapshot),
			      now, now) < 0)
		counts.faults++;
}

static void start(void)
{
	board_rtc_set(BEGIN);
	jif_wheel_init(&wheel, BEGIN);
	memset(&counts, 0, sizeof(counts));
	if (jif_periodic_start(&wheel, &beat, BEAT, BEAT, MONTH / BEAT) < 0 ||
	    jif_periodic_start(&wheel, &report, HOUR, HOUR, JIF_FOREVER) < 0)
		counts.faults++;
	keep();
}

static void restore(void)
{
	const struct month_slot *slot = &board_slots[current];
	uint64_t now = board_rtc();

	counts = slot->counts;
	if (jif_snapshot_restore(&snapshot, slot->snapshot,
				 sizeof(slot->snapshot), (uint32_t)now,
				 now) < 0)
		counts.faults++;
}

void month_boot(void)
{
	uint32_t now, next;

	init();
	current = latest();
	if (current < 0)
		start();
	else
		restore();
	/* The wheel's clock is local time, and may be long ago. */
	jif_calendar_init(&calendar, &wheel, 1, jif_wheel_clock(&wheel));
	if (jif_alarm_start(&calendar, &morning, JIF_DAILY, MORNING) < 0)
		counts.faults++;
	for (;;) {
		now = (uint32_t)board_rtc();
		if (jif_wheel_run(&wheel, now))
			keep();
		if (now >= BEGIN + MONTH + 2 * HOUR)
			board_finish(&counts);
		jif_wheel_next_expiry(&wheel, &next);
		board_off_until(next);
	}
}
