/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/kernels/chibios/chibios.c - ChibiOS/RT: its time, and an event
 *
 * An event that comes before the thread waits ends the wait at once.
 */
#include <jif/jiffies.h>
#include <jif_port.h>
#include <kernel/kernel.h>

#define SOONER EVENT_MASK(0) /* an event of the thread that runs the wheel */

JIF_STATIC_ASSERT(CONFIG_JIF_HZ == CH_CFG_ST_FREQUENCY, "a jiffy is a tick");

/* A time of 16 bits goes on, if it is looked at before it has wrapped. */
void jif_port_count(void)
{
	static systime_t counted;
	systime_t now = chVTGetSystemTimeX();

	jif_count((uint32_t)chTimeDiffX(counted, now));
	counted = now;
}

void jif_kernel_begin(struct jif_kernel *kernel)
{
	kernel->waiter = chThdGetSelfX();
}

void jif_kernel_wait(struct jif_kernel *kernel, uint32_t ticks)
{
	(void)kernel;
	if (ticks > TIME_MAX_INTERVAL / 2)
		ticks = TIME_MAX_INTERVAL / 2;
	chEvtWaitAnyTimeout(SOONER, (sysinterval_t)ticks);
}

/* In a handler, ChibiOS switches when that ends; else, at the restore. */
void jif_kernel_signal(struct jif_kernel *kernel)
{
	jif_irq_t flags = jif_irq_save();

	chEvtSignalI(kernel->waiter, SOONER);
	jif_irq_restore(flags);
}
