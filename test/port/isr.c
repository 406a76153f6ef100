/* SPDX-License-Identifier: MIT */
/*
 * test/port/isr.c - handlers that use the wheel, at any moment
 *
 * A sweep moves the other interrupt through everything the main loop does.
 */
#include "port.h"

#define TIMERS 10

/* The tick of the wheel's clock, which the tests move by hand. */
#define START UINT32_C(0xfffffff0)

static struct jif_timer timers[TIMERS];
static uint8_t ran[TIMERS];
static bool late;
static uint32_t due[TIMERS];
static volatile unsigned handler_deleted;

static void fire(struct jif_timer *timer)
{
	unsigned i = (unsigned)(timer - timers);

	ran[i]++;
	if (jif_wheel_clock(&wheel) != due[i])
		late = true;
}

static void isr_init(void)
{
	port_init();
	memset(&wheel, 0, sizeof(wheel)); /* a test may leave timers */
	jif_wheel_init(&wheel, START);
	for (unsigned i = 0; i < TIMERS; i++) {
		jif_timer_init(&timers[i], fire);
		ran[i] = 0;
	}
	late = false;
	handler_deleted = 0;
}

TestSuite(port_isr, .init = isr_init);

/* How long something takes, with no interrupt but the tick's. */
static uint32_t nanoseconds_of(void (*what)(void))
{
	uint32_t begin = target_clock();

	what();
	return (target_clock() - begin) * (1000000000 / target_clock_hz);
}

static void arm(unsigned i, uint32_t after)
{
	due[i] = START + after;
	jif_timer_mod(&wheel, &timers[i], due[i]);
}

static void arm_from_handler(void)
{
	arm(1, 70);
}

Test(port_isr, handler_arms)
{
	target_irq = arm_from_handler;
	target_pend();
	cr_assert_eq(jif_wheel_run(&wheel, START + 69), 0);
	cr_assert_eq(jif_wheel_run(&wheel, START + 70), 1);
	cr_assert_not(late);
}

static void del_from_handler(void)
{
	handler_deleted += jif_timer_del(&wheel, &timers[1]);
}

Test(port_isr, handler_deletes)
{
	arm(1, 70);
	target_irq = del_from_handler;
	target_pend();
	cr_assert_eq(handler_deleted, 1);
	cr_assert_eq(jif_wheel_run(&wheel, START + 70), 0);
}

/* Arms one, moves one and deletes one, of those that the main loop runs. */
static void interfere(void)
{
	uint32_t now = jif_wheel_clock(&wheel) - START;

	handled++;
	if (now < 90) {
		arm(TIMERS - 1, 95);
		if (jif_timer_pending(&timers[2]))
			arm(2, 93);
	}
	handler_deleted += jif_timer_del(&wheel, &timers[4]);
}

static void prepare(void)
{
	isr_init();
	target_irq = interfere;
	for (unsigned i = 0; i < 6; i++)
		arm(i, 90);
	arm(6, 61);
	arm(7, 120);
	arm(8, 3600);
	jif_wheel_run(&wheel, START + 58);
}

static void cascade_and_expire(void)
{
	jif_wheel_run(&wheel, START + 90);
}

static void sweep_one(uint32_t ns)
{
	prepare();
	target_pend_after(ns);
	cascade_and_expire();
	while (!handled)
		;
	jif_wheel_run(&wheel, START + 3600);
}

Test(port_isr, arms_moves_and_deletes_at_any_moment)
{
	unsigned before = 0, after = 0;
	uint32_t step;

	prepare();
	step = nanoseconds_of(cascade_and_expire) / 128;
	for (unsigned i = 0; i < 300 && after < 5; i++) {
		sweep_one(1000 + i * step);
		cr_assert_eq(handled, 1);
		cr_assert_not(late);
		cr_assert_eq(ran[4] + handler_deleted, 1, "not both");
		cr_assert_eq(jif_wheel_check(&wheel), 0);
		for (unsigned k = 0; k < TIMERS - 1; k++)
			cr_assert_eq(ran[k], k != 4 || !handler_deleted);
		before += handler_deleted;
		after += !handler_deleted;
	}
	cr_assert_geq(before, 40, "the sweep begins before the expiry");
	cr_assert_eq(after, 5, "and ends after it");
}

static void run_from_handler(void)
{
	handled++;
	jif_wheel_run(&wheel, START + 100);
}

static void arm_and_delete(void)
{
	for (unsigned i = 0; i < 6; i++)
		arm(i, 90 + i);
	for (unsigned i = 0; i < 6; i += 2)
		handler_deleted += jif_timer_del(&wheel, &timers[i]);
}

static void arm_hours_ahead(void)
{
	arm(0, 4000);
}

static void sweep_run(uint32_t ns, void (*what)(void))
{
	isr_init();
	target_irq = run_from_handler;
	target_pend_after(ns);
	what();
	while (!handled)
		;
}

Test(port_isr, runs_the_wheel_while_the_main_loop_arms_and_deletes)
{
	uint32_t step = nanoseconds_of(arm_and_delete) / 64;
	unsigned total;

	for (unsigned i = 0; i < 128; i++) {
		sweep_run(1000 + i * step, arm_and_delete);
		jif_wheel_run(&wheel, START + 200);
		total = handler_deleted;
		for (unsigned k = 0; k < 6; k++)
			total += ran[k];
		cr_assert_eq(total, 6, "each expires or is deleted, once");
		cr_assert_eq(jif_wheel_check(&wheel), 0);
	}
}

/* On an AVR, at each cycle: the place is looked for again. */
Test(port_isr, runs_the_wheel_at_any_moment_of_an_arming)
{
	for (uint32_t ns = 1000, end = 5000 + nanoseconds_of(arm_hours_ahead);
	     ns < end; ns += 40) {
		sweep_run(ns, arm_hours_ahead);
		jif_wheel_run(&wheel, START + 4000);
		cr_assert(ran[0] == 1 && !late);
	}
}
