/* SPDX-License-Identifier: MIT */
/* Sleeping: on time, counted, and never past a wake-up */
#include "port.h"

static unsigned wakeups;

/* What a main loop does that has nothing to do for @ticks. */
static void sleep_until(uint32_t when)
{
	uint32_t now;
	jif_irq_t flags;

	for (;;) {
		flags = jif_irq_save();
		now = jif_now();
		if (jif_time_before(now, when))
			jif_port_idle(when - now);
		jif_irq_restore(flags);
		if (!jif_time_before(jif_now(), when))
			return;
		wakeups++;
	}
}

static void idle_init(void)
{
	port_init();
	wakeups = 0;
}

TestSuite(port_idle, .init = idle_init);

Test(port_idle, ends_on_the_tick_it_was_told)
{
	static const uint16_t spans[] = { 1,   2,   3,	 5,    10,   100, 671,
					  672, 673, 674, 1344, 1345, 2100 };
	uint32_t from = align();
	uint32_t begin = jif_now();
	uint32_t when = begin;

	for (unsigned i = 0; i < sizeof(spans) / sizeof(*spans); i++) {
		when += spans[i];
		sleep_until(when);
		cr_assert_eq(jif_now(), when);
		cr_assert_eq(ticks_since(from), when - begin);
		cr_assert_lt(off_grid(from), 100);
	}
}

Test(port_idle, lets_the_tick_stay_away)
{
	/* What TIMER1 of an AVR can tell; other timers can for longer. */
	uint32_t reach = 57344ul * CONFIG_JIF_AVR_PRESCALER /
			 (CONFIG_JIF_CLOCK_HZ / CONFIG_JIF_HZ);

	align();
	sleep_until(jif_now() + 200);
	if (CONFIG_JIF_TICKLESS)
		cr_assert_leq(wakeups, 3 + 200 / reach);
	else
		cr_assert_geq(wakeups, 199);
}

Test(port_idle, does_not_lose_a_wake_up_that_came_before_it)
{
	uint32_t begin;
	jif_irq_t flags;

	for (unsigned i = 0; i < 10; i++) {
		handled = 0;
		begin = align();
		flags = jif_irq_save();
		target_pend();
		jif_port_idle(i ? i * 50 : UINT32_MAX);
		jif_irq_restore(flags);
		cr_assert_leq(target_clock() - begin, per_tick() / 4);
		cr_assert_eq(handled, 1);
	}
}

Test(port_idle, does_not_lose_a_wake_up_that_comes_as_it_begins)
{
	uint32_t begin;
	jif_irq_t flags;

	for (uint32_t ns = 1000; ns < 60000; ns += 500) {
		handled = 0;
		begin = align();
		target_pend_after(ns);
		flags = jif_irq_save();
		if (!handled)
			jif_port_idle(400);
		jif_irq_restore(flags);
		wait_counts(per_tick() / 20);
		cr_assert_leq(target_clock() - begin, per_tick() / 3);
		cr_assert_eq(handled, 1);
	}
}

Test(port_idle, returns_with_interrupts_off)
{
	jif_irq_t flags = jif_irq_save();
	unsigned before, within;

	target_pend();
	jif_port_idle(100);
	before = handled;
	target_pend();
	within = handled - before;
	jif_irq_restore(flags);
	wait_counts(per_tick() / 100);
	cr_assert_eq(within, 0);
	cr_assert_gt(handled, before);
}

static volatile uint32_t woken_at;
static volatile uint32_t woken_clock;

static void note_time(void)
{
	handled++;
	woken_at = jif_now();
	woken_clock = target_clock();
}

/* True but for a moment around each tick, when both answers are right. */
static bool is_exact(uint32_t from, uint32_t clock, uint32_t ticks)
{
	uint32_t margin = per_tick() / 10;
	uint32_t low = (clock - from - margin) / per_tick();
	uint32_t high = (clock - from + margin) / per_tick();

	return low == ticks || high == ticks;
}

Test(port_idle, shows_right_jiffies_to_the_handler_that_ends_it)
{
	uint32_t from = align();
	uint32_t begin = jif_now();
	uint32_t ns = 300000;
	jif_irq_t flags;

	target_irq = note_time;
	for (unsigned i = 0; i < 1000; i++) {
		ns = (ns * 5 + 777777) % 40000000 + 200000;
		handled = 0;
		target_pend_after(ns);
		while (!handled) {
			flags = jif_irq_save();
			if (!handled)
				jif_port_idle(i % 5 ? i * 7 : UINT32_MAX);
			jif_irq_restore(flags);
		}
		cr_assert(is_exact(from, woken_clock, woken_at - begin));
		cr_assert(is_exact(from, target_clock(), jif_now() - begin));
	}
	align();
	cr_assert_eq(jif_now() - begin, ticks_since(from));
	cr_assert_lt(off_grid(from), 100, "nor do a thousand drift");
}

Test(port_idle, counts_a_tick_that_comes_as_it_begins)
{
	uint32_t from = align();
	uint32_t begin = jif_now();
	uint32_t phase = per_tick() - per_tick() / 50;

	for (; phase < per_tick() + per_tick() / 50;
	     phase += per_tick() / 400) {
		align();
		wait_counts(phase);
		sleep_until(jif_now() + 3);
		cr_assert(is_exact(from, target_clock(), jif_now() - begin));
	}
	align();
	cr_assert_eq(jif_now() - begin, ticks_since(from));
	cr_assert_lt(off_grid(from), 100);
}

#define CUTS 2000

/* For how long a sleep lasts until the other interrupt ends it. */
static uint32_t some_time(void)
{
	static uint32_t ns = 300000;

	ns = (ns * 5 + 777777) % 4000000;
	return ns + 200000;
}

static void sleep_until_handled(void)
{
	jif_irq_t flags;

	handled = 0;
	target_pend_after(some_time());
	while (!handled) {
		flags = jif_irq_save();
		if (!handled)
			jif_port_idle(500);
		jif_irq_restore(flags);
	}
}

/*
 * A count of the port's timer is let pass for each sleep, as an instruction of
 * an emulated machine is not a whole number of them. See test/port/host. For a
 * timer that is slower than the clock, one count of it has to do for them all.
 */
static uint32_t let_pass(void)
{
	if (CONFIG_JIF_CLOCK_HZ < target_clock_hz)
		return target_clock_hz / CONFIG_JIF_CLOCK_HZ;
	return CUTS / (CONFIG_JIF_CLOCK_HZ / target_clock_hz);
}

#define SEEN 32

/*
 * The clock's count at jiffy 0. align() sees a tick late, and how late depends
 * on what ran before: the least late of some ticks counts.
 */
static uint32_t clock_at_zero(void)
{
	uint32_t least = 0;
	uint32_t zero;

	for (unsigned i = 0; i < SEEN; i++) {
		zero = align();
		zero -= jif_now() * per_tick();
		if (i == 0 || jif_time_before(zero, least))
			least = zero;
	}
	return least;
}

Test(port_idle, does_not_drift_when_other_interrupts_end_it)
{
	uint32_t from = clock_at_zero();
	uint32_t begin = jif_now();
	uint32_t drift;

	for (unsigned i = 0; i < CUTS; i++)
		sleep_until_handled();
	drift = clock_at_zero() - from;
	drift = drift > UINT32_MAX / 2 ? -drift : drift;
	target_puts("# counts of drift: ");
	target_put_number(drift);
	target_puts(" in ");
	target_put_number(jif_now() - begin);
	target_puts(" ticks\n");
	cr_assert_leq(drift, let_pass() + per_tick() / 100);
}
