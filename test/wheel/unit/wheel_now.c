/* SPDX-License-Identifier: MIT */
/* What time it is for a wheel, and what counts from that */
#include <jif/port.h>

#include "unit.h"

TestSuite(wheel_now, .init = unit_init, .fini = unit_fini);

static uint32_t source;
static unsigned asked, asked_with_interrupts;

static uint32_t tell(const struct jif_wheel *of)
{
	cr_expect_eq(of, &wheel);
	asked++;
	asked_with_interrupts += !jif_sim.off;
	return source;
}

/* The wheel was run up to 100, and the source says that. */
static void begin(uint32_t after)
{
	asked = asked_with_interrupts = 0;
	run_to(100);
	jif_warn = unit_no_warning;
	jif_wheel_set_time(&wheel, tell);
	source = at(after);
}

static uint32_t wheel_now(void)
{
	return jif_wheel_now(&wheel) - START;
}

Test(wheel_now, source_can_be_taken_away)
{
	begin(5000);
	jif_wheel_set_time(&wheel, jif_wheel_clock);
	cr_expect_eq(wheel_now(), 100);
	jif_wheel_set_time(&wheel, jif_time_jiffies);
	set_jiffies(300);
	cr_expect_eq(wheel_now(), 300);
	jif_wheel_set_time(&wheel, NULL);
	cr_expect_eq(wheel_now(), 100);
	cr_expect_eq(asked, 0);
}

Test(wheel_now, init_time_begins_at_what_the_source_says)
{
	jif_warn = unit_no_warning;
	memset(&wheel, 0xa5, sizeof(wheel));
	source = at(77);
	jif_wheel_init_time(&wheel, tell);
	cr_expect_eq(now(), 77);
	cr_expect(jif_wheel_empty(&wheel));
	source = at(78);
	cr_expect_eq(wheel_now(), 78);
	cr_expect_eq(asked_with_interrupts, 0);
	set_jiffies(500);
	jif_wheel_init_time(&wheel, jif_time_jiffies);
	cr_expect_eq(now(), 500);
	jif_wheel_init(&wheel, at(9));
	cr_expect_eq(wheel_now(), 9, "init forgets the source");
}

Test(wheel_now, poll_runs_up_to_now)
{
	begin(100);
	arm_all(3, 150);
	arm(3, 151);
	cr_expect_eq(jif_wheel_poll(&wheel), 0);
	source = at(150);
	cr_expect_eq(jif_wheel_poll(&wheel), 3);
	cr_expect_eq(now(), 150);
	source = at(20);
	cr_expect_eq(jif_wheel_poll(&wheel), 0, "it does not run back");
	cr_expect_eq(jif_timer_mod_in(&wheel, &timers[3], 10), 1);
	cr_expect_eq(jif_timer_expires(&wheel, &timers[3]), at(161),
		     "from the clock, if the source is behind");
	source = at(5000);
	cr_expect_eq(jif_wheel_poll(&wheel), 1);
	cr_expect_eq(now(), 5000);
}

static void idle_awake(uint32_t ticks)
{
}

Test(wheel_now, main_loop_that_sleeps_has_jiffies_as_its_source)
{
	set_jiffies(0);
	arm(0, 500);
	cr_expect(jif_wheel_sleep(&wheel, jif_port_idle));
	cr_expect(jif_time_after(jif_now(), at(0)));
	cr_expect_eq(wheel_now(), jif_now() - START);
	jif_wheel_set_time(&wheel, tell);
	source = at(640);
	run_to(jif_now() - START);
	jif_wheel_sleep(&wheel, idle_awake);
	cr_expect_eq(wheel_now(), 640, "one that is set stays");
}
