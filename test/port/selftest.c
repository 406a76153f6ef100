/* SPDX-License-Identifier: MIT */
/* The self-test of jif/kit/selftest.h finds nothing on a port that is right */
#include <jif/kit/selftest.h>

#include "port.h"

static struct jif_selftest selftest;

static void handle(void)
{
	jif_selftest_irq(&selftest);
}

static void pend(uint32_t counts)
{
	uint32_t ns = 1000000000 / target_clock_hz * counts;

	if (counts)
		target_pend_after(ns < 1000 ? 1000 : ns);
	else
		target_pend();
}

/* A line for each code: its number, and a value. */
static void report(enum jif_selftest_code code, uint32_t value)
{
	target_puts("# code ");
	target_put_number((uint32_t)code);
	target_puts(", value ");
	target_put_number(value);
	target_puts("\n");
}

static void selftest_init(void)
{
	port_init();
	target_irq = handle;
	memset(&wheel, 0, sizeof(wheel)); /* a test may leave timers */
	selftest = (struct jif_selftest){
		.wheel = &wheel,
		.clock = target_clock,
		.clock_hz = target_clock_hz,
		.pend = pend,
		.idle = jif_port_idle,
		.longest = CONFIG_JIF_CLOCK_HZ > 1000000 ? 700 : 2200,
		.report = report,
	};
}

TestSuite(port_selftest, .init = selftest_init);

Test(port_selftest, finds_nothing)
{
	cr_assert_eq(jif_selftest_run(&selftest), 0);
	target_puts("# jitter: ");
	target_put_number(selftest.jitter);
	target_puts("\n");
}
