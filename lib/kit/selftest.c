/* SPDX-License-Identifier: MIT */
/*
 * lib/kit/selftest.c - is the port right on this board?
 *
 * Two clocks may differ by a percent: first, counts in a tick are measured.
 */
#include <jif/jiffies.h>
#include <jif/kit/selftest.h>

#include "../port/jif_port.h"

/*
 * How many ticks are measured: awake, a power of two; then in each longer sleep
 * that was right, up to what a product of two has 32 bits for.
 */
#define MEASURED     64u
#define MEASURED_MAX 0x8000u

/* What the handler does. */
enum { NOTE, PEND_AGAIN, ARM };

/* By how much it is off, in either direction. */
static uint32_t distance(uint32_t off)
{
	return off > JIF_DELAY_MAX ? -off : off;
}

static void found(struct jif_selftest *test, unsigned code, uint32_t off)
{
	uint32_t bit = UINT32_C(1) << code;

	if (!(test->found & bit) && test->report)
		test->report((enum jif_selftest_code)code, distance(off));
	test->found |= bit;
}

static uint32_t since(const struct jif_selftest *test, uint32_t from)
{
	return test->clock() - from;
}

/* The counts in that many ticks. */
static uint32_t counts_in(const struct jif_selftest *test, uint32_t ticks)
{
	return ticks * (test->span / test->measured) +
	       ticks * (test->span % test->measured) / test->measured;
}

/* An eighth of a tick. */
static uint32_t margin(const struct jif_selftest *test)
{
	return test->span / (8 * test->measured);
}

/*
 * By how much a look at the clock may be off: a quarter of a tick, and more.
 * So may the span that was measured, and as often as that is in @ticks.
 */
static uint32_t slack(const struct jif_selftest *test, uint32_t ticks)
{
	return 2 * margin(test) +
	       (test->jitter + 1) * (1 + distance(ticks) / test->measured);
}

static void spend(const struct jif_selftest *test, uint32_t counts)
{
	uint32_t from = test->clock();

	while (since(test, from) < counts)
		;
}

/* Lets a handler come that is due. */
static void settle(const struct jif_selftest *test)
{
	spend(test, margin(test));
}

static void start_timer(struct jif_selftest *test)
{
	test->at = test->clock();
	(void)!jif_timer_mod_in(test->wheel, &test->timer, test->delay);
}

void jif_selftest_irq(struct jif_selftest *test)
{
	jif_irq_t flags;
	uint8_t action = test->action;

	test->action = NOTE;
	test->handled++;
	test->in_irq = jif_in_irq();
	if (action == PEND_AGAIN) {
		flags = jif_irq_save();
		test->pend(0);
		jif_irq_restore(flags);
		settle(test);
		if (test->handled > 1)
			test->fired = true;
	} else if (action == ARM) {
		start_timer(test);
	} else {
		test->seen = jif_now();
		test->at = test->clock();
	}
}

/* --- locks ---------------------------------------------------------------- */

/* Requests the handler, and returns whether it has come. */
static bool comes(struct jif_selftest *test)
{
	test->handled = 0;
	test->pend(0);
	settle(test);
	return test->handled;
}

static void try_window(struct jif_selftest *test)
{
	jif_irq_t flags = jif_irq_save();

	comes(test);
	flags = jif_irq_window(flags);
	if (!test->handled || comes(test))
		found(test, JIF_SELFTEST_WINDOW, 0);
	jif_irq_restore(flags);
	settle(test);
}

static void try_handler(struct jif_selftest *test)
{
	test->action = PEND_AGAIN;
	test->fired = false;
	comes(test);
	settle(test);
	if (test->fired)
		found(test, JIF_SELFTEST_HANDLER, 0);
	if (!test->in_irq || jif_in_irq())
		found(test, JIF_SELFTEST_IN_IRQ, 0);
}

static bool try_locks(struct jif_selftest *test)
{
	jif_irq_t outer, inner;

	if (!comes(test)) {
		found(test, JIF_SELFTEST_NO_IRQ, 0);
		return false;
	}
	outer = jif_irq_save();
	if (comes(test))
		found(test, JIF_SELFTEST_LOCK, 0);
	inner = jif_irq_save();
	jif_irq_restore(inner);
	settle(test);
	if (test->handled || comes(test))
		found(test, JIF_SELFTEST_NESTED, 0);
	jif_irq_restore(outer);
	settle(test);
	if (!test->handled) {
		found(test, JIF_SELFTEST_SHUT, 0);
		return false;
	}
	try_window(test);
	try_handler(test);
	return true;
}

/* --- time ----------------------------------------------------------------- */

/* Waits until jif_now() is @ticks after @from; returns the clock. */
static uint32_t await(struct jif_selftest *test, uint32_t from, uint32_t ticks)
{
	uint32_t most = counts_in(test, 2 * ticks + 4);
	uint32_t now, clock = test->clock(), before = jif_now() - from;

	for (;;) {
		now = jif_now() - from;
		if (now - before > JIF_DELAY_MAX)
			found(test, JIF_SELFTEST_BACK, before - now);
		if (now - ticks <= JIF_DELAY_MAX)
			return test->clock();
		if (since(test, clock) > most) {
			found(test, JIF_SELFTEST_STOPS, now);
			return test->clock();
		}
		before = now;
	}
}

/* Begins at a tick. */
static void align(struct jif_selftest *test)
{
	test->from = await(test, jif_now(), 1);
	test->begin = jif_now();
}

/* Was jif_now() right at @clock, when it was @now? At a tick, both are. */
static void compare(struct jif_selftest *test, unsigned code, uint32_t now,
		    uint32_t clock)
{
	uint32_t ticks = now - test->begin, less = slack(test, ticks);
	uint32_t off = clock - test->from - counts_in(test, ticks);

	if (off + less >= counts_in(test, 1) + 2 * less)
		found(test, code, off);
}

/* The same at the next tick, which is the beginning of what follows. */
static void compare_tick(struct jif_selftest *test, unsigned code)
{
	uint32_t ticks, less, off, from = test->from, begin = test->begin;

	align(test);
	ticks = test->begin - begin;
	less = slack(test, ticks);
	off = test->from - from - counts_in(test, ticks);
	if (off + less > 2 * less)
		found(test, code, off);
	else if (ticks > test->measured && ticks <= MEASURED_MAX) {
		test->span = test->from - from;
		test->measured = ticks;
	}
}

/* Each tick is where those that were measured say. */
static void try_jitter(struct jif_selftest *test)
{
	uint32_t off;

	for (uint32_t i = 1; i <= MEASURED; i++) {
		off = await(test, test->begin, i) - test->from;
		off = distance(off - counts_in(test, i));
		if (off > test->jitter)
			test->jitter = off;
	}
	if (test->jitter > margin(test) + 1)
		found(test, JIF_SELFTEST_JITTER, test->jitter);
}

static bool try_time(struct jif_selftest *test)
{
	uint32_t span, nominal = test->span, less = nominal / 32;

	align(test);
	if (test->found & UINT32_C(1) << JIF_SELFTEST_STOPS)
		return false;
	span = await(test, test->begin, MEASURED) - test->from;
	if (span + less - nominal > 2 * less)
		found(test, JIF_SELFTEST_RATE, span / MEASURED);
	test->span = span;
	align(test);
	try_jitter(test);
	return true;
}

/* Up to seven eighths of a tick: what each port allows. */
static void try_masked(struct jif_selftest *test)
{
	jif_irq_t flags;

	align(test);
	for (unsigned i = 1; i < 8; i++) {
		spend(test, counts_in(test, i) / 8);
		flags = jif_irq_save();
		spend(test, margin(test) * 7);
		jif_irq_restore(flags);
		compare_tick(test, JIF_SELFTEST_LOST);
	}
}

/* --- sleeps --------------------------------------------------------------- */

/* Sleeps unless the handler has come. */
static void sleep_unless_handled(struct jif_selftest *test, uint32_t ticks)
{
	jif_irq_t flags = jif_irq_save();

	if (!test->handled)
		test->idle(ticks);
	jif_irq_restore(flags);
}

static void try_sleep(struct jif_selftest *test, uint32_t ticks)
{
	uint32_t most = ticks / (CONFIG_JIF_TICKLESS ? 2 : 1) + 3;
	uint32_t wake_ups = 0, now = 0;

	align(test);
	test->handled = 0;
	do {
		sleep_unless_handled(test, ticks - now);
		wake_ups++;
		now = jif_now() - test->begin;
		compare(test, JIF_SELFTEST_SLEEP, jif_now(), test->clock());
	} while (now < ticks &&
		 since(test, test->from) < counts_in(test, ticks + 4));
	if (now != ticks)
		found(test, JIF_SELFTEST_OVERSLEPT, now - ticks);
	if (wake_ups > most)
		found(test, JIF_SELFTEST_BUSY, wake_ups);
	compare_tick(test, JIF_SELFTEST_SLEEP);
}

/* What comes right before a sleep, or as it begins, ends it. */
static void try_wake_up(struct jif_selftest *test, uint32_t counts)
{
	jif_irq_t flags;
	uint32_t lasted;
	uint8_t handled;

	align(test);
	test->handled = 0;
	flags = jif_irq_save();
	test->pend(counts);
	test->idle(20);
	lasted = since(test, test->from);
	handled = test->handled;
	test->pend(0);
	settle(test);
	if (test->handled != handled)
		found(test, JIF_SELFTEST_OPEN, 0);
	jif_irq_restore(flags);
	settle(test);
	if (lasted > 4 * margin(test))
		found(test, JIF_SELFTEST_WAKE_UP, lasted);
}

/* A handler ends a sleep of @ticks somewhere in its middle. */
static void try_cut(struct jif_selftest *test, uint32_t counts, uint32_t ticks)
{
	uint32_t from = test->clock();

	test->handled = 0;
	test->pend(counts);
	while (!test->handled && since(test, from) < 2 * counts)
		sleep_unless_handled(test, ticks);
	if (since(test, from) - counts > 4 * margin(test))
		found(test, JIF_SELFTEST_WAKE_UP, since(test, from));
	if (test->handled)
		compare(test, JIF_SELFTEST_SEEN, test->seen, test->at);
	from = jif_now();
	compare(test, JIF_SELFTEST_SLEEP, from, test->clock());
}

/* The shortest sleep before a tick: what is set for that may be too late. */
static void try_edge(struct jif_selftest *test, uint32_t counts, uint32_t ticks)
{
	uint32_t lasted;

	align(test);
	test->handled = 0;
	spend(test, counts);
	sleep_unless_handled(test, ticks);
	lasted = jif_now() - test->begin;
	if (lasted > ticks + 1)
		found(test, JIF_SELFTEST_OVERSLEPT, lasted - ticks);
	compare_tick(test, JIF_SELFTEST_SLEEP);
}

/* A sleep begins, or is ended, right before a tick, or right after it. */
static void try_edges(struct jif_selftest *test, uint32_t tick)
{
	uint32_t counts;

	for (uint32_t i = 0; i < 64; i++) {
		counts = tick - tick / 43 - 4 + i * (tick / 32 + 8) / 64;
		try_edge(test, counts, 3);
		try_edge(test, counts, 1);
		try_cut(test, 2 * tick + counts, 9);
		compare_tick(test, JIF_SELFTEST_SLEEP);
	}
}

static void try_sleeps(struct jif_selftest *test)
{
	uint32_t tick = counts_in(test, 1);

	for (uint32_t i = 0; i < 16; i++)
		try_wake_up(test, i * tick / 256);
	for (uint32_t ticks = 1; ticks < 16; ticks = 2 * ticks + 1)
		try_sleep(test, ticks);
	for (uint32_t ticks = MEASURED; ticks < test->longest / 2; ticks *= 2)
		try_sleep(test, ticks);
	try_sleep(test, test->longest);
	for (uint32_t i = 0; i < 16; i++)
		try_cut(test, tick * (3 + 7 * i) / 16,
			i % 2 ? i : test->longest);
	try_edges(test, tick);
	compare_tick(test, JIF_SELFTEST_SLEEP);
}

/* --- timers --------------------------------------------------------------- */

static void on_timer(struct jif_timer *timer)
{
	struct jif_selftest *test =
		jif_container_of(timer, struct jif_selftest, timer);

	test->seen = test->clock();
	test->fired = true;
}

/* A main loop that runs the wheel, and sleeps if it can. */
static void run_wheel(struct jif_selftest *test, uint32_t most)
{
	uint32_t when, from = test->clock();
	jif_irq_t flags;

	while (!test->fired && since(test, from) < most) {
		jif_wheel_run(test->wheel, jif_now());
		flags = jif_irq_save();
		if (!jif_wheel_next_stop(test->wheel, &when))
			when = jif_now() + 20;
		when -= jif_now();
		if (test->idle && !test->fired && when - 1 < JIF_DELAY_MAX)
			test->idle(when);
		jif_irq_restore(flags);
	}
}

/* @code: EARLY, or IRQ_EARLY; that of a late one comes next. */
static void try_timer(struct jif_selftest *test, unsigned code, uint32_t delay)
{
	uint32_t less = slack(test, delay) - margin(test);
	uint32_t lasted, least = counts_in(test, delay);

	test->delay = delay;
	test->fired = false;
	if (code == JIF_SELFTEST_EARLY) {
		start_timer(test);
	} else {
		test->action = ARM;
		test->pend(least / 3);
	}
	run_wheel(test, 2 * counts_in(test, delay + 2));
	lasted = (test->fired ? test->seen : test->clock()) - test->at;
	if (!test->fired || lasted > counts_in(test, delay + 1) + 2 * less)
		found(test, code + 1, lasted - least);
	else if (lasted + less < least)
		found(test, code, least - lasted);
	jif_timer_del(test->wheel, &test->timer);
}

uint32_t jif_selftest_run(struct jif_selftest *test)
{
	uint32_t from = test->clock();
	uint16_t looks = UINT16_MAX;

	test->found = 0;
	test->jitter = 0;
	test->action = NOTE;
	test->span =
		MEASURED * (test->clock_hz / CONFIG_JIF_HZ) +
		MEASURED * (test->clock_hz % CONFIG_JIF_HZ) / CONFIG_JIF_HZ;
	test->measured = MEASURED;
	while (!since(test, from) && --looks)
		;
	if (!looks)
		found(test, JIF_SELFTEST_CLOCK, 0);
	if (!looks || !try_locks(test) || !try_time(test))
		return test->found;
	try_masked(test);
	if (test->idle)
		try_sleeps(test);
	jif_wheel_init(test->wheel, jif_now());
	jif_timer_init(&test->timer, on_timer);
	for (uint32_t delay = 1; delay < 16; delay += delay + 1) {
		try_timer(test, JIF_SELFTEST_EARLY, delay);
		try_timer(test, JIF_SELFTEST_IRQ_EARLY, delay);
	}
	return test->found;
}
