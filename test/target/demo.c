/* SPDX-License-Identifier: MIT */
/*
 * test/target/demo.c - the demonstration: a day in the life of a small device
 *
 * It blinks once a second, reports once a minute, has a job twice a day and one
 * a week, and a button whose contacts bounce. Between all that it sleeps, the
 * deeper of two ways unless the button is being pressed; and a watchdog is fed
 * while it blinks and reports. After noon its power is cut for some seconds:
 * what its timers have left is kept, all else begins anew. At the end of the
 * day it tells how often it woke up, how much of the last minute it slept, and
 * how its jiffies compare with a clock that has nothing to do with the tick.
 */
#include <jif/firmware/await.h>
#include <jif/firmware/flags.h>
#include <jif/firmware/queue.h>
#include <jif/firmware/sched.h>
#include <jif/firmware/snapshot.h>
#include <jif/jiffies.h>
#include <jif/periodic.h>
#include <jif/port.h>
#include <jif/wheel.h>
#include <string.h>

#define POWER_USERS 1
#include "../../docs/examples/firmware/load.h"
#include "../../docs/examples/firmware/power.h"
#include "../../docs/examples/firmware/watch.h"
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

/* When power is cut, and for how long. */
#define CUT_AT	(LASTS / 2 + 7 * SECOND)
#define OFF_FOR (10 * SECOND)

/* A flag of the button's handler. */
#define CONTACT	 1u

#define MESSAGES 8

/* What has happened, and when: callbacks say it, the reporter prints it. */
struct message {
	const char *what; /* NULL: it is time for a report */
	uint32_t when;
};

/* What is lost without power. */
static struct {
	struct jif_wheel wheel;
	struct jif_sched sched;
	struct jif_task reporter, button;
	struct jif_await reporting, pressing;
	struct jif_flags signals;
	struct jif_queue log;
	unsigned char storage[MESSAGES * sizeof(struct message)];
	struct message message; /* the reporter's */
	struct jif_periodic heartbeat, minutely, half_day, weekly, finger;
	struct jif_timer cut;
	struct load load;
	struct load_task busy[2]; /* the reporter, the button */
	struct watchdog dog;
	struct watch beats, reports;
	struct power power;
	bool is_cut;
} ram;

/* What is kept: what these have left. */
static const struct jif_saved saved[] = {
	JIF_SAVED_PERIODIC(1, &ram.heartbeat),
	JIF_SAVED_PERIODIC(2, &ram.minutely),
	JIF_SAVED_PERIODIC(3, &ram.half_day),
	JIF_SAVED_PERIODIC(4, &ram.weekly),
	JIF_SAVED_PERIODIC(5, &ram.finger),
};
static const struct jif_snapshot snapshot = { &ram.wheel, saved, 5, 1 };
static unsigned char kept[JIF_SNAPSHOT_SIZE(5)];

static uint32_t start;
static uint32_t beats, dozes, stops;
static unsigned reports, half_days, weeks, presses, feeds;
static volatile unsigned edges;
static volatile uint8_t bounces;
static bool led;

/*
 * The other clock, which goes on without power: in ticks since the start, and
 * when the last one began.
 */
static uint32_t clock_ticks, clock_last;

static void follow_clock(void)
{
	uint32_t per_tick = target_clock_hz / CONFIG_JIF_HZ;
	uint32_t ticks = (target_clock() - clock_last) / per_tick;

	clock_ticks += ticks;
	clock_last += ticks * per_tick;
}

static void put_time(uint32_t when)
{
	uint32_t seconds = (when - start) / SECOND;

	target_put_number(seconds / 3600);
	target_puts(" h ");
	target_put_number(seconds / 60 % 60);
	target_puts(" min ");
	target_put_number(seconds % 60);
	target_puts(" s: ");
}

static void say_of(uint32_t when, const char *what)
{
	struct message message = { what, when };

	if (jif_queue_send(&ram.log, &message))
		target_puts("a message is lost\n");
}

static void say(const char *what)
{
	say_of(jif_wheel_clock(&ram.wheel), what);
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

static const struct power_mode modes[] = {
	{ doze, 0, 0 },
	{ stop, MS(5), 0 },
};

static void sleep_deep(uint32_t ticks)
{
	power_sleep(&ram.power, ticks);
}

static void beat(struct jif_periodic *p)
{
	led = !led;
	ram.beats.fed = true;
	if (beats++ < 3)
		say(TARGET_TEXT("heartbeat"));
}

static void ask_for_report(struct jif_periodic *p)
{
	say(NULL);
}

static void do_half_day(struct jif_periodic *p)
{
	half_days++;
	say(TARGET_TEXT("the job of every half day"));
}

static void do_weekly(struct jif_periodic *p)
{
	weeks++;
	say(TARGET_TEXT("the job of every week"));
}

/* The handler of the button. */
static void edge(void)
{
	edges++;
	jif_flags_set(&ram.signals, CONTACT);
	if (bounces && --bounces)
		target_pend_after(1300000);
}

/* Each edge puts the decision off. */
static void watch_button(struct jif_task *task)
{
	uint32_t got;

	JIF_TASK_BEGIN(task, &ram.pressing);
	for (;;) {
		JIF_WAIT_FLAGS(&ram.signals, CONTACT,
			       JIF_FLAGS_ANY | JIF_FLAGS_CLEAR, JIF_FOREVER,
			       got);
		do
			JIF_WAIT_FLAGS(&ram.signals, CONTACT,
				       JIF_FLAGS_ANY | JIF_FLAGS_CLEAR, SETTLED,
				       got);
		while (got);
		presses++;
		say(TARGET_TEXT("the button is pressed"));
		power_limit(&ram.power, 0, 1);
	}
	JIF_TASK_END;
}

/* Stands in for somebody who presses it. */
static void press(struct jif_periodic *p)
{
	bounces = BOUNCES;
	power_limit(&ram.power, 0, 0);
	target_pend_after(400000);
}

static bool is_as_expected(uint32_t drift)
{
	return beats == LASTS / SECOND && reports == LASTS / MINUTE &&
	       half_days == 2 && weeks == 1 && presses == PRESSES &&
	       edges == PRESSES * BOUNCES && !drift &&
	       feeds == LASTS / FEED_EVERY && dozes >= PRESSES * BOUNCES &&
	       load_share(&ram.load, ram.load.idle) >= IDLE_MIN &&
	       jif_wheel_check(&ram.wheel) == 0;
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
		   load_share(&ram.load, ram.load.idle));
	put_figure(TARGET_TEXT("counts for reports in it: "), ram.busy[0].busy);
	put_figure(TARGET_TEXT("times the watchdog was fed: "), feeds);
	put_figure(TARGET_TEXT("heartbeats: "), beats);
	put_figure(TARGET_TEXT("reports: "), reports);
	put_figure(TARGET_TEXT("presses: "), presses);
	put_figure(TARGET_TEXT("edges: "), edges);
	target_exit(!is_as_expected(drift));
}

/*
 * The day is over when all that is due with the last report is done. On AVR,
 * that is more: a line takes ticks.
 */
static void idle(uint32_t ticks)
{
	if (reports == LASTS / MINUTE)
		finish();
	if (ram.is_cut)
		return;
	load_sleep(&ram.load, sleep_deep, ticks);
}

/* All are made; some are printed. */
static void make_report(uint32_t when)
{
	follow_clock();
	ram.reports.fed = true;
	load_next(&ram.load);
	if (++reports <= 3 || reports % (LASTS / MINUTE / 6) == 0) {
		put_time(when);
		target_puts("report ");
		target_put_number(reports);
		target_puts(": ");
		target_put_number(beats);
		target_puts(" heartbeats, ");
		target_put_number(dozes + stops);
		target_puts(" wake-ups\n");
	}
}

static void report(struct jif_task *task)
{
	int err;

	JIF_TASK_BEGIN(task, &ram.reporting);
	for (;;) {
		JIF_RECEIVE(&ram.log, &ram.message, JIF_FOREVER, err);
		if (err)
			continue;
		if (!ram.message.what) {
			make_report(ram.message.when);
			continue;
		}
		put_time(ram.message.when);
		target_put_text(ram.message.what);
		target_puts("\n");
	}
	JIF_TASK_END;
}

static void feed(void)
{
	feeds++;
}

static void tell_who_is_late(const struct watch *watch)
{
	target_put_text(watch->name);
	target_puts(" is late\n");
}

static void cut_power(struct jif_timer *timer)
{
	ram.is_cut = true;
}

static void init(void)
{
	jif_queue_init(&ram.log, ram.storage, sizeof(struct message), MESSAGES);
	jif_flags_init(&ram.signals);
	jif_await_init(&ram.pressing);
	jif_await_init(&ram.reporting);
	jif_wheel_init(&ram.wheel, jif_now());
	jif_timer_init(&ram.cut, cut_power);
	jif_periodic_init(&ram.heartbeat, beat, JIF_CATCHUP_EACH);
	jif_periodic_init(&ram.minutely, ask_for_report, JIF_CATCHUP_EACH);
	jif_periodic_init(&ram.half_day, do_half_day, JIF_CATCHUP_EACH);
	jif_periodic_init(&ram.weekly, do_weekly, JIF_CATCHUP_EACH);
	jif_periodic_init(&ram.finger, press, JIF_CATCHUP_SKIP);
	jif_periodic_init(&ram.dog.period, watchdog_look, JIF_CATCHUP_SKIP);
	ram.is_cut = false;
}

/* The first time that it has power. */
static void start_timers(void)
{
	struct jif_wheel *wheel = &ram.wheel;

	(void)!jif_periodic_start(wheel, &ram.heartbeat, SECOND, SECOND,
				  JIF_FOREVER);
	(void)!jif_periodic_start(wheel, &ram.minutely, MINUTE, MINUTE,
				  JIF_FOREVER);
	(void)!jif_periodic_start(wheel, &ram.half_day, LASTS / 2, LASTS / 2,
				  JIF_FOREVER);
	(void)!jif_periodic_start(wheel, &ram.weekly, LASTS / 4 * 3, WEEK,
				  JIF_FOREVER);
	(void)!jif_periodic_start(wheel, &ram.finger, MS(3217), MS(7131),
				  PRESSES);
	(void)!jif_timer_add(wheel, &ram.cut, start + CUT_AT);
}

static void start_tasks(void)
{
	power_init(&ram.power, modes, sizeof(modes) / sizeof(*modes));
	jif_sched_init(&ram.sched, &ram.wheel, idle, target_clock);
	jif_task_init(&ram.sched, &ram.reporter, report, 1, 0);
	jif_task_init(&ram.sched, &ram.button, watch_button, 0, 0);
	jif_task_wake(&ram.reporter);
	jif_task_wake(&ram.button);
	ram.busy[0] = (struct load_task){ .task = &ram.reporter };
	ram.busy[1] = (struct load_task){ .task = &ram.button };
	ram.load = (struct load){
		.clock = target_clock,
		.tasks = ram.busy,
		.ntasks = 2,
	};
	load_next(&ram.load);
	ram.reports = (struct watch){
		.name = TARGET_TEXT("report"),
		.most = MINUTE / FEED_EVERY,
	};
	ram.beats = (struct watch){
		.next = &ram.reports,
		.name = TARGET_TEXT("heartbeat"),
		.most = 0,
	};
	ram.dog.watches = &ram.beats;
	ram.dog.feed = feed;
	ram.dog.late = tell_who_is_late;
	(void)!watchdog_start(&ram.dog, &ram.wheel, FEED_EVERY);
}

/* The machine sleeps without memory, and its counter of ticks goes on. */
static void lose_power(void)
{
	uint32_t on = jif_now() + OFF_FOR;

	follow_clock();
	if (jif_snapshot_save(&snapshot, kept, sizeof(kept), jif_now(),
			      clock_ticks) < 0)
		target_puts("nothing is kept\n");
	while (jif_time_before(jif_now(), on)) {
		jif_irq_t flags = jif_irq_save();

		jif_port_idle(on - jif_now());
		jif_irq_restore(flags);
	}
	memset(&ram, 0xa5, sizeof(ram));
	init();
	follow_clock();
	if (jif_snapshot_restore(&snapshot, kept, sizeof(kept), jif_now(),
				 clock_ticks) != 4)
		target_puts("not all is back\n");
	start_tasks();
	say_of(jif_now(), TARGET_TEXT("power is back"));
}

void jif_panic(const char *why)
{
	target_puts("panic\n");
	target_exit(1);
}

int main(void)
{
	jif_irq_t flags;

	target_irq = edge;
	jif_port_start();
	flags = jif_irq_save();
	jif_port_idle(1);
	jif_irq_restore(flags);
	start = jif_now();
	clock_last = target_clock();
	init();
	start_timers();
	start_tasks();
	for (;;) {
		jif_sched_run(&ram.sched);
		if (ram.is_cut)
			lose_power();
	}
}
