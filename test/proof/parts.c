/* SPDX-License-Identifier: MIT */
/*
 * test/proof/parts.c - for Frama-C's EVA: what runs on the wheel, for a while
 */
#include <jif/firmware/calendar.h>
#include <jif/firmware/table.h>
#include <jif/firmware/work.h>
#include <jif/jiffies.h>
#include <jif/periodic.h>

static struct jif_wheel wheel;
static struct jif_workqueue queue;
static struct jif_entry entries[3];
static unsigned calls;

static void call_periodic(struct jif_periodic *p)
{
	calls++;
	if (jif_periodic_left(p) == 1)
		(void)!jif_periodic_start(&wheel, p, 2, 5, 3);
}

static void call_entry(struct jif_table *table, struct jif_key key, void *value)
{
	calls++;
	if (key.number == 1)
		(void)!jif_table_set(table, key, value,
				     jif_once(jif_now() + 61));
}

static void call_alarm(struct jif_alarm *alarm)
{
	if (++calls & 1)
		jif_alarm_stop(alarm);
}

static void call_work(struct jif_work *work)
{
	calls++;
	(void)work;
}

static struct jif_periodic periodic;
static struct jif_calendar calendar;
static struct jif_alarm alarm;
static struct jif_work work = JIF_WORK_INIT(call_work, 3);
static struct jif_delayed_work delayed;
static struct jif_table table = {
	.wheel = &wheel,
	.fn = call_entry,
	.hash = jif_key_hash,
	.entries = entries,
	.capacity = 3,
};

static void set_up(void)
{
	uint32_t now = jif_now();

	jif_wheel_init_local(&wheel, now, 86400 * 4 - 100);
	jif_workqueue_init(&queue, &wheel);
	jif_periodic_init(&periodic, call_periodic, JIF_CATCHUP_SKIP);
	(void)!jif_periodic_start(&wheel, &periodic, 1, 7, 4);
	jif_table_init(&table);
	for (uint32_t key = 1; key < 6; key++)
		(void)!jif_table_set(&table, jif_key_number(key), NULL,
				     jif_every(now + key, 59 + key, key));
	(void)!jif_table_add(&table, jif_key_bytes("abc", 3), NULL,
			     jif_once(now));
	jif_calendar_init(&calendar, &wheel, 1, 86400 * 4 - 100);
	jif_alarm_init(&alarm, call_alarm);
	(void)!jif_alarm_start(&calendar, &alarm, JIF_DAILY, 20);
	jif_delayed_work_init(&delayed, call_work, 0);
	(void)!jif_delayed_work_queue(&queue, &delayed, 100);
}

int main(void)
{
	set_up();
	for (unsigned i = 0; i < 200; i++) {
		jif_tick();
		jif_wheel_run(&wheel, jif_now());
		if (i % 20 == 0) {
			jif_work_queue(&queue, &work);
			jif_table_pause(&table, jif_key_number(3));
			jif_calendar_set(&calendar, calendar.local + i);
		}
		if (i % 20 == 10)
			jif_table_resume(&table, jif_key_number(3));
		jif_workqueue_run(&queue, 2);
	}
	jif_table_stop(&table, NULL);
	jif_wheel_drain(&wheel, NULL);
	return (int)(calls + jif_msecs_to_jiffies(calls));
}
