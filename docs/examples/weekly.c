/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/weekly.c - a week of a house, in simulated time
 *
 * The shutters open on weekdays at 6:30, and the bins are put out on Sunday
 * evenings. At 3:00 on this Sunday, daylight saving ends.
 */
#include <jif/jif.h>
#include <stdio.h>

#define SECONDS_A_DAY 86400

static struct jif_wheel wheel;
static struct jif_calendar calendar;

static void say_at(unsigned long local, const char *what)
{
	static const char *const days[] = { "Mon", "Tue", "Wed", "Thu",
					    "Fri", "Sat", "Sun" };

	printf("%s %02lu:%02lu  %s\n", days[(local / SECONDS_A_DAY + 3) % 7],
	       local / 3600 % 24, local / 60 % 60, what);
}

static void say(const char *what)
{
	say_at(jif_calendar_clock(&calendar), what);
}

static void open_the_shutters(struct jif_alarm *alarm)
{
	(void)alarm;
	say("the shutters open");
}

static void put_out_the_bins(struct jif_alarm *alarm)
{
	(void)alarm;
	say("bins");
}

static void end_daylight_saving(struct jif_alarm *alarm)
{
	say("daylight saving ends");
	jif_alarm_stop(alarm);
	jif_calendar_set(&calendar, jif_calendar_clock(&calendar) - 3600);
}

int main(void)
{
	static struct jif_alarm shutters, bins, saving;
	uint32_t seconds = 0;
	uint32_t local = 1824681600; /* Thursday, 2027-10-28 00:00:00 */

	jif_wheel_init_local(&wheel, seconds, local);
	jif_wheel_set_time(&wheel, jif_wheel_clock);
	jif_calendar_init(&calendar, &wheel, 1, local);
	jif_alarm_init(&shutters, open_the_shutters);
	if (jif_alarm_start(&calendar, &shutters, JIF_WEEKDAYS,
			    JIF_TIME_OF_DAY(6, 30, 0)) < 0)
		return 1;
	jif_alarm_init(&bins, put_out_the_bins);
	if (jif_alarm_start(&calendar, &bins, JIF_SUNDAY,
			    JIF_TIME_OF_DAY(19, 0, 0)) < 0)
		return 1;
	jif_alarm_init(&saving, end_daylight_saving);
	if (jif_alarm_start(&calendar, &saving, JIF_SUNDAY,
			    JIF_TIME_OF_DAY(3, 0, 0)) < 0)
		return 1;

	/* With a main loop, this is what a second's tick leads to. */
	while (seconds < 7 * SECONDS_A_DAY)
		jif_wheel_run(&wheel, ++seconds);
	say_at(jif_alarm_expires(&shutters), "the shutters will open next");
	return 0;
}
