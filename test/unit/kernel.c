/* SPDX-License-Identifier: MIT */
/* The wheel of a kernel's task, on a kernel that counts its signals */
#include <criterion/criterion.h>
#include <jif/jiffies.h>
#include <string.h>

#include "../../lib/port/kernel/kernel.c"
#include "unit.h"

static struct jif_kernel kernel;
static struct jif_periodic p;
static unsigned ncalls, nsignals;
static uint32_t waits_for;
static void (*while_waiting)(void);

void jif_kernel_begin(struct jif_kernel *which)
{
	which->waiter = which;
}

void jif_kernel_wait(struct jif_kernel *which, uint32_t ticks)
{
	waits_for = ticks;
	if (while_waiting)
		while_waiting();
}

void jif_kernel_signal(struct jif_kernel *which)
{
	cr_expect_eq(which, &kernel);
	nsignals++;
}

static void call(struct jif_periodic *which)
{
	ncalls++;
}

static void init(void)
{
	unit_init();
	memset(&kernel, 0xa5, sizeof(kernel));
	jif_ticks(START - jif_now());
	jif_kernel_init(&kernel);
	jif_periodic_init(&p, call, JIF_CATCHUP_EACH);
	ncalls = 0;
	nsignals = 0;
	while_waiting = NULL;
}

TestSuite(kernel, .init = init, .fini = unit_fini);

static int start_in(uint32_t first)
{
	return jif_kernel_start_in(&kernel, &p, first, 100, 2);
}

static void start_first(void)
{
	jif_ticks(50);
	cr_expect_eq(start_in(10), 0);
}

/* The task's wheel stands still, and it would wait for long. */
Test(kernel, periodic_timer_that_comes_first_wakes_the_task)
{
	while_waiting = start_first;
	jif_kernel_turn(&kernel);
	cr_expect_eq(nsignals, 1);
	while_waiting = NULL;
	jif_kernel_turn(&kernel);
	cr_expect_eq(waits_for, 11, "at least 10 ticks from 50 on");
	jif_ticks(10);
	jif_kernel_turn(&kernel);
	cr_expect_eq(ncalls, 0);
	jif_ticks(1);
	jif_kernel_turn(&kernel);
	cr_expect_eq(ncalls, 1);
	cr_expect_eq(waits_for, 100);
}

static void start_later(void)
{
	cr_expect_eq(start_in(500), 0);
	cr_expect_eq(start_in(UINT32_MAX), -JIF_ERANGE);
}

Test(kernel, periodic_timer_that_comes_later_or_never_wakes_nobody)
{
	struct jif_timer timer = JIF_TIMER_INIT(NULL);

	jif_timer_init(&timer, timers[0].fn);
	jif_kernel_mod_in(&kernel, &timer, 20);
	while_waiting = start_later;
	jif_kernel_turn(&kernel);
	cr_expect_eq(waits_for, 21);
	cr_expect_eq(nsignals, 0);
	start_in(1);
	cr_expect_eq(nsignals, 0, "the task does not wait");
}
