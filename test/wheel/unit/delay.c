/* SPDX-License-Identifier: MIT */
/*
 * test/wheel/unit/delay.c - a delay lasts at least as long as it says, by a
 * clock that is finer than the tick
 *
 * It has 1,000 counts to the tick, whatever the rate: each call is made at each
 * of them. What it makes expire comes after so many whole ticks, and within the
 * one after those.
 */
#include <jif/firmware/sched.h>
#include <jif/periodic.h>

#include "unit.h"

#define COUNTS UINT32_C(1000)

static struct jif_sched sched;
static struct jif_timer timer;
static struct jif_periodic periodic;
static struct jif_delayed_work dwork;
static struct jif_task task;
static struct jif_event event;

/* The fine clock, and what it showed when something expired. */
static uint64_t counts;
static uint64_t expired;

static void note_timer(struct jif_timer *t)
{
	expired = counts;
}

static void note_period(struct jif_periodic *p)
{
	expired = counts;
	jif_periodic_stop(p);
}

static void note_work(struct jif_work *work)
{
	expired = counts;
}

static void note_task(struct jif_task *t)
{
	expired = counts;
	jif_task_stop(t);
}

static int add_in(uint32_t delay)
{
	return jif_timer_add_in(&wheel, &timer, delay);
}

static int mod_in(uint32_t delay)
{
	return jif_timer_mod_in(&wheel, &timer, delay);
}

static int queue_delayed(uint32_t delay)
{
	return !jif_delayed_work_queue(&sched.work, &dwork, delay);
}

static int mod_delayed(uint32_t delay)
{
	return jif_delayed_work_mod(&sched.work, &dwork, delay);
}

static int sleep_for(uint32_t delay)
{
	return jif_task_sleep(&task, delay);
}

static int wait_for(uint32_t delay)
{
	return jif_task_wait(&task, &event, delay);
}

static int start_task(uint32_t delay)
{
	return jif_task_start(&task, delay, 100);
}

static const struct {
	const char *name;
	int (*call)(uint32_t delay);
} calls[] = {
	{ "jif_timer_add_in", add_in },
	{ "jif_timer_mod_in", mod_in },
	{ "jif_delayed_work_queue", queue_delayed },
	{ "jif_delayed_work_mod", mod_delayed },
	{ "jif_task_sleep", sleep_for },
	{ "jif_task_wait", wait_for },
	{ "jif_task_start", start_task },
};

#define CALLS (sizeof(calls) / sizeof(*calls))

static void init(void)
{
	unit_init();
	set_jiffies(0);
	counts = 0;
	jif_sched_init(&sched, &wheel, NULL, NULL);
	jif_timer_init(&timer, note_timer);
	jif_periodic_init(&periodic, note_period, JIF_CATCHUP_EACH);
	jif_delayed_work_init(&dwork, note_work, 0);
	jif_task_init(&sched, &task, note_task, 0, 0);
	jif_event_init(&event);
}

TestSuite(delay, .init = init, .fini = unit_fini);

static void pass(uint32_t ticks)
{
	counts = (counts / COUNTS + ticks) * COUNTS;
	jif_ticks(ticks);
	while (jif_sched_run(&sched))
		;
}

/* How long it lasts, in counts, of @ticks, begun at @phase. */
static uint64_t span_of(size_t call, uint32_t ticks, uint32_t phase)
{
	uint64_t begin;

	pass(1);
	counts += phase;
	begin = counts;
	expired = 0;
	cr_assert_eq(calls[call].call(ticks), 0, "%s", calls[call].name);
	if (ticks > 1)
		pass(ticks - 1);
	for (unsigned i = 0; i < 4 && !expired; i++)
		pass(1);
	cr_assert(expired, "%s never expires", calls[call].name);
	return expired - begin;
}

/* As they are called for the linker; see jiffies_rate.c. */
#define TO_JIFFIES(hz) jif_msecs_to_jiffies_with_CONFIG_JIF_HZ_##hz

uint32_t TO_JIFFIES(100)(uint32_t ms);
uint32_t TO_JIFFIES(10000)(uint32_t ms);
uint32_t TO_JIFFIES(32768)(uint32_t ms);

static const struct {
	uint32_t hz;
	uint32_t (*to_jiffies)(uint32_t ms);
} rates[] = {
	{ 100, TO_JIFFIES(100) },
	{ 1000, jif_msecs_to_jiffies },
	{ 10000, TO_JIFFIES(10000) },
	{ 32768, TO_JIFFIES(32768) },
};

/* A millisecond has as many counts as a second has ticks. */
Test(delay, of_milliseconds_is_never_early_and_a_tick_late_at_most)
{
	static const uint32_t delays[] = { 1, 10, 15, 33 };
	uint64_t span, ticks;

	for (size_t i = 0; i < 4 * 4 * CALLS * COUNTS; i++) {
		size_t call = i / COUNTS % CALLS;
		size_t rate = i / COUNTS / CALLS % 4;
		uint32_t ms = delays[i / COUNTS / CALLS / 4];
		uint32_t phase = (uint32_t)(i % COUNTS);

		ticks = rates[rate].to_jiffies(ms);
		span = span_of(call, (uint32_t)ticks, phase);
		cr_assert_geq(span, (uint64_t)ms * rates[rate].hz,
			      "%s, %u ms, %u Hz, count %u", calls[call].name,
			      ms, rates[rate].hz, phase);
		cr_assert_geq(span, ticks * COUNTS);
		cr_assert_leq(span, (ticks + 1) * COUNTS);
	}
}

/* Of work, at once. */
Test(delay, of_nothing_is_over_with_the_tick)
{
	for (size_t i = 0; i < CALLS * COUNTS; i++)
		cr_assert_eq(span_of(i / COUNTS, 0, (uint32_t)(i % COUNTS)),
			     COUNTS - i % COUNTS, "%s", calls[i / COUNTS].name);
}

/* What takes a time comes on that tick: n ticks may be almost one less. */
Test(delay, that_was_added_to_now_is_exact)
{
	for (uint32_t phase = 0; phase < COUNTS; phase++) {
		pass(1);
		counts += phase;
		cr_assert_eq(jif_timer_add(&wheel, &timer, jif_now() + 3), 0);
		expired = 0;
		pass(2);
		cr_assert_eq(expired, 0);
		pass(1);
		cr_assert_eq(expired, counts);
	}
}

static unsigned asked;

/* One that runs the wheel up to the tick that it tells. */
static uint32_t tell_and_run(const struct jif_wheel *of)
{
	static bool inside;
	uint32_t next = jif_wheel_clock(of) + 1;

	cr_assert_lt(++asked, 100, "it is asked without end");
	if (!inside) {
		inside = true;
		jif_wheel_run(&wheel, next);
		inside = false;
	}
	return next;
}

Test(delay, source_may_run_the_wheel)
{
	jif_timer_init(&timer, note_timer);
	jif_wheel_set_time(&wheel, tell_and_run);
	jif_periodic_init(&periodic, note_period, JIF_CATCHUP_SKIP);
	cr_assert_not(jif_timer_add_in(&wheel, &timer, 50));
	cr_expect_eq(jif_timer_expires(&wheel, &timer), at(now() + 51));
	cr_assert(jif_timer_mod_in(&wheel, &timer, 60));
	cr_expect_eq(jif_timer_expires(&wheel, &timer), at(now() + 61));
	cr_assert(jif_timer_pause(&wheel, &timer));
	cr_assert_not(jif_timer_resume(&wheel, &timer));
	cr_assert_not(jif_periodic_start(&wheel, &periodic, 70, 7, 1));
	cr_expect_eq(periodic.expires, at(now() + 70));
	cr_expect(jif_periodic_stop(&periodic));
}
