/* SPDX-License-Identifier: MIT */
/*
 * lib/port/zephyr/zephyr.c - Zephyr: its uptime, and a thread that waits
 *
 * The wait ends at an absolute time: a relative one ends at least a tick later,
 * as Zephyr counts the tick under way as none. A thread must not wait with
 * interrupts off; so it waits for a semaphore, which keeps a signal that comes
 * before. It is on the thread's stack, not made by k_sem_init, which may list
 * it, and is given with interrupts off, when the thread cannot have left it.
 * Zephyr does not switch then: whoever gives it lets it do so afterwards.
 */
#include <jif/jiffies.h>

#include "../jif_port.h"
#include "../kernel/kernel.h"

#ifndef CONFIG_TIMEOUT_64BIT
#error "absolute times need CONFIG_TIMEOUT_64BIT=y"
#endif

JIF_STATIC_ASSERT(CONFIG_JIF_HZ == CONFIG_SYS_CLOCK_TICKS_PER_SEC,
		  "jiffies are Zephyr's ticks");

/* The uptime up to which jiffies were counted. */
static int64_t counted;

/* While Zephyr handles what has expired, its uptime may seem to go back. */
void jif_port_count(void)
{
	int64_t now = k_uptime_ticks();

	if (now <= counted)
		return;
	jif_count((uint32_t)(now - counted));
	counted = now;
}

void jif_kernel_begin(struct jif_kernel *kernel)
{
	(void)kernel;
}

void jif_kernel_wait(struct jif_kernel *kernel, uint32_t ticks)
{
	struct k_sem sooner = Z_SEM_INITIALIZER(sooner, 0, 1);
	jif_irq_t flags = jif_irq_save();
	int64_t until;

	ticks = kernel->until - jif_now();
	until = counted + ticks;
	kernel->waiter = &sooner;
	jif_irq_restore(flags);
	if (ticks && ticks <= JIF_SLEEP_MAX)
		k_sem_take(&sooner, K_TIMEOUT_ABS_TICKS(until));
	flags = jif_irq_save();
	kernel->waiter = NULL;
	jif_irq_restore(flags);
}

/* If it does not wait yet, it is not to begin. */
void jif_kernel_signal(struct jif_kernel *kernel)
{
	jif_irq_t flags = jif_irq_save();
	struct k_sem *sooner = kernel->waiter;

	kernel->until = jif_now();
	if (sooner)
		k_sem_give(sooner);
	jif_irq_restore(flags);
	if (sooner && !jif_in_irq()) {
		k_sched_lock();
		k_sched_unlock();
	}
}
