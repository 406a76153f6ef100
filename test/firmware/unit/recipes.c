/* SPDX-License-Identifier: MIT */
/* The files of docs/examples/firmware that products take */
#include <jif/port.h>

#include "../../../docs/examples/firmware/load.h"
#include "../../../docs/examples/firmware/power.h"
#include "../../../docs/examples/firmware/watch.h"
#include "../../wheel/unit/unit.h"

/* The watchdog, on a wheel whose time is a HAL's counter. */

static uint32_t hal;
static unsigned feeds, reports;
static const struct watch *last;

static uint32_t hal_time(const struct jif_wheel *unused)
{
	return hal;
}

static void feed(void)
{
	feeds++;
}

static void report(const struct watch *who)
{
	reports++;
	last = who;
}

static struct watch slow = { .name = "slow", .most = 2 };
static struct watch quick = { .next = &slow, .name = "quick" };
static struct watchdog dog = {
	.watches = &quick,
	.feed = feed,
	.late = report,
};

static void init_dog(void)
{
	unit_init();
	hal = 5000;
	feeds = reports = 0;
	last = NULL;
	quick.fed = slow.fed = false;
	jif_wheel_init_time(&wheel, hal_time);
	jif_periodic_init(&dog.period, watchdog_look, JIF_CATCHUP_SKIP);
	cr_assert_eq(watchdog_start(&dog, &wheel, 100), 0);
	cr_assert_eq(feeds, 1);
}

TestSuite(watchdog, .init = init_dog);

static void pass(uint32_t ticks)
{
	while (ticks--) {
		hal++;
		jif_wheel_poll(&wheel);
	}
}

static void stay_alive(unsigned periods)
{
	while (periods--) {
		pass(50);
		quick.fed = true;
		slow.fed = true;
		pass(50);
	}
}

Test(watchdog, is_fed_once_a_period_while_all_are_alive)
{
	stay_alive(600);
	cr_assert_eq(feeds, 601);
	cr_assert_eq(reports, 0);
}

Test(watchdog, is_not_fed_while_one_is_silent_and_names_it)
{
	pass(100);
	cr_assert_eq(feeds, 1);
	cr_assert_eq(reports, 1);
	cr_assert_eq(last, &quick);
	stay_alive(1);
	cr_assert_eq(feeds, 2);
	cr_assert_eq(reports, 1);
}

Test(watchdog, lets_each_be_silent_for_as_many_periods_as_it_may)
{
	for (unsigned i = 0; i < 3; i++) {
		quick.fed = true;
		pass(100);
	}
	cr_assert_eq(feeds, 3);
	cr_assert_eq(reports, 1);
	cr_assert_eq(last, &slow);
}

Test(watchdog, that_nobody_feeds_reports_for_ever)
{
	pass(60000);
	cr_assert_eq(feeds, 1);
	cr_assert_eq(reports, 600 + 598);
}

Test(watchdog, stopped_for_an_hour_and_started_reports_nobody)
{
	stay_alive(10);
	cr_assert(jif_periodic_stop(&dog.period));
	pass(3600000);
	cr_assert_eq(feeds, 11);
	cr_assert_eq(watchdog_start(&dog, &wheel, 100), 0);
	stay_alive(10);
	cr_assert_eq(reports, 0);
	cr_assert_eq(feeds, 22);
}

Test(watchdog, takes_a_stall_for_one_period)
{
	slow.fed = quick.fed = true;
	hal += 1000;
	jif_wheel_poll(&wheel);
	cr_assert_eq(reports, 0);
	cr_assert_eq(feeds, 2);
}

/* The load. A jiffy is a hundred counts. */

static struct jif_sched sched;
static struct jif_task tasks[2];
static struct load_task entries[2] = { { .task = &tasks[0] },
				       { .task = &tasks[1] } };
static uint32_t counts;

static uint32_t clock_counts(void)
{
	return counts + 100 * jif_now();
}

static struct load load = {
	.clock = clock_counts,
	.tasks = entries,
	.ntasks = 2,
};

static void run_task(struct jif_task *task)
{
	counts += task == &tasks[0] ? 300 : 50;
}

static bool is_over(void)
{
	return tasks[0].record.runs == 2 && tasks[1].record.runs == 1;
}

static void idle(uint32_t ticks)
{
	if (!is_over())
		load_sleep(&load, jif_port_idle, ticks);
}

static void init_load(void)
{
	unit_init();
	set_jiffies(0);
	counts = UINT32_MAX - 100 * START - 120; /* it wraps on the way */
	jif_sched_init(&sched, &wheel, idle, clock_counts);
	for (unsigned i = 0; i < 2; i++)
		jif_task_init(&sched, &tasks[i], run_task, 1, 0);
	load_next(&load);
}

TestSuite(load, .init = init_load);

/* Task 0 twice, task 1 once, 10 jiffies asleep, 50 counts for others. */
Test(load, tells_the_idle_part_and_that_of_each_task)
{
	(void)!jif_task_start(&tasks[0], 4, 5);
	jif_task_sleep(&tasks[1], 9);
	while (!is_over())
		jif_sched_run(&sched);
	jif_task_stop(&tasks[0]);
	counts += 50;
	load_next(&load);
	cr_assert_eq(entries[0].busy, 600);
	cr_assert_eq(entries[1].busy, 50);
	cr_assert_eq(load.idle, 1000);
	cr_assert_eq(load.span, 1700);
	cr_assert_eq(load_share(&load, load.idle), 588);
	cr_assert_eq(load_share(&load, entries[0].busy), 352);
	load_next(&load);
	cr_assert_eq(load_share(&load, 0), 0);
	counts += UINT32_C(4000000000);
	load_next(&load);
	cr_assert_eq(entries[0].busy, 0);
	cr_assert_eq(load_share(&load, 3000000000), 750);
}

/* The modes of sleep. */

static unsigned slept_in;
static uint32_t slept;

static void doze(uint32_t ticks)
{
	slept_in = 0;
	slept = ticks;
}

static void stop(uint32_t ticks)
{
	slept_in = 1;
	slept = ticks;
}

static void standby(uint32_t ticks)
{
	slept_in = 2;
	slept = ticks;
}

static const struct power_mode modes[] = {
	{ doze, 0, 0 },
	{ stop, 10, 2 },
	{ standby, 1000, 50 },
};
static struct power power;

static void init_power(void)
{
	power_init(&power, modes, 3);
}

TestSuite(power, .init = init_power);

static void expect_sleep(uint32_t ticks, unsigned mode, uint32_t want)
{
	power_sleep(&power, ticks);
	cr_expect_eq(slept_in, mode, "%u ticks in mode %u", ticks, slept_in);
	cr_expect_eq(slept, want, "%u ticks: %u", ticks, slept);
}

Test(power, mode_is_the_deepest_that_is_worth_it)
{
	expect_sleep(1, 0, 1);
	expect_sleep(9, 0, 9);
	expect_sleep(10, 1, 8);
	expect_sleep(999, 1, 997);
	expect_sleep(1000, 2, 950);
	expect_sleep(UINT32_C(0x40000000), 2, UINT32_C(0x40000000) - 50);
}

Test(power, limits_of_all_drivers_hold)
{
	power_limit(&power, 3, 1);
	expect_sleep(5000, 1, 4998);
	power_limit(&power, 0, 0);
	expect_sleep(5000, 0, 5000);
	power_limit(&power, 3, 2);
	expect_sleep(5000, 0, 5000);
	power_limit(&power, 0, 2);
	expect_sleep(5000, 2, 4950);
}
