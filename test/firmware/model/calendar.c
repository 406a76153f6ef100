/* SPDX-License-Identifier: MIT */
/*
 * test/firmware/model/calendar.c - a calendar against libc's, second by second
 *
 * The model looks at each second of local time that passes or is passed over,
 * and knows no next time: an alarm rings on a tick if one of the seconds that
 * it has not seen is its own.
 */
#include <criterion/criterion.h>
#include <jif/firmware/calendar.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../../wheel/model/random.h"

#define ALARMS 5
#define TICKS  3000000
#define SEED   20261122

/* Libc's day 0 is Sunday. */
static bool is_its_own(uint32_t local, unsigned days, uint32_t second)
{
	time_t at = local;
	const struct tm *tm = gmtime(&at);

	return (uint32_t)(tm->tm_hour * 3600 + tm->tm_min * 60 + tm->tm_sec) ==
		       second &&
	       (days >> ((tm->tm_wday + 6) % 7) & 1);
}

Test(calendar_model, next_is_the_first_day_that_libc_agrees_to)
{
	uint64_t random = random_begin(SEED);

	for (unsigned i = 0; i < 200000; i++) {
		uint32_t local = random_next(&random, UINT32_MAX - 864000);
		unsigned days = 1 + random_next(&random, 127);
		uint32_t second = random_next(&random, 86400);
		uint32_t want = local + 1;

		if (i % 3 == 0)
			second = (local + random_next(&random, 3) - 1) % 86400;
		want += (86400 + second - want % 86400) % 86400;
		while (!is_its_own(want, days, second))
			want += 86400;
		cr_assert_eq(jif_calendar_next(local, days, second), want,
			     "after %u, days %x, second %u", local, days,
			     second);
	}
}

/**
 * struct model - what the model knows of an alarm
 * @started:	it is
 * @days:	the set
 * @second:	of the day
 * @seen:	up to which local time it has looked
 * @rings:	how often it has to have rung by now
 */
struct model {
	bool started;
	unsigned days;
	uint32_t second;
	uint32_t seen;
	unsigned rings;
};

static struct jif_wheel wheel;
static struct jif_calendar calendar;
static struct jif_alarm alarms[ALARMS];
static struct model models[ALARMS];
static unsigned rings[ALARMS];
static uint64_t random;

/* The model's clock: local time in ticks, and ticks per second. */
static uint64_t clock_ticks;
static uint32_t rate;

static uint32_t local_now(void)
{
	return (uint32_t)(clock_ticks / rate);
}

static void ring(struct jif_alarm *alarm)
{
	rings[alarm - alarms]++;
}

static void look(struct model *model)
{
	bool due = false;

	if (!model->started || (int32_t)(local_now() - model->seen) <= 0)
		return;
	while (model->seen != local_now())
		if (++model->seen % 86400 == model->second)
			due |= is_its_own(model->seen, model->days,
					  model->second);
	model->rings += due;
}

static void compare(void)
{
	for (unsigned i = 0; i < ALARMS; i++) {
		look(&models[i]);
		cr_assert_eq(rings[i], models[i].rings,
			     "rate %u, clock %u, alarm %u", rate,
			     jif_wheel_clock(&wheel), i);
	}
}

static void start(unsigned i)
{
	struct model *model = &models[i];
	bool was = model->started;

	model->started = true;
	model->days = 1 + random_next(&random, 127);
	model->second = (local_now() + random_next(&random, 20000)) % 86400;
	model->seen = local_now();
	cr_assert_eq(jif_alarm_start(&calendar, &alarms[i], model->days,
				     model->second),
		     was);
}

static void stop(unsigned i)
{
	cr_assert_eq(jif_alarm_stop(&alarms[i]), models[i].started);
	models[i].started = false;
}

/* Three in four are corrections. */
static void set(void)
{
	uint32_t span = random_next(&random, 4) ? JIF_CALENDAR_STEP : 400000;
	uint32_t step = random_next(&random, span);
	bool far = step >= JIF_CALENDAR_STEP;

	if (random_next(&random, 2))
		step = -step;
	clock_ticks = (uint64_t)(local_now() + step) * rate;
	for (unsigned i = 0; far && i < ALARMS; i++)
		models[i].seen = local_now() - 1;
	jif_calendar_set(&calendar, local_now());
	compare();
}

static void do_something(void)
{
	unsigned i = random_next(&random, ALARMS);

	switch (random_next(&random, 4)) {
	case 0:
		set();
		break;
	case 1:
		stop(i);
		break;
	default:
		start(i);
	}
}

static void begin(unsigned ticks_per_second)
{
	uint32_t local = 1800000000;

	rate = ticks_per_second;
	clock_ticks = (uint64_t)local * rate;
	jif_wheel_init(&wheel, UINT32_MAX - TICKS / 2);
	jif_calendar_init(&calendar, &wheel, rate, local);
	for (unsigned i = 0; i < ALARMS; i++) {
		jif_alarm_init(&alarms[i], ring);
		models[i] = (struct model){ 0 };
		rings[i] = 0;
	}
}

Test(calendar_model, alarms_ring_in_the_seconds_that_the_model_names)
{
	unsigned total = 0;

	random = random_begin(SEED);
	for (unsigned r = 1; r <= 3; r++) {
		begin(r);
		for (unsigned t = 0; t < TICKS / 3; t++) {
			if (!random_next(&random, 3000))
				do_something();
			clock_ticks++;
			jif_wheel_run(&wheel, jif_wheel_clock(&wheel) + 1);
			compare();
		}
		for (unsigned i = 0; i < ALARMS; i++)
			total += rings[i];
		cr_assert_eq(jif_wheel_check(&wheel), 0);
		cr_assert_eq(jif_calendar_clock(&calendar), local_now());
	}
	cr_assert_gt(total, 100, "enough of them ring: %u", total);
}

/*
 * A wheel that is behind for as long as chance has it, with one daily alarm.
 * What it shows is by the ticks that have passed since it was made or set.
 */
static struct {
	uint64_t now;
	uint64_t ran;	/* up to which the wheel was run */
	uint64_t began; /* with the second @local */
	uint32_t local;
	uint32_t due;
	uint32_t until; /* what it catches up with */
} late;

static uint32_t late_time(const struct jif_wheel *of)
{
	return (uint32_t)late.now;
}

static uint32_t late_at(uint64_t tick)
{
	return late.local + (uint32_t)((tick - late.began) / rate);
}

static uint32_t late_local(void)
{
	return late_at(late.now);
}

static void late_ring(struct jif_alarm *alarm)
{
	unsigned missed = 0;

	cr_assert_leq(late.due, late_local(), "it is early");
	while ((late.due += 86400) <= late.until)
		missed++;
	cr_assert_eq(jif_alarm_missed(alarm), missed);
	rings[0]++;
}

static void late_begin_second(uint32_t local)
{
	late.began = late.now;
	late.local = local;
}

/* The first 1:00:00 that is not before that. */
static void late_wait_from(uint32_t local)
{
	late.due = local + (86400 + 3600 - local % 86400) % 86400;
}

static void late_begin(void)
{
	rate = 1 + random_next(&random, 4) * random_next(&random, 1000);
	late.now = (uint64_t)random_next(&random, UINT32_MAX) + 1000;
	late.ran = late.now;
	jif_wheel_init_time(&wheel, late_time);
	late.now += random_next(&random, 2) ? random_next(&random, 1u << 30) :
					      random_next(&random, 50);
	late_begin_second(1800000000 + random_next(&random, 1000000));
	cr_assert_eq(jif_calendar_init(&calendar, &wheel, rate, late.local), 0);
	late_wait_from(late.local + 1);
	jif_alarm_init(&alarms[0], late_ring);
	cr_assert_eq(jif_alarm_start(&calendar, &alarms[0], JIF_DAILY, 3600),
		     0);
}

static void late_pass(void)
{
	static const uint32_t most[] = { 1, 3000, 1u << 20, 1u << 25 };
	uint32_t ticks = random_next(&random, most[random_next(&random, 4)]);

	if (late.now + ticks - late.ran <= JIF_DELAY_MAX)
		late.now += ticks;
}

/* As far as it is, or not quite. */
static void late_run(bool all)
{
	uint32_t behind = (uint32_t)(late.now - late.ran);

	late.ran += all ? behind : random_next(&random, behind + 1);
	late.until = late.ran < late.began ?
			     late.local - (uint32_t)((late.began - late.ran +
						      rate - 1) /
						     rate) :
			     late_at(late.ran);
	jif_wheel_run(&wheel, (uint32_t)late.ran);
	if (all)
		cr_assert_gt(late.due, late_local(), "one is lost");
}

/* A correction by less than three hours, or another time. */
static void late_set(bool far)
{
	uint32_t step = far ? 20000 + random_next(&random, 1000000) :
			      random_next(&random, 2000) - 1000;

	late_begin_second(late_local() + step);
	if (far)
		late_wait_from(late.local);
	late.until = late.local;
	jif_calendar_set(&calendar, late.local);
	cr_assert_gt(late.due, late_local(), "one is lost");
}

Test(calendar_model, of_a_wheel_that_is_behind_shows_the_time_and_loses_none)
{
	random = random_begin(SEED);
	rings[0] = 0;
	for (unsigned i = 0; i < 100000; i++) {
		if (i % 50 == 0)
			late_begin();
		late_pass();
		switch (random_next(&random, 10)) {
		case 0:
			late_set(random_next(&random, 4) == 0);
			break;
		case 1:
		case 2:
			late_run(random_next(&random, 2));
		}
		cr_assert_eq(jif_alarm_expires(&alarms[0]), late.due);
		if (random_next(&random, 2))
			cr_assert_eq(jif_calendar_clock(&calendar),
				     late_local());
		if (i % 50 == 49)
			jif_alarm_stop(&alarms[0]);
	}
	cr_assert_gt(rings[0], 9000, "enough of them ring: %u", rings[0]);
}
