/* SPDX-License-Identifier: MIT */
/*
 * test/target/demo.c - the demonstration: a day in the life of a small device
 *
 * It blinks once a second, reports once a minute, has a job twice a day and one
 * a week, and a button whose contacts bounce. Between all that it sleeps. At
 * the end of the day it tells how often it woke up, and how its jiffies compare
 * with a clock that has nothing to do with the tick.
 */
#include <jif/jiffies.h>
#include <jif/periodic.h>
#include <jif/port.h>
#include <jif/wheel.h>

#include "../../lib/port/jif_port.h"
#include "target.h"

#define MS(ms) ((uint32_t)(ms) * (CONFIG_JIF_HZ / 1000))
#define SECOND MS(1000)
#define MINUTE (60 * SECOND)
#define HOUR   (60 * MINUTE)
#define DAY    (24 * HOUR)
#define WEEK   (7 * DAY)

/* How long it runs. */
#ifndef LASTS
#define LASTS DAY
#endif

/* Contacts are at rest when they have been quiet for so long. */
#define SETTLED MS(20)
#define PRESSES 8
#define BOUNCES 5

JIF_STATIC_ASSERT(CONFIG_JIF_HZ % 1000 == 0, "milliseconds are whole ticks");

static struct jif_wheel wheel;
static struct jif_timer debounce;
static struct jif_periodic heartbeat, report, half_day, weekly, finger;

static uint32_t start;
static uint32_t beats, reports, half_days, weeks, presses, wakeups;
static volatile uint32_t edges;
static volatile uint8_t bounces;
static bool led;

/* The other clock, in ticks since the start, and what is left over. */
static uint32_t clock_last, clock_rest, clock_ticks;

static void follow_clock(void)
{
	uint32_t per_tick = target_clock_hz / CONFIG_JIF_HZ;
	uint32_t now = target_clock();

	clock_rest += now - clock_last;
	clock_last = now;
	clock_ticks += clock_rest / per_tick;
	clock_rest %= per_tick;
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

#define log_event(what)                                                        \
	do {                                                                   \
		log_time();                                                    \
		target_puts(what "\n");                                        \
	} while (0)

static void beat(struct jif_periodic *p)
{
	(void)p;
	led = !led;
	if (beats++ < 3)
		log_event("heartbeat");
}

/* All reports are made; some are printed. */
static void make_report(struct jif_periodic *p)
{
	(void)p;
	follow_clock();
	if (++reports > 3 && reports % 240)
		return;
	log_time();
	target_puts("report ");
	target_put_number(reports);
	target_puts(": ");
	target_put_number(beats);
	target_puts(" heartbeats, ");
	target_put_number(wakeups);
	target_puts(" wake-ups\n");
}

static void do_half_day(struct jif_periodic *p)
{
	(void)p;
	half_days++;
	log_event("the job of every 12 hours");
}

static void do_weekly(struct jif_periodic *p)
{
	(void)p;
	weeks++;
	log_event("the job of every week");
}

/* The handler of the button: each edge puts the decision off. */
static void edge(void)
{
	edges++;
	jif_timer_mod(&wheel, &debounce, jif_now() + SETTLED);
	if (bounces && --bounces)
		target_pend_after(1300000);
}

static void settled(struct jif_timer *timer)
{
	(void)timer;
	presses++;
	log_event("the button is pressed");
}

/* Stands in for somebody who presses it. */
static void press(struct jif_periodic *p)
{
	(void)p;
	bounces = BOUNCES;
	target_pend_after(400000);
}

static void start_timers(void)
{
	jif_wheel_init(&wheel, start);
	jif_timer_init(&debounce, settled);
	jif_periodic_init(&heartbeat, beat, JIF_CATCHUP_EACH);
	jif_periodic_init(&report, make_report, JIF_CATCHUP_EACH);
	jif_periodic_init(&half_day, do_half_day, JIF_CATCHUP_EACH);
	jif_periodic_init(&weekly, do_weekly, JIF_CATCHUP_EACH);
	jif_periodic_init(&finger, press, JIF_CATCHUP_SKIP);
	jif_periodic_start(&wheel, &heartbeat, SECOND, SECOND, 0);
	jif_periodic_start(&wheel, &report, MINUTE, MINUTE, 0);
	jif_periodic_start(&wheel, &half_day, 12 * HOUR, 12 * HOUR, 0);
	jif_periodic_start(&wheel, &weekly, 18 * HOUR, WEEK, 0);
	jif_periodic_start(&wheel, &finger, MS(3217), MS(7131), PRESSES);
}

static void idle(uint32_t ticks)
{
	jif_port_idle(ticks);
	wakeups++;
}

static bool is_as_expected(uint32_t drift)
{
	return beats == LASTS / SECOND && reports == LASTS / MINUTE &&
	       half_days == LASTS / (12 * HOUR) && weeks == LASTS / DAY &&
	       presses == PRESSES && edges == PRESSES * BOUNCES && !drift &&
	       jif_wheel_check(&wheel) == 0;
}

static void put_figure(const char *what, uint32_t number)
{
	target_put_text(what);
	target_put_number(number);
	target_puts("\n");
}

static int finish(void)
{
	uint32_t drift;

	follow_clock();
	drift = jif_now() - start - clock_ticks;
	put_figure(TARGET_TEXT("ticks: "), jif_now() - start);
	put_figure(TARGET_TEXT("ticks by the other clock: "), clock_ticks);
	put_figure(TARGET_TEXT("parts of a tick beyond that, in 1/1000: "),
		   clock_rest / (target_clock_hz / CONFIG_JIF_HZ / 1000 + 1));
	put_figure(TARGET_TEXT("wake-ups of the main loop: "), wakeups);
	put_figure(TARGET_TEXT("wake-ups of the processor: "),
		   target_sleeps ? target_sleeps : wakeups);
	put_figure(TARGET_TEXT("heartbeats: "), beats);
	put_figure(TARGET_TEXT("reports: "), reports);
	put_figure(TARGET_TEXT("presses: "), presses);
	put_figure(TARGET_TEXT("edges: "), edges);
	return !is_as_expected(drift);
}

void jif_panic(const char *why)
{
	(void)why;
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
	for (;;) {
		jif_wheel_run(&wheel, jif_now());
		if (jif_wheel_clock(&wheel) - start >= LASTS)
			target_exit(finish());
		jif_wheel_sleep(&wheel, idle);
	}
}
