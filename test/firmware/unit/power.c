/* SPDX-License-Identifier: MIT */
/* The deepest mode that is worth it and allowed */
#include <criterion/criterion.h>
#include <jif/debug.h>
#include <jif/power.h>
#include <jif/sim.h>
#include <signal.h>
#include <string.h>

#include "../../wheel/unit/panic.h"

static struct jif_power power;
static unsigned slept_in;
static uint32_t slept;

static void doze(uint32_t ticks)
{
	slept_in = 0;
	slept = ticks;
}

static void stop(uint32_t ticks)
{
	slept_in = 1;
	slept = ticks;
}

static void standby(uint32_t ticks)
{
	slept_in = 2;
	slept = ticks;
}

static const struct jif_power_mode modes[] = {
	{ doze, 0, 0 },
	{ stop, 10, 2 },
	{ standby, 1000, 50 },
};

static void init(void)
{
	memset(&jif_sim, 0, sizeof(jif_sim));
	memset(&power, 0xa5, sizeof(power));
	jif_power_init(&power, modes, 3);
}

static void fini(void)
{
	cr_assert_eq(jif_sim.off, 0, "interrupts are still off");
}

TestSuite(power, .init = init, .fini = fini);

static void expect_sleep(uint32_t ticks, unsigned mode, uint32_t want)
{
	jif_power_sleep(&power, ticks);
	cr_expect_eq(slept_in, mode, "%u ticks in mode %u", ticks, slept_in);
	cr_expect_eq(slept, want, "%u ticks: %u", ticks, slept);
	cr_expect_eq(jif_power_find(&power, ticks), mode);
}

Test(power, mode_is_the_deepest_that_is_worth_it)
{
	expect_sleep(1, 0, 1);
	expect_sleep(9, 0, 9);
	expect_sleep(10, 1, 8);
	expect_sleep(999, 1, 997);
	expect_sleep(1000, 2, 950);
	expect_sleep(UINT32_C(0x40000000), 2, UINT32_C(0x40000000) - 50);
}

Test(power, limits_hold_until_each_is_taken_away)
{
	jif_power_limit(&power, 1);
	jif_power_limit(&power, 0);
	jif_power_limit(&power, 0);
	expect_sleep(5000, 0, 5000);
	jif_power_allow(&power, 0);
	expect_sleep(5000, 0, 5000);
	jif_power_allow(&power, 0);
	expect_sleep(5000, 1, 4998);
	jif_power_allow(&power, 1);
	expect_sleep(5000, 2, 4950);
}

Test(power, limit_on_the_deepest_mode_forbids_nothing)
{
	jif_power_limit(&power, 2);
	expect_sleep(5000, 2, 4950);
}

Test(power, limit_that_there_is_not_is_refused)
{
	cr_assert_eq(jif_power_allow(&power, 1), -JIF_EINVAL);
	cr_assert_eq(jif_power_limit(&power, 3), -JIF_EINVAL);
	cr_assert_eq(jif_power_allow(&power, 3), -JIF_EINVAL);
	/* What lies behind the counts looks like one. */
	memset(&power, 0xa5, sizeof(power));
	power.count = JIF_POWER_MODES;
	cr_assert_eq(jif_power_allow(&power, JIF_POWER_MODES), -JIF_EINVAL);
}

Test(power, limits_are_counted_up_to_255)
{
	for (unsigned i = 0; i < 255; i++)
		jif_power_limit(&power, 0);
	for (unsigned i = 0; i < 255; i++) {
		cr_assert_eq(jif_power_find(&power, 5000), 0);
		jif_power_allow(&power, 0);
	}
	cr_assert_eq(jif_power_find(&power, 5000), 2);
}

Test(power, limit_number_256_is_refused)
{
	for (unsigned i = 0; i < 255; i++)
		cr_assert_eq(jif_power_limit(&power, 1), 0);
	cr_assert_eq(jif_power_limit(&power, 1), -JIF_EINVAL);
	cr_assert_eq(jif_power_allow(&power, 1), 0);
}

Test(power, machine_has_1_to_8_modes)
{
	cr_assert_eq(jif_power_init(&power, modes, 0), -JIF_EINVAL);
	cr_assert_eq(jif_power_init(&power, modes, JIF_POWER_MODES + 1),
		     -JIF_EINVAL);
	cr_assert_eq(jif_power_find(&power, 5000), 2, "as it was");
	cr_assert_eq(jif_power_init(&power, modes, JIF_POWER_MODES), 0);
	cr_assert_eq(power.count, JIF_POWER_MODES);
}

Test(power, waking_up_that_takes_all_of_the_sleep_panics, .signal = SIGABRT)
{
	static const struct jif_power_mode slow[] = { { doze, 0, 5 } };

	jif_power_init(&power, slow, 1);
	expect_sleep(6, 0, 1);
	jif_warn = NULL;
	panic_with("a sleep is shorter than what it takes to wake up");
	jif_power_sleep(&power, 5);
}
