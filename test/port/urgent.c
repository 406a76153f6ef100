/* SPDX-License-Identifier: MIT */
/* Interrupts above CONFIG_JIF_CORTEX_M_BASEPRI do not wait */
#include <signal.h>

#include "port.h"

static volatile unsigned called;

static void call(void)
{
	jif_irq_restore(jif_irq_save());
	called++;
}

static void urgent_init(void)
{
	port_init();
	called = 0;
	target_set_priority(0);
}

static void urgent_fini(void)
{
	target_set_priority(TARGET_LOW);
}

TestSuite(port_urgent, .init = urgent_init, .fini = urgent_fini);

Test(port_urgent, comes_while_interrupts_are_off)
{
	jif_irq_t flags = jif_irq_save();
	unsigned within;

	target_pend_other();
	within = handled;
	jif_irq_restore(flags);
	cr_assert_eq(within, 1);
	cr_assert_eq(handled, 1);
}

Test(port_urgent, ends_a_sleep_and_runs_before_that_returns)
{
	uint32_t from = align();
	uint32_t begin = jif_now();
	unsigned within;
	jif_irq_t flags;

	for (uint32_t ns = 30000; ns < 9000000; ns += 77777) {
		handled = 0;
		target_pend_after(ns);
		flags = jif_irq_save();
		while (!handled)
			jif_port_idle(400);
		within = handled;
		target_pend();
		within += handled;
		jif_irq_restore(flags);
		cr_assert_eq(within, 2, "the others are still off");
		cr_assert_eq(handled, 2);
	}
	align();
	cr_assert_eq(jif_now() - begin, ticks_since(from));
}

Test(port_urgent, may_not_call_jif, .signal = SIGABRT)
{
	target_irq = call;
	target_pend_other();
}

Test(port_urgent, the_others_may)
{
	target_irq = call;
	target_set_priority(TARGET_LOW);
	target_pend_other();
	target_pend();
	cr_assert_eq(called, 2);
}

Test(port_urgent, that_of_the_priority_itself_may)
{
	jif_irq_t flags;
	unsigned within;

	target_irq = call;
	target_set_priority(CONFIG_JIF_CORTEX_M_BASEPRI);
	flags = jif_irq_save();
	target_pend_other();
	within = called;
	jif_irq_restore(flags);
	wait_counts(per_tick() / 100);
	cr_assert_eq(within, 0);
	cr_assert_eq(called, 1);
}

/* The sleep, which ends at once, makes the next tick one that comes. */
Test(port_urgent, the_tick_is_not)
{
	uint32_t from = align();
	uint32_t begin = jif_now();
	jif_irq_t flags = jif_irq_save();
	unsigned within;

	target_tick = call;
	target_pend();
	jif_port_idle(1);
	wait_counts(per_tick() * 3 / 2);
	within = called;
	jif_irq_restore(flags);
	wait_counts(per_tick() / 100);
	target_tick = 0;
	cr_assert_eq(within, 0);
	cr_assert_eq(called, 1);
	cr_assert_eq(jif_now() - begin, 1);
	cr_assert_lt(target_clock() - from, 2 * per_tick());
}
