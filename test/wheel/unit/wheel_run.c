/* SPDX-License-Identifier: MIT */
/* Letting time pass: run, clock, callbacks, re-entry */
#include <stdlib.h>

#include "unit.h"

TestSuite(wheel_run, .init = unit_init, .fini = unit_fini);

Test(wheel_run, now_before_the_clock_changes_nothing)
{
	jif_warn = unit_no_warning;
	arm(0, 20);
	run_to(10);
	cr_assert_eq(run_to(5), 0);
	cr_assert_eq(now(), 10);
	cr_assert_eq(run_to(10 - LONGEST), 0);
	cr_assert_eq(now(), 10);
	cr_assert_eq(run_to(20), 1);
}

/* Interrupts are let in twice a step, and at the end; one more per level. */
Test(wheel_run, idle_time_takes_a_step_a_week)
{
	unsigned long before = jif_sim.windows;

	run_to(1000 * WEEK);
	cr_assert_eq(now(), 1000 * WEEK);
	cr_assert_leq(jif_sim.windows - before, 2 * (1000 + 4) + 1);
}

/* A tick with work lets interrupts in after it, too. */
Test(wheel_run, quiet_ticks_of_a_minute_let_interrupts_in_once_each)
{
	unsigned long before;

	run_to(1);
	before = jif_sim.windows;
	for (uint32_t t = 2; t < 60; t++)
		run_to(t);
	cr_assert_eq(jif_sim.windows - before, 58);
}

static void rearm_at_once(unsigned timer)
{
	arm(timer, now());
}

Test(wheel_run, a_zero_delay_does_not_starve_the_loop)
{
	unit_callback = rearm_at_once;
	arm(0, 1);
	cr_assert_eq(run_to(50), 50, "once per tick");
	cr_assert_eq(now(), 50);
}

struct object {
	int payload;
	struct jif_timer timer;
};

static int freed;

static void free_object(struct jif_timer *timer)
{
	struct object *object = jif_container_of(timer, struct object, timer);

	freed += object->payload;
	free(object);
}

Test(wheel_run, a_timer_may_be_freed_in_its_own_callback)
{
	freed = 0;
	for (unsigned i = 0; i < 10; i++) {
		struct object *object = malloc(sizeof(*object));

		object->payload = 1;
		jif_timer_init(&object->timer, free_object);
		cr_assert_not(
			jif_timer_add(&wheel, &object->timer, at(60 + i % 2)));
	}
	run_to(100);
	cr_assert_eq(freed, 10);
}
