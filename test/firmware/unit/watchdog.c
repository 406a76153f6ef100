/* SPDX-License-Identifier: MIT */
/* Fed while all promises are kept, and only then */
#include <jif/watchdog.h>

#include "../../wheel/unit/unit.h"

static struct jif_watchdog dog;
static struct jif_watch watches[3];
static unsigned feeds;

/* Who was late, by the letters of their names, and the last one's time. */
static char late[16];
static uint32_t late_since;

static void feed(void)
{
	feeds++;
}

static void report(const struct jif_watch *watch, uint32_t since)
{
	late[strlen(late)] = watch->name[0];
	late_since = since;
}

static void init(void)
{
	unit_init();
	memset(&dog, 0xa5, sizeof(dog));
	memset(watches, 0xa5, sizeof(watches));
	memset(late, 0, sizeof(late));
	feeds = 0;
	jif_ticks(START - jif_now());
	jif_watchdog_init(&dog, &wheel, feed, report);
	jif_watch_add(&dog, &watches[0], "alpha", 100);
	jif_watch_add(&dog, &watches[1], "beta", 250);
	cr_assert_eq(jif_watchdog_start(&dog, 100), 0);
	cr_assert_eq(feeds, 1);
}

TestSuite(watchdog, .init = init, .fini = unit_fini);

static void pass(uint32_t ticks)
{
	while (ticks--) {
		jif_tick();
		jif_wheel_run(&wheel, jif_now());
	}
}

/* In so many ticks, it has been fed so often. */
static void expect_feeds(uint32_t ticks, unsigned n)
{
	pass(ticks);
	cr_assert_eq(feeds, n, "%u", feeds);
}

Test(watchdog, is_fed_once_a_period_while_all_are_alive)
{
	for (unsigned i = 0; i < 20; i++) {
		pass(50);
		jif_watch_feed(&watches[0]);
		if (i % 5 == 4)
			jif_watch_feed(&watches[1]);
		cr_assert_eq(feeds, 1 + (i + 1) / 2);
	}
	cr_assert_str_empty(late);
}

Test(watchdog, is_not_fed_when_one_is_late_and_tells_which_one)
{
	for (unsigned i = 0; i < 3; i++) {
		pass(100);
		jif_watch_feed(&watches[0]);
	}
	cr_assert_eq(feeds, 3, "at once, and after 100 and 200");
	cr_assert_str_eq(late, "b");
	cr_assert_eq(late_since, 300);
	jif_watch_feed(&watches[1]);
	expect_feeds(100, 4);
	cr_assert_str_eq(late, "b");
}

Test(watchdog, tells_all_that_are_late)
{
	expect_feeds(300, 2);
	cr_assert_str_eq(late, "aba", "alpha after 200, and both after 300");
}

Test(watchdog, promise_of_a_window_is_kept_on_its_last_tick)
{
	expect_feeds(100, 2);
	jif_watch_feed(&watches[0]);
	expect_feeds(99, 2);
	expect_feeds(1, 3);
	cr_assert_str_empty(late);
}

Test(watchdog, promise_that_is_taken_back_binds_no_more)
{
	cr_assert(jif_watch_del(&dog, &watches[0]));
	cr_assert_not(jif_watch_del(&dog, &watches[0]));
	cr_assert_not(jif_watch_del(&dog, &watches[2]));
	expect_feeds(200, 3);
	cr_assert(jif_watch_del(&dog, &watches[1]));
	expect_feeds(1000, 13);
	cr_assert_str_empty(late);
}

Test(watchdog, late_promise_counts_from_when_it_was_given)
{
	pass(90);
	jif_watch_feed(&watches[0]);
	jif_watch_add(&dog, &watches[2], "gamma", 5);
	expect_feeds(10, 1);
	cr_assert_str_eq(late, "g");
	cr_assert_eq(late_since, 10);
}

Test(watchdog, one_that_nobody_feeds_stays_late_when_jiffies_wrap)
{
	cr_assert(jif_watch_del(&dog, &watches[1]));
	cr_assert_eq(jif_watchdog_start(&dog, LONGEST), 1);
	for (unsigned i = 1; i <= 5; i++) {
		jif_ticks(LONGEST);
		jif_wheel_run(&wheel, jif_now());
		cr_assert_eq(strlen(late), i);
		cr_assert_eq(late_since, i == 1 ? LONGEST : LONGEST + 1);
	}
	cr_assert_eq(feeds, 2, "as it was started, twice");
	jif_watch_feed(&watches[0]);
	cr_assert_eq(jif_watchdog_start(&dog, 100), 1);
	expect_feeds(100, 4);
}

Test(watchdog, window_that_is_too_long_is_refused)
{
	cr_assert_eq(jif_watch_add(&dog, &watches[2], "gamma", LONGEST + 1),
		     -JIF_ERANGE);
	cr_assert_not(jif_watch_del(&dog, &watches[2]));
	cr_assert_eq(jif_watch_add(&dog, &watches[2], "gamma", LONGEST), 0);
}

Test(watchdog, without_a_report_it_just_is_not_fed)
{
	jif_watchdog_stop(&dog);
	jif_watchdog_init(&dog, &wheel, feed, NULL);
	jif_watch_add(&dog, &watches[0], "alpha", 100);
	(void)!jif_watchdog_start(&dog, 100);
	pass(300);
	cr_assert_eq(feeds, 3, "twice at once, and after 100");
}

Test(watchdog, stops_and_starts_again)
{
	cr_assert(jif_watchdog_stop(&dog));
	cr_assert_not(jif_watchdog_stop(&dog));
	expect_feeds(500, 1);
	cr_assert_eq(jif_watchdog_start(&dog, 0), -JIF_EINVAL);
	cr_assert_eq(jif_watchdog_start(&dog, LONGEST + 1), -JIF_ERANGE);
	cr_assert_eq(jif_watchdog_start(&dog, LONGEST), 0);
	jif_watch_feed(&watches[0]);
	jif_watch_feed(&watches[1]);
	cr_assert_eq(jif_watchdog_start(&dog, 40), 1);
	expect_feeds(80, 5);
}

Test(watchdog, period_reaches_less_far_when_the_wheel_is_behind)
{
	jif_watchdog_stop(&dog);
	feeds = 0;
	if (CONFIG_JIF_DEBUG)
		jif_warn = unit_no_warning;
	jif_ticks(1000);
	cr_assert_eq(jif_watchdog_start(&dog, LONGEST - 999), -JIF_ERANGE);
	cr_assert_eq(feeds, 0);
	cr_assert_eq(jif_watchdog_start(&dog, LONGEST - 1000), 0);
	cr_assert_eq(jif_timer_expires(&wheel, &dog.timer), at(LONGEST));
	jif_wheel_run(&wheel, jif_now() + 1);
	cr_assert_eq(jif_watchdog_start(&dog, LONGEST), 1, "it is ahead");
	cr_assert_eq(jif_watchdog_start(&dog, LONGEST + 1), -JIF_ERANGE);
	if (CONFIG_JIF_DEBUG)
		jif_warn = NULL;
	jif_watchdog_stop(&dog);
}
