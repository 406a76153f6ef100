/* SPDX-License-Identifier: MIT */
/*
 * test/target/demo.c - the demonstration: a day in the life of a small device
 *
 * It blinks once a second, reports once a minute, has a job twice a day and one
 * a week, and a button whose contacts bounce. Between all that it sleeps, the
 * deeper of two ways unless the button is being pressed; and a watchdog is fed
 * while it blinks and reports. At the end of the day it tells how often it woke
 * up, how much of the last minute it slept, and how its jiffies compare with a
 * clock that has nothing to do with the tick.
 */
#include <jif/jiffies.h>
#include <jif/load.h>
#include <jif/periodic.h>
#include <jif/port.h>
#include <jif/power.h>
#include <jif/sched.h>
#include <jif/watchdog.h>
#include <jif/wheel.h>

#include "../../lib/port/jif_port.h"
#include "target.h"

#define MS(ms) ((uint32_t)(ms) * (CONFIG_JIF_HZ / 1000))
#define SECOND MS(1000)
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)
#define WEEK   (7 * DAY)

/* How long its day is. */
#ifndef LASTS
#define LASTS DAY
#endif

/* Contacts are at rest when they have been quiet for so long. */
#define SETTLED MS(20)
#define PRESSES 8
#define BOUNCES 5

JIF_STATIC_ASSERT(CONFIG_JIF_HZ % 1000 == 0, "milliseconds are whole ticks");

/* The hardware's watchdog, if there were one, would wait for half a minute. */
#define FEED_EVERY (10 * SECOND)

/* The part of the last minute to be slept, in 1/1000. */
#define IDLE_MIN 950

static struct jif_wheel wheel;
static struct jif_sched sched;
static struct jif_task reporter, button;
static struct jif_event contact = JIF_EVENT_INIT;
static struct jif_periodic heartbeat, half_day, weekly, finger;
static struct jif_load load;
static struct jif_load_task reporting, pressing;
static struct jif_watchdog dog;
static struct jif_watch beating, minutely;

static uint32_t start;
static uint32_t beats, dozes, stops;
static unsigned reports, half_days, weeks, presses, feeds;
static volatile unsigned edges;
static volatile uint8_t bounces;
static bool led;

/* The other clock, in ticks since the start, and when the last one began. */
static uint32_t clock_ticks, clock_last;

static void follow_clock(void)
{
	uint32_t per_tick = target_clock_hz / CONFIG_JIF_HZ;
	uint32_t ticks = (target_clock() - clock_last) / per_tick;

	clock_ticks += ticks;
	clock_last += ticks * per_tick;
}

static void log_time(void)
{
	uint32_t seconds = (jif_wheel_clock(&wheel) - start) / SECOND;

	target_put_number(seconds / 3600);
	target_puts(" h ");
	target_put_number(seconds / 60 % 60);
	target_puts(" min ");
	target_put_number(seconds % 60);
	target_puts(" s: ");
}

static void log_event(const char *what)
{
	log_time();
	target_put_text(what);
	target_puts("\n");
}

static void doze(uint32_t ticks)
{
	jif_port_idle(ticks);
	dozes++;
}

/* Stands in for a mode in which more is off. */
static void stop(uint32_t ticks)
{
	jif_port_idle(ticks);
	stops++;
}

static const struct jif_power_mode modes[] = {
	{ doze, 0, 0 },
	{ stop, MS(5), 0 },
};
static struct jif_power power;

static void sleep_deep(uint32_t ticks)
{
	jif_power_sleep(&power, ticks);
}

static void beat(struct jif_periodic *p)
{
	led = !led;
	jif_watch_feed(&beating);
	if (beats++ < 3)
		log_event(TARGET_TEXT("heartbeat"));
}

static void do_half_day(struct jif_periodic *p)
{
	half_days++;
	log_event(TARGET_TEXT("the job of every half day"));
}

static void do_weekly(struct jif_periodic *p)
{
	weeks++;
	log_event(TARGET_TEXT("the job of every week"));
}

/* The handler of the button. */
static void edge(void)
{
	edges++;
	jif_event_wake(&contact);
	if (bounces && --bounces)
		target_pend_after(1300000);
}

/* Each edge puts the decision off. */
static void watch_button(struct jif_task *task)
{
	if (!jif_task_timed_out(task)) {
		jif_task_wait(task, &contact, SETTLED);
		return;
	}
	presses++;
	log_event(TARGET_TEXT("the button is pressed"));
	jif_power_allow(&power, 0);
	jif_task_wait(task, &contact, JIF_FOREVER);
}

/* Stands in for somebody who presses it. */
static void press(struct jif_periodic *p)
{
	bounces = BOUNCES;
	jif_power_limit(&power, 0);
	target_pend_after(400000);
}

static bool is_as_expected(uint32_t drift)
{
	return beats == LASTS / SECOND && reports == LASTS / MINUTE &&
	       half_days == 2 && weeks == 1 && presses == PRESSES &&
	       edges == PRESSES * BOUNCES && !drift &&
	       feeds == 1 + LASTS / FEED_EVERY && dozes >= PRESSES * BOUNCES &&
	       jif_load_share(&load, load.idle) >= IDLE_MIN &&
	       jif_wheel_check(&wheel) == 0;
}

static void put_figure(const char *what, uint32_t number)
{
	target_put_text(what);
	target_put_number(number);
	target_puts("\n");
}

static void finish(void)
{
	uint32_t drift;

	follow_clock();
	drift = jif_now() - start - clock_ticks;
	put_figure(TARGET_TEXT("ticks: "), jif_now() - start);
	put_figure(TARGET_TEXT("ticks by the other clock: "), clock_ticks);
	put_figure(TARGET_TEXT("wake-ups of the main loop: "), dozes + stops);
	put_figure(TARGET_TEXT("wake-ups of the processor: "),
		   target_sleeps ? target_sleeps : dozes + stops);
	put_figure(TARGET_TEXT("from a lighter sleep: "), dozes);
	put_figure(TARGET_TEXT("asleep of the last minute, in 1/1000: "),
		   jif_load_share(&load, load.idle));
	put_figure(TARGET_TEXT("counts for reports in it: "), reporting.busy);
	put_figure(TARGET_TEXT("times the watchdog was fed: "), feeds);
	put_figure(TARGET_TEXT("heartbeats: "), beats);
	put_figure(TARGET_TEXT("reports: "), reports);
	put_figure(TARGET_TEXT("presses: "), presses);
	put_figure(TARGET_TEXT("edges: "), edges);
	target_exit(!is_as_expected(drift));
}

/*
 * The day is over when all that is due with the last report is done. On AVR,
 * that is more: a line takes ticks, and a feed that is late for one stays late.
 */
static void idle(uint32_t ticks)
{
	if (reports == LASTS / MINUTE)
		finish();
	jif_load_sleep(&load, sleep_deep, ticks);
}

/* All are made; some are printed. */
static void make_report(struct jif_task *task)
{
	follow_clock();
	jif_watch_feed(&minutely);
	jif_load_next(&load);
	if (++reports <= 3 || reports % (LASTS / MINUTE / 6) == 0) {
		log_time();
		target_puts("report ");
		target_put_number(reports);
		target_puts(": ");
		target_put_number(beats);
		target_puts(" heartbeats, ");
		target_put_number(dozes + stops);
		target_puts(" wake-ups\n");
	}
}

static void feed(void)
{
	feeds++;
}

static void tell_who_is_late(const struct jif_watch *watch, uint32_t since)
{
	target_put_text(watch->name);
	target_puts(" is late\n");
}

static void start_timers(void)
{
	jif_wheel_init(&wheel, start);
	jif_periodic_init(&heartbeat, beat, JIF_CATCHUP_EACH);
	jif_periodic_init(&half_day, do_half_day, JIF_CATCHUP_EACH);
	jif_periodic_init(&weekly, do_weekly, JIF_CATCHUP_EACH);
	jif_periodic_init(&finger, press, JIF_CATCHUP_SKIP);
	jif_periodic_start(&wheel, &heartbeat, SECOND, SECOND, JIF_FOREVER);
	jif_periodic_start(&wheel, &half_day, LASTS / 2, LASTS / 2,
			   JIF_FOREVER);
	jif_periodic_start(&wheel, &weekly, LASTS / 4 * 3, WEEK, JIF_FOREVER);
	jif_periodic_start(&wheel, &finger, MS(3217), MS(7131), PRESSES);
}

static void start_tasks(void)
{
	jif_power_init(&power, modes, sizeof(modes) / sizeof(*modes));
	jif_sched_init(&sched, &wheel, idle, target_clock);
	jif_task_init(&sched, &reporter, make_report, 1, 0);
	jif_task_init(&sched, &button, watch_button, 0, 0);
	jif_task_start(&reporter, MINUTE, MINUTE);
	jif_task_wait(&button, &contact, JIF_FOREVER);
	jif_load_init(&load, target_clock);
	jif_load_add(&load, &reporting, &reporter, TARGET_TEXT("report"));
	jif_load_add(&load, &pressing, &button, TARGET_TEXT("button"));
	jif_watchdog_init(&dog, &wheel, feed, tell_who_is_late);
	jif_watch_add(&dog, &beating, TARGET_TEXT("heartbeat"), SECOND + 1);
	jif_watch_add(&dog, &minutely, TARGET_TEXT("report"), MINUTE + 1);
	jif_watchdog_start(&dog, FEED_EVERY);
}

void jif_panic(const char *why)
{
	target_puts("panic\n");
	target_exit(1);
}

int main(void)
{
	target_irq = edge;
	jif_port_start();
	start = jif_now();
	while (jif_now() == start)
		;
	start++;
	clock_last = target_clock();
	start_timers();
	start_tasks();
	for (;;)
		jif_sched_run(&sched);
}
