/* SPDX-License-Identifier: MIT */
/*
 * jif/firmware/calendar.h - alarms by the clock on the wall
 *
 * Local time is the seconds since 1970-01-01 00:00:00 on that clock: what a
 * product makes of the world's time, its zone and daylight saving, up to the
 * year 2106. It counts from jif_wheel_now(). See docs/timers.md for a clock
 * that is set, and time() on AVR.
 *
 * Where the tick ISR runs the wheel, callbacks are a handler's: then the main
 * loop makes the calls for "the main loop and callbacks" with interrupts off.
 */
#ifndef JIF_CALENDAR_H
#define JIF_CALENDAR_H

#include <jif/wheel.h>

JIF_BEGIN_DECLS

/* Sets of days. */
#define JIF_MONDAY    0x01u
#define JIF_TUESDAY   0x02u
#define JIF_WEDNESDAY 0x04u
#define JIF_THURSDAY  0x08u
#define JIF_FRIDAY    0x10u
#define JIF_SATURDAY  0x20u
#define JIF_SUNDAY    0x40u
#define JIF_WEEKDAYS  0x1fu
#define JIF_WEEKEND   0x60u
#define JIF_DAILY     0x7fu

/** JIF_TIME_OF_DAY - seconds since midnight */
#define JIF_TIME_OF_DAY(hour, minute, second)                                  \
	((uint32_t)(hour)*3600 + (uint32_t)(minute)*60 + (uint32_t)(second))

/**
 * JIF_CALENDAR_STEP - by less than so many seconds, a clock is corrected; by
 * more, it is set to another time
 */
#define JIF_CALENDAR_STEP UINT32_C(10800)

/** JIF_CALENDAR_RATE_MAX - the most ticks per second: a week is in range */
#define JIF_CALENDAR_RATE_MAX (JIF_DELAY_MAX / (604800 + JIF_CALENDAR_STEP))

struct jif_alarm;

/**
 * typedef jif_alarm_fn - what runs when an alarm is due
 * @alarm:	the alarm, which waits for its next time by then; it may be
 *		stopped, started anew, or stopped and freed
 */
typedef void jif_alarm_fn(struct jif_alarm *alarm);

/** struct jif_calendar - a clock on the wall */
struct jif_calendar {
	/* private: */
	struct jif_wheel *wheel;  /* drives it */
	struct jif_alarm *alarms; /* those that are started */
	uint32_t rate;		  /* ticks per second */
	uint32_t clk;		  /* a second that the wheel has reached */
	uint32_t local;		  /* the local time of that second */
};

/** struct jif_alarm - an alarm */
struct jif_alarm {
	/* private: */
	struct jif_timer timer;	       /* armed while it is started */
	struct jif_calendar *calendar; /* its own; NULL: not started */
	struct jif_alarm *next;	       /* the one started after it */
	jif_alarm_fn *fn;	       /* what runs */
	uint32_t second;	       /* seconds since midnight */
	uint32_t due;		       /* when it runs next, as local time */
	uint8_t days;		       /* the set of days */
	uint16_t missed;	       /* times, right before the last call */
};

/**
 * jif_wheel_init_local - make an empty wheel whose hands show local time
 * @wheel:	memory, for a wheel with one tick per second
 * @now:	what its clock shows
 * @local:	local time, Monday is day 0
 *
 * For display only: alarms need none, and jif_calendar_set() moves none.
 * Context: before the wheel is used.
 */
static inline void jif_wheel_init_local(struct jif_wheel *wheel, uint32_t now,
					uint32_t local)
{
	jif_wheel_init_at(wheel, now, (unsigned)((local / 86400 + 3) % 7),
			  (unsigned)(local / 3600 % 24),
			  (unsigned)(local / 60 % 60), (unsigned)(local % 60));
}

/**
 * jif_calendar_init - make a clock without alarms
 * @calendar:	memory
 * @wheel:	a wheel, which may have other timers, too
 * @rate:	ticks per second of the wheel's time, 1 to JIF_CALENDAR_RATE_MAX
 * @local:	local time; a second begins now
 * Context: the main loop and callbacks.
 * Return: 0; -JIF_EINVAL if @rate is out of range, and nothing has changed.
 */
int jif_calendar_init(struct jif_calendar *calendar, struct jif_wheel *wheel,
		      uint32_t rate, uint32_t local);

/**
 * jif_calendar_clock - what the clock shows now
 * @calendar:	the calendar
 *
 * At least once in 2^32 ticks, this has to be called, or an alarm be due.
 * Context: the main loop and callbacks.
 * Return: local time.
 */
uint32_t jif_calendar_clock(struct jif_calendar *calendar);

/**
 * jif_calendar_set - set the clock
 * @calendar:	the calendar
 * @local:	local time; a second begins now
 *
 * A correction or daylight saving, by less than JIF_CALENDAR_STEP, loses no
 * alarm and repeats none: one that is passed over runs within this call, and so
 * does one that is due while the wheel is behind. After any other change,
 * alarms wait for their next time as if started anew. Alarms that are due at
 * @local run within this call, too.
 * Context: the main loop and callbacks.
 */
void jif_calendar_set(struct jif_calendar *calendar, uint32_t local);

/**
 * jif_calendar_next - when it is next @second, on one of @days
 * @local:	local time
 * @days:	a set of days, with at least one of them
 * @second:	seconds since midnight, less than 86400
 * Context: any.
 * Return: local time, after @local.
 */
uint32_t jif_calendar_next(uint32_t local, unsigned days, uint32_t second);

/**
 * jif_alarm_init - make an alarm that is not started
 * @alarm:	memory that is not a started alarm
 * @fn:		what runs when it is due
 * Context: any.
 */
void jif_alarm_init(struct jif_alarm *alarm, jif_alarm_fn *fn);

/**
 * jif_alarm_start - have an alarm run at a time of day
 * @calendar:	the calendar
 * @alarm:	an alarm that has been initialised, started or not
 * @days:	a set of days: JIF_DAILY, JIF_WEEKEND, JIF_MONDAY | JIF_FRIDAY
 * @second:	seconds since midnight: JIF_TIME_OF_DAY()
 *
 * It runs each time, until it is stopped; first at the next such time after
 * that of the call. After a stall, it runs once: see jif_alarm_missed().
 * Context: the main loop and callbacks.
 * Return: 1 if it was started before, 0 if not; -JIF_EINVAL if there is no such
 * day or time, or it has no function, and nothing has changed; -JIF_EBUSY if it
 * was started, and then initialised: alarms started after it are lost.
 */
JIF_MUST_CHECK
int jif_alarm_start(struct jif_calendar *calendar, struct jif_alarm *alarm,
		    unsigned days, uint32_t second);

/**
 * jif_alarm_stop - no more calls
 * @alarm:	an alarm that has been initialised
 * Context: the main loop and callbacks.
 * Return: true if it was started.
 */
bool jif_alarm_stop(struct jif_alarm *alarm);

/**
 * jif_alarm_expires - when an alarm runs next
 * @alarm:	an alarm that has been initialised
 * Context: the main loop and callbacks.
 * Return: local time; 0 if it is not started.
 */
uint32_t jif_alarm_expires(const struct jif_alarm *alarm);

/**
 * jif_alarm_missed - how many times were slept through before the last call
 * @alarm:	an alarm that has been initialised
 * Context: the main loop and callbacks.
 * Return: times after that of the last call which the same run of the wheel has
 * covered; 65,535 stands for more.
 */
uint32_t jif_alarm_missed(const struct jif_alarm *alarm);

JIF_END_DECLS

#endif
