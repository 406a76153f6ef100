/* SPDX-License-Identifier: MIT */
/* The simulated machine sleeps, and time passes meanwhile */
#include <criterion/criterion.h>
#include <jif/jiffies.h>
#include <jif/kit/sim.h>
#include <signal.h>

#include "../../../lib/port/jif_port.h"
#include "panic.h"

/* On a target, all tests share one machine. */
static void power_on(void)
{
	jif_sim = (struct jif_sim){ 0 };
}

TestSuite(sim, .init = power_on);

static void idle(uint32_t ticks)
{
	jif_irq_t flags = jif_irq_save();

	jif_port_idle(ticks);
	jif_irq_restore(flags);
}

Test(sim, sleep_lasts_until_time_is_up)
{
	uint32_t before = jif_now();

	jif_port_start();
	idle(1);
	cr_assert_eq(jif_now(), before + 1);
	idle(604800);
	cr_assert_eq(jif_now(), before + 604801);
	cr_assert_eq(jif_sim.sleeps, 2);
}

static unsigned long windows_seen;

static void look_at_windows(void)
{
	windows_seen = jif_sim.windows;
}

Test(sim, window_is_where_interrupts_are_turned_on_again)
{
	jif_irq_t outer = jif_irq_save();
	jif_irq_t inner = jif_irq_save();

	jif_sim.irq = look_at_windows;
	jif_irq_restore(inner);
	cr_assert_eq(jif_sim.windows, 0);
	jif_irq_restore(outer);
	cr_assert_eq(jif_sim.windows, 1);
	cr_assert_eq(windows_seen, 1);
}

static uint32_t wake_up_after_three(uint32_t ticks)
{
	cr_assert_eq(ticks, 100);
	cr_assert_eq(jif_sim.sleeps, 1);
	return 3;
}

Test(sim, test_can_end_a_sleep_sooner)
{
	uint32_t before = jif_now();

	jif_sim.sleep = wake_up_after_three;
	idle(100);
	cr_assert_eq(jif_now(), before + 3);
}

static unsigned handled;

static void handle(void)
{
	handled++;
	jif_sim_irq();
}

Test(sim, interrupts_do_not_nest_and_are_kept_out)
{
	handled = 0;
	jif_sim_irq();
	jif_sim.irq = handle;
	jif_sim_irq();
	cr_assert_eq(handled, 1);
	jif_sim_irq();
	cr_assert_eq(handled, 2);
	jif_sim.off = 1;
	jif_sim_irq();
	cr_assert_eq(handled, 2);
}

Test(sim, sleep_with_interrupts_on_panics, .signal = SIGABRT)
{
	panic_with("jif_port_idle() with interrupts on");
	jif_port_idle(UINT32_MAX);
}

Test(sim, sleep_that_nothing_ends_panics, .signal = SIGABRT)
{
	panic_with("nothing to wake up for");
	idle(UINT32_MAX);
}
