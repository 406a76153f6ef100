/* SPDX-License-Identifier: MIT */
/*
 * test/unit/misuse.c - what a debug build stops at
 *
 * Each test ends in jif_panic(), which aborts.
 */
#include <criterion/criterion.h>
#include <signal.h>

#include "panic.h"
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
	panic_with("lib/wheel_walk.c: jif_in_irq()");
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

/* W2 */
Test(misuse, init_of_a_pending_timer_and_an_add_are_found_by_the_run,
     .signal = SIGABRT)
{
	panic_with("W2: a pending timer was initialised or copied");
	arm(0, 50);
	jif_timer_init(&timers[0], timers[1].fn);
	jif_timer_add(&wheel, &timers[0], at(60));
	run_to(50);
}

/* W2 */
Test(misuse, init_of_a_pending_timer_and_an_add_are_found_by_its_neighbour,
     .signal = SIGABRT)
{
	panic_with("W2: a list is broken");
	arm(0, 50);
	arm(1, 50);
	arm(2, 50);
	jif_timer_init(&timers[1], timers[0].fn);
	jif_timer_add(&wheel, &timers[1], at(60));
	jif_timer_del(&wheel, &timers[0]);
}

/* W2 */
Test(misuse, list_that_is_broken_ahead_is_found, .signal = SIGABRT)
{
	panic_with("W2: a list is broken");
	arm(0, 50);
	arm(1, 50);
	arm(2, 50);
	timers[1].prev->next = timers[1].next;
	jif_timer_del(&wheel, &timers[1]);
}

static int drain_all(void *arg, const struct jif_timer *timer, unsigned level,
		     unsigned slot, uint32_t remaining)
{
	(void)arg;
	(void)timer;
	(void)level;
	(void)slot;
	(void)remaining;
	drain();
	return 0;
}

Test(misuse, drain_within_a_walk, .signal = SIGABRT)
{
	panic_with("drain within a walk");
	arm(0, 50);
	jif_wheel_walk(&wheel, drain_all, NULL);
}
