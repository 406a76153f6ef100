/* SPDX-License-Identifier: MIT */
/*
 * test/unit/misuse.c - what a debug build stops at
 *
 * Each test ends in jif_panic(), which aborts.
 */
#include <criterion/criterion.h>
#include <signal.h>

#include "unit.h"

TestSuite(misuse, .init = unit_init);

static void drain(void)
{
	jif_wheel_drain(&wheel, NULL);
}

static void walk_nothing(void)
{
	jif_wheel_walk(&wheel, NULL, NULL);
}

static void next_expiry(void)
{
	uint32_t when;

	jif_wheel_next_expiry(&wheel, &when);
}

static void from_interrupt(void (*what)(void))
{
	unit_window = what;
	jif_sim_irq();
}

Test(misuse, drain_from_an_interrupt, .signal = SIGABRT)
{
	from_interrupt(drain);
}

Test(misuse, walk_from_an_interrupt, .signal = SIGABRT)
{
	from_interrupt(walk_nothing);
}

Test(misuse, next_expiry_from_an_interrupt, .signal = SIGABRT)
{
	from_interrupt(next_expiry);
}

Test(misuse, init_of_a_pending_timer_is_found_when_its_neighbour_goes,
     .signal = SIGABRT)
{
	arm(0, 50);
	arm(1, 50);
	arm(2, 50);
	timers[1].next = timers[1].prev = &timers[1];
	jif_timer_del(&wheel, &timers[0]);
}
