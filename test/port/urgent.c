/* SPDX-License-Identifier: MIT */
/*
 * test/port/urgent.c - interrupts above CONFIG_JIF_CORTEX_M_BASEPRI do not wait
 */
#include <signal.h>

#include "port.h"

static void urgent_init(void)
{
	port_init();
	target_make_urgent(true);
}

static void urgent_fini(void)
{
	target_make_urgent(false);
}

TestSuite(port_urgent, .init = urgent_init, .fini = urgent_fini);

Test(port_urgent, comes_while_interrupts_are_off)
{
	jif_irq_t flags = jif_irq_save();
	unsigned within;

	target_pend_urgent();
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

static void call(void)
{
	jif_irq_restore(jif_irq_save());
}

Test(port_urgent, may_not_call_jif, .signal = SIGABRT)
{
	target_irq = call;
	target_pend_urgent();
}

Test(port_urgent, the_others_may)
{
	target_irq = call;
	target_make_urgent(false);
	target_pend_urgent();
	target_pend();
}

Test(port_urgent, the_tick_is_not)
{
	uint32_t from = align();
	uint32_t begin = jif_now();
	jif_irq_t flags = jif_irq_save();
	uint32_t within;

	wait_counts(per_tick() * 3 / 2);
	within = jif_now();
	jif_irq_restore(flags);
	cr_assert_eq(within, begin);
	cr_assert_eq(jif_now() - begin, 1);
	cr_assert_lt(target_clock() - from, 2 * per_tick());
}
