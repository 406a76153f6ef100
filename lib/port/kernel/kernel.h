/* SPDX-License-Identifier: MIT */
/*
 * lib/port/kernel/kernel.h - what a port that is a kernel has to provide
 *
 * Besides jif_port.h, with JIF_PORT_COUNTS, and jif_port_count().
 */
#ifndef JIF_LIB_PORT_KERNEL_H
#define JIF_LIB_PORT_KERNEL_H

#include <jif/jiffies.h>
#include <jif/kernel.h>

/* In the task, once: makes what it waits on, and notes it in @waiter. */
void jif_kernel_begin(struct jif_kernel *kernel);

/* For so many ticks, or until a signal; one that came before counts, too. */
void jif_kernel_wait(struct jif_kernel *kernel, uint32_t ticks);

/* Never blocks. More than one signal is as good as one. */
void jif_kernel_signal(struct jif_kernel *kernel);

/* Whether it has to be signalled for what expires then; with interrupts off. */
static inline bool jif_kernel_waits_past(const struct jif_kernel *kernel,
					 uint32_t expires)
{
	return kernel->waits && jif_time_before(expires, kernel->until);
}

#endif
