/* SPDX-License-Identifier: MIT */
/*
 * test/port/nested.c - a handler that comes in the middle of another one, and
 * both of them use the wheel
 */
#include "port.h"

#define TIMERS 6
#define START  UINT32_C(0xfffffff0)

static struct jif_timer timers[TIMERS];
static unsigned ran[TIMERS];
static unsigned deleted[TIMERS];
static volatile unsigned depth;
static volatile unsigned nested;
static volatile bool right_depth;

static void fire(struct jif_timer *timer)
{
	ran[timer - timers]++;
}

static void arm(unsigned i)
{
	jif_timer_mod(&wheel, &timers[i], START + 90 + i);
}

static void del(unsigned i)
{
	deleted[i] += jif_timer_del(&wheel, &timers[i]);
}

/* The one that is interrupted. */
static void arm_and_delete(void)
{
	for (unsigned i = 0; i < TIMERS - 1; i++)
		arm(i);
	for (unsigned i = 0; i < TIMERS - 1; i += 2)
		del(i);
	right_depth &= jif_in_irq();
}

/* The one that interrupts it. */
static void arm_another(void)
{
	nested += depth > 1;
	del(1);
	arm(TIMERS - 1);
}

static volatile bool outer, outer_done, inner_done;

/* Whichever comes first is the outer one; they may also come in turn. */
static void handle(void)
{
	depth++;
	if (!outer) {
		outer = true;
		target_let_in(arm_and_delete);
		outer_done = true;
	} else {
		arm_another();
		inner_done = true;
	}
	depth--;
}

static void nested_init(void)
{
	port_init();
	target_irq = handle;
	memset(&wheel, 0, sizeof(wheel)); /* a test may leave timers */
	jif_wheel_init(&wheel, START);
	for (unsigned i = 0; i < TIMERS; i++) {
		jif_timer_init(&timers[i], fire);
		ran[i] = 0;
		deleted[i] = 0;
	}
	outer = false;
	outer_done = false;
	inner_done = false;
	right_depth = true;
}

TestSuite(port_nested, .init = nested_init);

Test(port_nested, handlers_arm_and_delete_in_the_middle_of_each_other)
{
	nested = 0;
	for (uint32_t ns = 3000; ns < 80000; ns += 700) {
		nested_init();
		target_pend_after(ns);
		target_pend();
		while (!outer_done || !inner_done)
			;
		cr_assert(right_depth);
		cr_assert_not(jif_in_irq());
		cr_assert_eq(jif_wheel_check(&wheel), 0);
		jif_wheel_run(&wheel, START + 200);
		for (unsigned i = 0; i < TIMERS; i++)
			cr_assert_eq(ran[i] + deleted[i], 1);
	}
	cr_assert_geq(nested, 20);
}
