/* SPDX-License-Identifier: MIT */
/*
 * The self-test finds each fault of a port by its code: the hooks that it is
 * given play a board, and one fault of it.
 */
#include <criterion/criterion.h>
#include <jif/jiffies.h>
#include <jif/kit/selftest.h>
#include <jif/kit/sim.h>
#include <jif/port.h>

#define TICK	   64u
#define NONE	   99u
#define LATE_MATCH 98u

static struct jif_selftest selftest;
static struct jif_wheel wheel;
static unsigned fault, first, told;
static uint32_t counts, next_tick, due, ticks, waiting;
static unsigned pends, longer;
static uint32_t largest;
static bool requested, slept, handling, by_handler;

static bool has_timer(void)
{
	uint32_t when;

	return jif_wheel_next_stop(&wheel, &when);
}

static void handle(void)
{
	bool had = has_timer();

	requested = false;
	if (fault == JIF_SELFTEST_IN_IRQ)
		jif_sim.in_irq = false;
	handling = true;
	jif_selftest_irq(&selftest);
	handling = false;
	by_handler |= !had && has_timer();
}

/* Whatever interrupts are. */
static void force(void)
{
	unsigned off = jif_sim.off;

	jif_sim.off = 0;
	handle();
	jif_sim.off = off;
}

static void interrupts(void)
{
	jif_ticks(waiting);
	waiting = 0;
	if (fault == JIF_SELFTEST_SHUT && pends > 1)
		return;
	if (fault == JIF_SELFTEST_WINDOW && pends == 4)
		return;
	while (requested)
		handle();
}

/* How much jif_now() goes on at a tick. */
static uint32_t step(void)
{
	if (fault == JIF_SELFTEST_STOPS)
		return 0;
	if (fault == JIF_SELFTEST_BACK && ticks % 16 == 8)
		return UINT32_MAX;
	if (fault == JIF_SELFTEST_BACK && ticks % 16 == 9)
		return 3;
	if (fault == JIF_SELFTEST_LOST && jif_sim.off)
		return 0;
	return fault == JIF_SELFTEST_RATE ? 2 : 1;
}

/* A count passes; returns whether a tick ends. */
static bool pass(void)
{
	counts++;
	requested |= due && counts == due;
	if (counts != next_tick)
		return false;
	/* The clock's counts in a tick are no whole number. */
	next_tick += TICK + (longer && ticks % longer == 0);
	ticks++;
	return true;
}

static uint32_t clock_counts(void)
{
	if (fault == JIF_SELFTEST_CLOCK)
		return counts;
	by_handler &= has_timer();
	if (pass())
		waiting += step();
	if (fault != JIF_SELFTEST_JITTER || ticks != 100 ||
	    next_tick - counts < TICK / 2)
		jif_sim_irq();
	return counts;
}

static void pend(uint32_t in)
{
	bool shown = false;

	pends++;
	due = in ? counts + in : 0;
	if (in || fault == JIF_SELFTEST_NO_IRQ)
		return;
	requested = true;
	jif_sim.in_irq |= handling;
	shown |= fault == JIF_SELFTEST_LOCK && jif_sim.off;
	shown |= fault == JIF_SELFTEST_NESTED && pends == 3;
	shown |= fault == JIF_SELFTEST_HANDLER && jif_sim.in_irq;
	shown |= fault == JIF_SELFTEST_OPEN && slept;
	if (shown)
		force();
	jif_sim_irq();
	slept = false;
}

/* The sleep of a port that is right, with one that is deaf. */
static uint32_t doze(uint32_t most, bool deaf)
{
	uint32_t passed = waiting;

	waiting = 0;
	slept = true;
	while (passed < most && (deaf || !requested))
		passed += pass();
	return passed;
}

static uint32_t sleep_for(uint32_t most)
{
	bool early = fault == JIF_SELFTEST_EARLY && !by_handler;
	bool late = fault == JIF_SELFTEST_LATE && !by_handler;
	uint32_t passed;

	early |= fault == JIF_SELFTEST_IRQ_EARLY && by_handler;
	late |= fault == JIF_SELFTEST_IRQ_LATE && by_handler;
	if (has_timer() && early)
		return most;
	if (has_timer() && late)
		return doze(most + 3, true);
	if (fault == JIF_SELFTEST_BUSY)
		return pass();
	/* A match that is written when it has just passed. */
	if (fault == LATE_MATCH && most == 1 && next_tick - counts == 1)
		return doze(256, true);
	passed = doze(most + (fault == JIF_SELFTEST_OVERSLEPT),
		      fault == JIF_SELFTEST_WAKE_UP);
	if (fault == JIF_SELFTEST_SEEN && requested)
		force();
	return passed - (fault == JIF_SELFTEST_SLEEP && passed > 1);
}

static void report(enum jif_selftest_code code, uint32_t value)
{
	if (!told++)
		first = code;
	if (value > largest)
		largest = value;
}

static void start(unsigned planted, void (*idle)(uint32_t most))
{
	fault = planted;
	jif_sim = (struct jif_sim){ .irq = interrupts, .sleep = sleep_for };
	jif_wheel_init(&wheel, 0);
	counts = -1000u; /* it wraps on the way */
	next_tick = counts + TICK;
	first = NONE;
	selftest = (struct jif_selftest){
		.wheel = &wheel,
		.clock = clock_counts,
		.clock_hz = TICK * CONFIG_JIF_HZ,
		.pend = pend,
		.idle = idle,
		.longest = 100,
		.report = report,
	};
}

static uint32_t run(unsigned planted, void (*idle)(uint32_t most))
{
	start(planted, idle);
	return jif_selftest_run(&selftest);
}

Test(selftest, finds_nothing_on_a_port_that_is_right)
{
	cr_assert_eq(run(NONE, jif_port_idle), 0);
	cr_assert_eq(told, 0);
	cr_assert_leq(selftest.jitter, 4);
	cr_assert_gt(jif_sim.sleeps, 40);
}

/* What 64 ticks measure is a count off, which is many in a long sleep. */
Test(selftest, finds_nothing_in_a_sleep_that_is_long_beside_what_it_measures)
{
	static const uint32_t longest[] = { 2, 130, 2000, 18000, 70000 };

	for (longer = 2; longer < 8; longer++)
		for (unsigned i = 0; i < 5; i++) {
			start(NONE, jif_port_idle);
			selftest.longest = longest[i];
			cr_expect_eq(jif_selftest_run(&selftest), 0);
		}
}

Test(selftest, finds_a_tick_that_is_lost_in_a_long_sleep)
{
	start(JIF_SELFTEST_SLEEP, jif_port_idle);
	longer = 3;
	selftest.longest = 18000;
	cr_assert_eq(jif_selftest_run(&selftest) >> JIF_SELFTEST_SLEEP & 1, 1);
}

Test(selftest, finds_a_match_that_is_written_too_late)
{
	cr_assert_eq(run(LATE_MATCH, jif_port_idle),
		     UINT32_C(1) << JIF_SELFTEST_OVERSLEPT);
}

/* The largest distance is that of a wake-up that is lost for 20 ticks. */
Test(selftest, tells_by_how_much_in_either_direction)
{
	for (unsigned code = 0; code <= JIF_SELFTEST_IRQ_LATE; code++)
		run(code, jif_port_idle);
	cr_assert_eq(largest, 20 * TICK);
}

Test(selftest, does_without_sleeps)
{
	cr_assert_eq(run(NONE, NULL), 0);
	cr_assert_eq(jif_sim.sleeps, 0);
}

Test(selftest, returns_what_nobody_is_told)
{
	uint32_t found = run(JIF_SELFTEST_SLEEP, jif_port_idle);

	told = 0;
	start(JIF_SELFTEST_SLEEP, jif_port_idle);
	selftest.report = NULL;
	cr_assert_eq(jif_selftest_run(&selftest), found);
	cr_assert_eq(told, 0);
}

Test(selftest, tells_each_code_once)
{
	uint32_t found = run(JIF_SELFTEST_SLEEP, jif_port_idle);
	unsigned codes = 0;

	for (; found; found &= found - 1)
		codes++;
	cr_assert_eq(told, codes);
}

#define FINDS(name, code)                                                      \
	Test(selftest, finds_##name)                                           \
	{                                                                      \
		uint32_t found = run(JIF_SELFTEST_##code, jif_port_idle);      \
                                                                               \
		cr_assert(found >> JIF_SELFTEST_##code & 1);                   \
		cr_assert_eq(first, JIF_SELFTEST_##code);                      \
	}

FINDS(a_clock_that_stands, CLOCK)
FINDS(a_handler_that_never_comes, NO_IRQ)
FINDS(a_lock_that_does_not_lock, LOCK)
FINDS(interrupts_that_stay_off, SHUT)
FINDS(a_lock_that_does_not_nest, NESTED)
FINDS(a_window_that_lets_none_in, WINDOW)
FINDS(a_handler_that_is_interrupted, HANDLER)
FINDS(in_irq_that_is_wrong, IN_IRQ)
FINDS(time_that_stands, STOPS)
FINDS(time_that_goes_back, BACK)
FINDS(ticks_at_another_rate, RATE)
FINDS(a_tick_that_is_late, JITTER)
FINDS(ticks_that_are_lost, LOST)
FINDS(a_sleep_that_is_not_counted, SLEEP)
FINDS(a_handler_that_sees_old_time, SEEN)
FINDS(a_sleep_that_lasts_too_long, OVERSLEPT)
FINDS(a_lost_wake_up, WAKE_UP)
FINDS(a_sleep_that_opens_the_lock, OPEN)
FINDS(a_sleep_that_does_not_sleep, BUSY)
FINDS(a_timer_that_is_early, EARLY)
FINDS(a_timer_that_is_late, LATE)
FINDS(a_handlers_timer_that_is_early, IRQ_EARLY)
FINDS(a_handlers_timer_that_is_late, IRQ_LATE)
