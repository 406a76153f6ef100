/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/kernels/riot/riot.c - RIOT: milliseconds of ztimer, and flags
 *
 * A flag that is set before the thread waits ends the wait at once.
 */
#include <jif/jiffies.h>
#include <jif_port.h>
#include <kernel/kernel.h>
#include <thread.h>
#include <thread_flags.h>
#include <ztimer.h>

#define SOONER 1u /* a flag of the thread that runs the wheel */

JIF_STATIC_ASSERT(CONFIG_JIF_HZ == 1000, "ZTIMER_MSEC counts jiffies");

/* The first count may be of any size. */
void jif_port_count(void)
{
	static uint32_t counted;
	static bool begun;
	uint32_t passed = (uint32_t)ztimer_now(ZTIMER_MSEC) - counted;

	if (begun && passed > INT32_MAX)
		return;
	begun = true;
	counted += passed;
	jif_count(passed);
}

void jif_kernel_begin(struct jif_kernel *kernel)
{
	kernel->waiter = thread_get_active();
}

void jif_kernel_wait(struct jif_kernel *kernel, uint32_t ticks)
{
	ztimer_t timeout = { 0 };

	(void)kernel;
	ztimer_set_timeout_flag(ZTIMER_MSEC, &timeout, ticks);
	thread_flags_wait_any(SOONER | THREAD_FLAG_TIMEOUT);
	ztimer_remove(ZTIMER_MSEC, &timeout);
	thread_flags_clear(THREAD_FLAG_TIMEOUT);
}

/* In a handler, too: RIOT switches when that ends. */
void jif_kernel_signal(struct jif_kernel *kernel)
{
	thread_flags_set(kernel->waiter, SOONER);
}
