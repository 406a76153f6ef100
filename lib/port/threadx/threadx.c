/* SPDX-License-Identifier: MIT */
/*
 * lib/port/threadx/threadx.c - ThreadX: its tick, and a thread that sleeps
 *
 * A thread may suspend with interrupts off: ThreadX keeps that posture with the
 * thread, and others run with their own. So no tick and no signal comes between
 * the last look and the sleep, which ends on its exact tick. Only this sleep is
 * ever aborted: in a callback, @waiter is NULL.
 */
#include "../jif_port.h"
#include "../kernel/kernel.h"

JIF_STATIC_ASSERT(CONFIG_JIF_HZ == TX_TIMER_TICKS_PER_SECOND,
		  "jiffies are the kernel's ticks");

void jif_port_count(void)
{
	jif_count((uint32_t)tx_time_get() - (uint32_t)jif_jiffies);
}

void jif_kernel_begin(struct jif_kernel *kernel)
{
	(void)kernel;
}

void jif_kernel_wait(struct jif_kernel *kernel, uint32_t ticks)
{
	jif_irq_t flags = jif_irq_save();

	ticks = kernel->until - jif_wheel_now(&kernel->wheel);
	if (ticks && ticks <= JIF_SLEEP_MAX) {
		kernel->waiter = tx_thread_identify();
		tx_thread_sleep(ticks);
		kernel->waiter = NULL;
	}
	jif_irq_restore(flags);
}

/* If it does not sleep yet, it is not to begin. */
void jif_kernel_signal(struct jif_kernel *kernel)
{
	jif_irq_t flags = jif_irq_save();

	kernel->until = jif_wheel_now(&kernel->wheel);
	if (kernel->waiter)
		tx_thread_wait_abort(kernel->waiter);
	jif_irq_restore(flags);
}
