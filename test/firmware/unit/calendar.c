/* SPDX-License-Identifier: MIT */
/* Alarms by the clock on the wall: what calendar_model does not say */
#include <jif/firmware/calendar.h>

#include "../../wheel/unit/unit.h"

/* Local times, as `date -u -d ... +%s` has them. */
#define SUNDAY_235950 UINT32_C(1795391990) /* 2026-11-22 23:59:50 */
#define NEW_YEAR_EVE  UINT32_C(1798761590) /* Thursday 2026-12-31 23:59:50 */
#define LEAP_YEAR     UINT32_C(1835352000) /* Monday 2028-02-28 12:00:00 */
#define SPRING_015950 UINT32_C(1806199190) /* Sunday 2027-03-28 01:59:50 */
#define AUTUMN_010000 UINT32_C(1824944400) /* Sunday 2027-10-31 01:00:00 */

static struct jif_calendar calendar;
static struct jif_alarm alarm, other;
static unsigned rings, other_rings;
static uint32_t last;

static void ring(struct jif_alarm *which)
{
	if (which == &other) {
		other_rings++;
		return;
	}
	rings++;
	last = jif_calendar_clock(&calendar);
}

static void init(void)
{
	unit_init();
	memset(&calendar, 0xa5, sizeof(calendar));
	memset(&alarm, 0xa5, sizeof(alarm));
	jif_alarm_init(&alarm, ring);
	jif_alarm_init(&other, ring);
	rings = other_rings = 0;
	last = 0;
}

TestSuite(calendar, .init = init, .fini = unit_fini);

/* A clock that shows @local at the start, with a tick per second. */
static void hang_up(uint32_t local)
{
	cr_assert_eq(jif_calendar_init(&calendar, &wheel, 1, local), 0);
}

/* Lets so many ticks pass, one by one. */
static void pass(uint32_t ticks)
{
	while (ticks--)
		run_to(now() + 1);
}

/* By then, it has rung so often; and in so many ticks. */
static void expect_rings(uint32_t after, unsigned n)
{
	run_to(after);
	cr_assert_eq(rings, n, "%u at %u", rings, (unsigned)after);
}

static void expect_rings_in(uint32_t ticks, unsigned n)
{
	pass(ticks);
	cr_assert_eq(rings, n, "%u", rings);
}

Test(calendar, alarm_runs_at_midnight)
{
	hang_up(SUNDAY_235950);
	cr_assert_eq(jif_alarm_start(&calendar, &alarm, JIF_DAILY, 0), 0);
	cr_assert_eq(jif_alarm_expires(&alarm), SUNDAY_235950 + 10);
	expect_rings_in(9, 0);
	expect_rings_in(1, 1);
	cr_assert_eq(jif_alarm_expires(&alarm), SUNDAY_235950 + 10 + DAY);
	expect_rings(10 + DAY, 2);
	expect_rings(10 + 2 * DAY, 3);
}

Test(calendar, of_sunday_does_not_run_on_monday)
{
	hang_up(SUNDAY_235950);
	(void)!jif_alarm_start(&calendar, &alarm, JIF_SUNDAY, 0);
	(void)!jif_alarm_start(&calendar, &other, JIF_MONDAY, 0);
	pass(10);
	cr_assert_eq(rings, 0, "Sunday's midnight is six days ahead");
	cr_assert_eq(other_rings, 1);
	expect_rings(10 + 6 * DAY, 1);
	cr_assert_eq(last, SUNDAY_235950 + 10 + 6 * DAY);
	cr_assert_eq(other_rings, 1);
}

Test(calendar, of_sunday_runs_in_its_last_second)
{
	hang_up(SUNDAY_235950);
	(void)!jif_alarm_start(&calendar, &alarm, JIF_SUNDAY,
			       JIF_TIME_OF_DAY(23, 59, 59));
	expect_rings_in(9, 1);
	expect_rings(9 + 7 * DAY - 1, 1);
	expect_rings(9 + 7 * DAY, 2);
}

/* After some time in which nobody has asked the calendar. */
Test(calendar, next_is_after_the_time_it_is_started)
{
	hang_up(SUNDAY_235950);
	pass(20);
	(void)!jif_alarm_start(&calendar, &alarm, JIF_DAILY, 10);
	cr_assert_eq(jif_alarm_missed(&alarm), 0);
	(void)!jif_alarm_start(&calendar, &alarm, JIF_DAILY, 5);
	cr_assert_eq(jif_alarm_expires(&alarm), SUNDAY_235950 + 15 + DAY);
	(void)!jif_alarm_start(&calendar, &other, JIF_DAILY, 11);
	cr_assert_eq(jif_alarm_expires(&other), SUNDAY_235950 + 21);
	pass(1);
	cr_assert_eq(other_rings, 1);
	cr_assert_eq(rings, 0);
}

Test(calendar, is_right_as_long_as_it_is_asked)
{
	cr_assert_eq(jif_calendar_init(&calendar, &wheel, 2, 0), 0);
	for (uint32_t i = 1; i < 5; i++) {
		run_to(i * LONGEST);
		cr_assert_eq(jif_calendar_clock(&calendar),
			     (uint64_t)i * LONGEST / 2);
	}
}

Test(calendar, next_is_after_the_time_given)
{
	cr_assert_eq(jif_calendar_next(SUNDAY_235950, JIF_SUNDAY,
				       JIF_TIME_OF_DAY(23, 59, 50)),
		     SUNDAY_235950 + 7 * DAY);
	cr_assert_eq(jif_calendar_next(SUNDAY_235950 - 1, JIF_SUNDAY,
				       JIF_TIME_OF_DAY(23, 59, 50)),
		     SUNDAY_235950);
	cr_assert_eq(jif_calendar_next(0, JIF_THURSDAY, 0), 7 * DAY);
	cr_assert_eq(jif_calendar_next(0, JIF_WEDNESDAY, 1), 6 * DAY + 1);
}

Test(calendar, shortest_tick_spans_a_week_and_a_correction)
{
	uint32_t rate = JIF_CALENDAR_RATE_MAX;

	jif_calendar_init(&calendar, &wheel, rate, SUNDAY_235950);
	(void)!jif_alarm_start(&calendar, &alarm, JIF_SUNDAY,
			       JIF_TIME_OF_DAY(23, 59, 50));
	jif_calendar_set(&calendar, SUNDAY_235950 - JIF_CALENDAR_STEP + 1);
	cr_assert_eq(jif_timer_expires(&wheel, &alarm.timer) - START,
		     (7 * DAY + JIF_CALENDAR_STEP - 1) * rate);
	jif_alarm_stop(&alarm);
}

/* By more than a delay can be, at the shortest tick. */
Test(calendar, corrections_back_add_up)
{
	uint32_t rate = JIF_CALENDAR_RATE_MAX;
	uint32_t left = 7 * DAY;

	jif_calendar_init(&calendar, &wheel, rate, SUNDAY_235950);
	(void)!jif_alarm_start(&calendar, &alarm, JIF_SUNDAY,
			       JIF_TIME_OF_DAY(23, 59, 50));
	for (unsigned i = 0; i < 9; i++) {
		left += JIF_CALENDAR_STEP - 1;
		jif_calendar_set(&calendar, jif_calendar_clock(&calendar) -
						    (JIF_CALENDAR_STEP - 1));
	}
	run_to(left / 2 * rate);
	expect_rings(left * rate - 1, 0);
	expect_rings(left * rate, 1);
	cr_assert_eq(last, SUNDAY_235950 + 7 * DAY);
	jif_alarm_stop(&alarm);
}

Test(calendar, drain_leaves_alarms_as_they_are)
{
	hang_up(SUNDAY_235950);
	(void)!jif_alarm_start(&calendar, &alarm, JIF_DAILY, 0);
	cr_assert_eq(jif_wheel_drain(&wheel, NULL), 1);
	pass(9);
	cr_assert_eq(jif_wheel_drain(&wheel, NULL), 1);
	cr_assert_eq(rings, 0);
	expect_rings_in(1, 1);
}

Test(calendar, clock_that_is_set_far_ahead_skips_alarms)
{
	hang_up(SUNDAY_235950);
	(void)!jif_alarm_start(&calendar, &alarm, JIF_DAILY, 0);
	jif_calendar_set(&calendar, SUNDAY_235950 + JIF_CALENDAR_STEP);
	expect_rings_in(100, 0);
	expect_rings(10 + DAY - JIF_CALENDAR_STEP, 1);
}

Test(calendar, clock_that_is_set_less_far_ahead_does_not)
{
	hang_up(SUNDAY_235950);
	(void)!jif_alarm_start(&calendar, &alarm, JIF_DAILY, 0);
	jif_calendar_set(&calendar, SUNDAY_235950 + JIF_CALENDAR_STEP - 1);
	pass(1);
	cr_assert_eq(rings, 1);
}

Test(calendar, due_at_the_very_time_it_is_set_to_runs_once_on_that_tick)
{
	static const uint32_t from[] = { 0, 5 * HOUR };

	for (unsigned i = 0; i < 2; i++) {
		init();
		hang_up(SPRING_015950 - from[i]);
		(void)!jif_alarm_start(&calendar, &other, JIF_DAILY,
				       JIF_TIME_OF_DAY(3, 0, 1));
		(void)!jif_alarm_start(&calendar, &alarm, JIF_DAILY,
				       JIF_TIME_OF_DAY(3, 0, 0));
		jif_calendar_set(&calendar, SPRING_015950 + 3610);
		cr_assert_eq(rings, 1);
		cr_assert_eq(last, SPRING_015950 + 3610);
		cr_assert_eq(other_rings, 0);
		pass(100);
		cr_assert_eq(rings, 1);
		cr_assert_eq(other_rings, 1);
	}
}

static void stop_both(struct jif_alarm *which)
{
	rings++;
	jif_alarm_stop(&other);
	jif_alarm_stop(which);
	memset(which, 0xa5, sizeof(*which));
}

Test(calendar, setting_runs_one_that_stops_another_and_is_freed)
{
	hang_up(SPRING_015950);
	jif_alarm_init(&alarm, stop_both);
	(void)!jif_alarm_start(&calendar, &alarm, JIF_DAILY,
			       JIF_TIME_OF_DAY(2, 0, 1));
	(void)!jif_alarm_start(&calendar, &other, JIF_DAILY,
			       JIF_TIME_OF_DAY(2, 0, 2));
	jif_calendar_set(&calendar, SPRING_015950 + 3600);
	cr_assert_eq(rings, 1);
	cr_assert_eq(other_rings, 0);
	cr_assert(jif_wheel_empty(&wheel));
}

Test(calendar, setting_leaves_other_timers_alone)
{
	hang_up(SUNDAY_235950);
	arm(0, 100);
	jif_calendar_set(&calendar, 0);
	run_to(99);
	cr_assert_eq(count(0), 0);
	run_to(100);
	cr_assert_eq(count(0), 1);
}

static void set_an_hour_ahead(struct jif_alarm *which)
{
	jif_calendar_set(&calendar, jif_calendar_clock(&calendar) + 3600);
}

Test(calendar, may_be_set_in_an_alarm)
{
	hang_up(SPRING_015950);
	jif_alarm_init(&other, set_an_hour_ahead);
	(void)!jif_alarm_start(&calendar, &other, JIF_SUNDAY,
			       JIF_TIME_OF_DAY(2, 0, 0));
	(void)!jif_alarm_start(&calendar, &alarm, JIF_DAILY,
			       JIF_TIME_OF_DAY(2, 0, 0));
	pass(10);
	cr_assert_eq(jif_calendar_clock(&calendar), SPRING_015950 + 10 + 3600);
	pass(1);
	cr_assert_eq(rings, 1, "nothing is lost");
	cr_assert_eq(jif_alarm_expires(&alarm), SPRING_015950 + 10 + DAY);
	cr_assert_eq(jif_alarm_expires(&other), SPRING_015950 + 10 + 7 * DAY);
}

static void stop_and_poison(struct jif_alarm *which)
{
	rings++;
	cr_assert(jif_alarm_stop(which));
	memset(which, 0xa5, sizeof(*which));
}

Test(calendar, alarm_may_be_stopped_and_freed_in_its_call)
{
	hang_up(SUNDAY_235950);
	jif_alarm_init(&alarm, stop_and_poison);
	(void)!jif_alarm_start(&calendar, &alarm, JIF_DAILY, 0);
	(void)!jif_alarm_start(&calendar, &other, JIF_DAILY, 0);
	expect_rings(DAY, 1);
	expect_rings(2 * DAY, 1);
	cr_assert_eq(other_rings, 2);
}

Test(calendar, alarm_that_is_stopped_runs_no_more)
{
	hang_up(SUNDAY_235950);
	cr_assert_not(jif_alarm_stop(&alarm));
	(void)!jif_alarm_start(&calendar, &other, JIF_DAILY, 0);
	(void)!jif_alarm_start(&calendar, &alarm, JIF_DAILY, 0);
	cr_assert(jif_alarm_stop(&alarm));
	cr_assert_not(jif_alarm_stop(&alarm));
	cr_assert_eq(jif_alarm_expires(&alarm), 0);
	expect_rings(DAY, 0);
	cr_assert_eq(other_rings, 1);
	cr_assert(jif_alarm_stop(&other));
	cr_assert(jif_wheel_empty(&wheel));
}

Test(calendar, alarm_with_no_such_day_or_time_is_refused)
{
	hang_up(SUNDAY_235950);
	cr_assert_eq(jif_alarm_start(&calendar, &alarm, 0, 0), -JIF_EINVAL);
	cr_assert_eq(jif_alarm_start(&calendar, &alarm, 0x80, 0), -JIF_EINVAL);
	cr_assert_eq(jif_alarm_start(&calendar, &alarm, JIF_DAILY, DAY),
		     -JIF_EINVAL);
	jif_alarm_init(&alarm, NULL);
	cr_assert_eq(jif_alarm_start(&calendar, &alarm, JIF_DAILY, 0),
		     -JIF_EINVAL);
	cr_assert(jif_wheel_empty(&wheel));
}

Test(calendar, with_no_such_rate_is_refused)
{
	hang_up(SUNDAY_235950);
	cr_assert_eq(jif_calendar_init(&calendar, &wheel, 0, 0), -JIF_EINVAL);
	cr_assert_eq(jif_calendar_init(&calendar, &wheel,
				       JIF_CALENDAR_RATE_MAX + 1, 0),
		     -JIF_EINVAL);
	cr_assert_eq(jif_calendar_clock(&calendar), SUNDAY_235950);
}

static unsigned seen_level, seen_slot;

static int see(void *arg, const struct jif_timer *timer, unsigned level,
	       unsigned slot, uint32_t remaining)
{
	seen_level = level;
	seen_slot = slot;
	return 0;
}

Test(calendar, hands_show_local_time)
{
	jif_wheel_init_local(&wheel, START, LEAP_YEAR);
	hang_up(LEAP_YEAR);
	(void)!jif_alarm_start(&calendar, &alarm, JIF_DAILY,
			       JIF_TIME_OF_DAY(18, 20, 0));
	jif_wheel_walk(&wheel, see, NULL);
	cr_assert_eq(seen_level, 2, "it waits among the hours");
	cr_assert_eq(seen_slot, 18);
	(void)!jif_alarm_start(&calendar, &alarm, JIF_SUNDAY,
			       JIF_TIME_OF_DAY(18, 20, 0));
	jif_wheel_walk(&wheel, see, NULL);
	cr_assert_eq(seen_level, 3, "it waits among the days");
	cr_assert_eq(seen_slot, 6);
	jif_alarm_stop(&alarm);
}

/* At 12:34:56, what is due two seconds later, or three minutes. */
Test(calendar, hands_show_minutes_and_seconds)
{
	uint32_t local = LEAP_YEAR + JIF_TIME_OF_DAY(0, 34, 56);

	jif_wheel_init_local(&wheel, START, local);
	arm(0, 2);
	cr_assert_eq(place_of(0).level, 0);
	cr_assert_eq(place_of(0).slot, 58);
	arm(1, 180);
	cr_assert_eq(place_of(1).level, 1);
	cr_assert_eq(place_of(1).slot, 37);
}

Test(calendar, loses_no_alarm_that_is_due_while_the_wheel_is_behind)
{
	hang_up(SUNDAY_235950);
	(void)!jif_alarm_start(&calendar, &alarm, JIF_DAILY, 0);
	unit_set_time(20 + 2 * DAY);
	cr_assert_eq(jif_calendar_clock(&calendar),
		     SUNDAY_235950 + 20 + 2 * DAY);
	cr_assert_eq(jif_alarm_expires(&alarm), SUNDAY_235950 + 10);
	run_to(20 + 2 * DAY);
	cr_assert_eq(rings, 1, "for all midnights");
	cr_assert_eq(jif_alarm_missed(&alarm), 2);
	expect_rings(10 + 3 * DAY, 2);
	cr_assert_eq(jif_alarm_missed(&alarm), 0);
}

/* 100 ticks are 14 seconds and 2 ticks, so that the wheel's are 15 behind. */
Test(calendar, second_begins_with_the_call_though_the_wheel_is_behind)
{
	unit_set_time(100);
	jif_calendar_init(&calendar, &wheel, 7, SUNDAY_235950);
	cr_assert_eq(jif_calendar_clock(&calendar), SUNDAY_235950);
	unit_time = 106;
	cr_assert_eq(jif_calendar_clock(&calendar), SUNDAY_235950);
	unit_time = 107;
	cr_assert_eq(jif_calendar_clock(&calendar), SUNDAY_235950 + 1);
	(void)!jif_alarm_start(&calendar, &alarm, JIF_DAILY, 0);
	expect_rings(100 + 10 * 7 - 1, 0);
	expect_rings(100 + 10 * 7, 1);
	jif_calendar_set(&calendar, LEAP_YEAR);
	cr_assert_eq(jif_calendar_clock(&calendar), LEAP_YEAR);
	unit_time = 170 + 6;
	cr_assert_eq(jif_calendar_clock(&calendar), LEAP_YEAR);
	unit_time = 170 + 7;
	cr_assert_eq(jif_calendar_clock(&calendar), LEAP_YEAR + 1);
}

/* 3,000,000,000 ticks, more than 2^31, at three a second, and over the wrap. */
Test(calendar, goes_on_when_nobody_asks_for_more_than_half_of_the_wrap)
{
	unit_set_time(100);
	jif_calendar_init(&calendar, &wheel, 3, SUNDAY_235950);
	run_to(1500000000);
	run_to(3000000100);
	unit_time = 3000000100;
	cr_assert_eq(jif_calendar_clock(&calendar), SUNDAY_235950 + 1000000000);
	jif_calendar_set(&calendar, SUNDAY_235950);
	run_to(4000000000);
	unit_time = 100 + 3000000000u + 2000000000u;
	cr_assert_eq(jif_calendar_clock(&calendar), SUNDAY_235950 + 666666666);
}

/* The source is as far ahead of the wheel as it may be. */
Test(calendar, shows_the_time_as_far_as_the_source_reaches)
{
	hang_up(SUNDAY_235950);
	unit_set_time(LONGEST);
	cr_assert_eq(jif_calendar_clock(&calendar), SUNDAY_235950 + LONGEST);
	unit_time++;
	cr_assert_eq(jif_calendar_clock(&calendar), SUNDAY_235950);
}
