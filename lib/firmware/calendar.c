/* SPDX-License-Identifier: MIT */
/*
 * lib/firmware/calendar.c - alarms by the clock on the wall
 *
 * An alarm keeps the local time at which it is due. Setting the clock moves all
 * timers to where that time is now, and then runs what is due.
 *
 * The second that is kept begins at the wheel's clock or before it, also if the
 * wheel is behind: alarms due from there on have yet to run.
 */
#include <jif/firmware/calendar.h>
#include <jif/jiffies.h>

#include "../bug.h"

#define DAY_SECONDS UINT32_C(86400)

/* In ticks that is a delay, at any rate. */
#define MAX_AHEAD (7 * DAY_SECONDS + JIF_CALENDAR_STEP)

static uint32_t seconds_to(const struct jif_calendar *calendar, uint32_t tick)
{
	return (tick - calendar->clk) / calendar->rate;
}

static void follow_wheel(struct jif_calendar *calendar)
{
	uint32_t seconds =
		seconds_to(calendar, jif_wheel_clock(calendar->wheel));

	calendar->clk += seconds * calendar->rate;
	calendar->local += seconds;
}

static uint32_t local_now(struct jif_calendar *calendar)
{
	follow_wheel(calendar);
	return calendar->local +
	       seconds_to(calendar, jif_wheel_now(calendar->wheel));
}

/* Second @local begins now; the last one that the wheel has reached is kept. */
static void begin_second(struct jif_calendar *calendar, uint32_t local)
{
	uint32_t now = jif_wheel_now(calendar->wheel);
	uint32_t behind = now - jif_wheel_clock(calendar->wheel);
	uint32_t seconds = (behind + calendar->rate - 1) / calendar->rate;

	calendar->clk = now - seconds * calendar->rate;
	calendar->local = local - seconds;
}

/*
 * What several corrections have moved out of the range of a delay is armed for
 * the end of that, and then again.
 */
static void arm_alarm(struct jif_alarm *alarm)
{
	struct jif_calendar *calendar = alarm->calendar;
	uint32_t ahead = 0;

	if (jif_time_after(alarm->due, calendar->local))
		ahead = alarm->due - calendar->local;
	if (ahead > MAX_AHEAD)
		ahead = MAX_AHEAD;
	jif_timer_mod(calendar->wheel, &alarm->timer,
		      calendar->clk + ahead * calendar->rate);
}

/* The first such time that is not before @local. */
static uint32_t first_from(uint32_t local, unsigned days, uint32_t second)
{
	uint32_t due = local - local % DAY_SECONDS + second;

	if (due < local)
		due += DAY_SECONDS;
	/* 1970-01-01 was a Thursday; Monday is day 0. */
	for (unsigned n = 0;
	     n < 6 && !(days & 1u << (due / DAY_SECONDS + 3) % 7); n++)
		due += DAY_SECONDS;
	return due;
}

/* Its first time from @local on; what comes by @last is missed. */
static void wait_from(struct jif_alarm *alarm, uint32_t local, uint32_t last)
{
	uint16_t missed = 0;
	uint32_t due;

	while (due = first_from(local, alarm->days, alarm->second),
	       jif_time_before_eq(due, last)) {
		missed = (uint16_t)(missed + (missed < UINT16_MAX));
		local = due + 1;
	}
	alarm->missed = missed;
	alarm->due = due;
	arm_alarm(alarm);
}

/* By @local; a run goes on to @last. Its function may stop and free it. */
static bool run_if_due(struct jif_alarm *alarm, uint32_t local, uint32_t last)
{
	if (jif_time_after(alarm->due, local))
		return false;
	wait_from(alarm, alarm->due + 1, last);
	alarm->fn(alarm);
	return true;
}

static void run_alarm(struct jif_timer *timer)
{
	struct jif_alarm *alarm =
		jif_container_of(timer, struct jif_alarm, timer);
	struct jif_calendar *calendar = alarm->calendar;
	uint32_t last;

	follow_wheel(calendar);
	last = calendar->local + seconds_to(calendar, calendar->wheel->target);
	if (!run_if_due(alarm, calendar->local, last))
		arm_alarm(alarm);
}

int jif_calendar_init(struct jif_calendar *calendar, struct jif_wheel *wheel,
		      uint32_t rate, uint32_t local)
{
	if (rate - 1 >= JIF_CALENDAR_RATE_MAX)
		return jif_invalid("a calendar has no such rate", calendar);
	*calendar = (struct jif_calendar){ .wheel = wheel, .rate = rate };
	begin_second(calendar, local);
	return 0;
}

uint32_t jif_calendar_clock(struct jif_calendar *calendar)
{
	return local_now(calendar);
}

void jif_calendar_set(struct jif_calendar *calendar, uint32_t local)
{
	uint32_t step = local - jif_calendar_clock(calendar);
	bool corrected = step + JIF_CALENDAR_STEP - 1 <=
			 2 * (JIF_CALENDAR_STEP - 1);
	struct jif_alarm *alarm;
	uint32_t now;

	begin_second(calendar, local);
	for (alarm = calendar->alarms; alarm; alarm = alarm->next) {
		if (corrected)
			arm_alarm(alarm);
		else
			wait_from(alarm, local, local - 1);
	}
	for (alarm = calendar->alarms; alarm;) {
		now = local_now(calendar);
		alarm = run_if_due(alarm, now, now) ? calendar->alarms :
						      alarm->next;
	}
}

uint32_t jif_calendar_next(uint32_t local, unsigned days, uint32_t second)
{
	if (CONFIG_JIF_DEBUG && !(days & JIF_DAILY))
		jif_misused("a time is asked for on no day", NULL, NULL);
	return first_from(local + 1, days, second);
}

void jif_alarm_init(struct jif_alarm *alarm, jif_alarm_fn *fn)
{
	*alarm = (struct jif_alarm){ .fn = fn };
	jif_timer_init(&alarm->timer, run_alarm);
}

int jif_alarm_start(struct jif_calendar *calendar, struct jif_alarm *alarm,
		    unsigned days, uint32_t second)
{
	struct jif_alarm **link = &calendar->alarms;
	uint32_t now;
	bool was;

	if (days - 1 >= JIF_DAILY || second >= DAY_SECONDS || !alarm->fn ||
	    !calendar->rate)
		return jif_invalid("an alarm cannot be started so", alarm);
	was = jif_alarm_stop(alarm);
	while (*link && *link != alarm)
		link = &(*link)->next;
	if (*link) {
		if (CONFIG_JIF_DEBUG)
			jif_misused("a started alarm was initialised", alarm,
				    (void (*)(void))alarm->fn);
		*link = NULL;
		return -JIF_EBUSY;
	}
	*link = alarm;
	alarm->calendar = calendar;
	alarm->days = (uint8_t)days;
	alarm->second = second;
	now = local_now(calendar);
	wait_from(alarm, now + 1, now);
	return was;
}

bool jif_alarm_stop(struct jif_alarm *alarm)
{
	struct jif_alarm **link;

	if (!alarm->calendar)
		return false;
	link = &alarm->calendar->alarms;
	while (*link && *link != alarm)
		link = &(*link)->next;
	if (*link)
		*link = alarm->next;
	jif_timer_del(alarm->calendar->wheel, &alarm->timer);
	alarm->calendar = NULL;
	alarm->next = NULL;
	return true;
}

uint32_t jif_alarm_expires(const struct jif_alarm *alarm)
{
	return alarm->calendar ? alarm->due : 0;
}

uint32_t jif_alarm_missed(const struct jif_alarm *alarm)
{
	return alarm->missed;
}
