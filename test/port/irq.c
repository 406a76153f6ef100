/* SPDX-License-Identifier: MIT */
/* Interrupts off and on */
#include "port.h"

TestSuite(port_irq, .init = port_init);

Test(port_irq, handler_runs_at_once_when_interrupts_are_on)
{
	target_pend();
	cr_assert_eq(handled, 1);
}

/* So far none has run; with interrupts on, one does. */
static void expect_kept_out(jif_irq_t flags)
{
	unsigned within = handled;

	jif_irq_restore(flags);
	wait_counts(per_tick() / 100);
	cr_assert_eq(within, 0);
	cr_assert_eq(handled, 1);
}

Test(port_irq, save_keeps_handlers_out_and_restore_lets_them_in)
{
	jif_irq_t flags = jif_irq_save();

	target_pend();
	expect_kept_out(flags);
}

Test(port_irq, inner_restore_keeps_handlers_out)
{
	jif_irq_t outer = jif_irq_save();
	jif_irq_t middle = jif_irq_save();
	jif_irq_t inner = jif_irq_save();

	target_pend();
	jif_irq_restore(inner);
	jif_irq_restore(middle);
	expect_kept_out(outer);
}

Test(port_irq, window_lets_handlers_in)
{
	jif_irq_t flags = jif_irq_save();
	unsigned within;

	target_pend();
	flags = jif_irq_window(flags);
	within = handled;
	jif_irq_restore(flags);
	cr_assert_eq(within, 1);
}

Test(port_irq, window_keeps_them_out_afterwards)
{
	jif_irq_t flags = jif_irq_window(jif_irq_save());

	target_pend();
	expect_kept_out(flags);
}

Test(port_irq, inner_window_keeps_handlers_out)
{
	jif_irq_t outer = jif_irq_save();
	jif_irq_t inner = jif_irq_save();

	target_pend();
	inner = jif_irq_window(inner);
	jif_irq_restore(inner);
	expect_kept_out(outer);
}

Test(port_irq, calls_of_the_engine_keep_handlers_out_that_were_out)
{
	struct jif_timer timer;
	jif_irq_t flags;
	unsigned within;

	jif_timer_init(&timer, NULL);
	memset(&wheel, 0, sizeof(wheel)); /* a test may leave timers */
	jif_wheel_init(&wheel, 0);
	flags = jif_irq_save();
	target_pend();
	jif_timer_del(&wheel, &timer);
	jif_wheel_run(&wheel, 100);
	within = handled;
	jif_irq_restore(flags);
	cr_assert_eq(within, 0);
}

static volatile bool in_irq;
static volatile unsigned nested;

static void look(void)
{
	jif_irq_t flags = jif_irq_save();

	in_irq = jif_in_irq();
	jif_irq_restore(flags);
}

Test(port_irq, in_irq_is_true_in_a_handler_only)
{
	target_irq = look;
	in_irq = false;
	cr_assert_not(jif_in_irq());
	target_pend();
	cr_assert(in_irq);
	cr_assert_not(jif_in_irq());
}

static void pend_again(void)
{
	jif_irq_t flags;
	unsigned before = ++handled;

	if (before > 1)
		return;
	flags = jif_irq_save();
	target_pend();
	jif_irq_restore(flags);
	nested = handled - before;
}

Test(port_irq, restore_in_a_handler_does_not_let_it_in_again)
{
	target_irq = pend_again;
	target_pend();
	wait_counts(per_tick() / 100);
	cr_assert_eq(handled, 2);
	cr_assert_eq(nested, 0);
}
