/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/kernels/nuttx/nuttx.c - NuttX: its tick, and a semaphore
 *
 * A post that comes before the task waits ends the wait at once. A second wheel
 * wants a semaphore of its own.
 */
#include <jif/jiffies.h>
#include <jif_port.h>
#include <kernel/kernel.h>
#include <nuttx/clock.h>
#include <nuttx/semaphore.h>
#include <nuttx/wdog.h>

JIF_STATIC_ASSERT(CONFIG_JIF_HZ == TICK_PER_SEC, "a jiffy is a tick");

static sem_t sooner = SEM_INITIALIZER(0);

/* The first count may be of any size. */
void jif_port_count(void)
{
	static uint32_t counted;
	static bool begun;
	uint32_t passed = (uint32_t)clock_systime_ticks() - counted;

	if (begun && passed > INT32_MAX)
		return;
	begun = true;
	counted += passed;
	jif_count(passed);
}

void jif_kernel_begin(struct jif_kernel *kernel)
{
	kernel->waiter = &sooner;
}

static void on_time(wdparm_t waiter)
{
	nxsem_post((sem_t *)waiter);
}

/* A wait with a limit would end a tick later. */
void jif_kernel_wait(struct jif_kernel *kernel, uint32_t ticks)
{
	struct wdog_s timeout = { 0 };

	wd_start_abstick(&timeout, clock_systime_ticks() + ticks, on_time,
			 (wdparm_t)kernel->waiter);
	nxsem_wait(kernel->waiter);
	wd_cancel(&timeout);
}

/* In a handler, too: NuttX switches when that ends. */
void jif_kernel_signal(struct jif_kernel *kernel)
{
	int value;

	if (!nxsem_get_value(kernel->waiter, &value) && value < 1)
		nxsem_post(kernel->waiter);
}
