/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/kernels/mynewt/mynewt.c - Mynewt: its tick, and a semaphore
 *
 * A release that comes before the task waits ends the wait at once. A second
 * wheel wants a semaphore of its own.
 */
#include <jif/jiffies.h>
#include <jif_port.h>
#include <kernel/kernel.h>

JIF_STATIC_ASSERT(CONFIG_JIF_HZ == OS_TICKS_PER_SEC, "a jiffy is a tick");

static struct os_sem sooner;

/* The first count may be of any size. */
void jif_port_count(void)
{
	static uint32_t counted;
	static bool begun;
	uint32_t passed = os_time_get() - counted;

	if (begun && passed > INT32_MAX)
		return;
	begun = true;
	counted += passed;
	jif_count(passed);
}

void jif_kernel_begin(struct jif_kernel *kernel)
{
	os_sem_init(&sooner, 0);
	kernel->waiter = &sooner;
}

void jif_kernel_wait(struct jif_kernel *kernel, uint32_t ticks)
{
	os_sem_pend(kernel->waiter, ticks);
}

/* In a handler, too: Mynewt switches when that ends. */
void jif_kernel_signal(struct jif_kernel *kernel)
{
	if (!os_sem_get_count(kernel->waiter))
		os_sem_release(kernel->waiter);
}
