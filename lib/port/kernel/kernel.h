/* SPDX-License-Identifier: MIT */
/*
 * lib/port/kernel/kernel.h - what a port that is a kernel has to provide
 *
 * Besides jif_port.h, with JIF_PORT_COUNTS, and jif_port_count().
 */
#ifndef JIF_LIB_PORT_KERNEL_H
#define JIF_LIB_PORT_KERNEL_H

#include <jif/face/kernel.h>
#include <jif/jiffies.h>

/*
 * In the task, until @waiter is set: makes what it waits on, and notes it
 * there. Another task may come in between, with a wheel of its own.
 */
void jif_kernel_begin(struct jif_kernel *kernel);

/*
 * Until so many ticks have come, 1 to JIF_SLEEP_MAX, or a signal; one that came
 * before counts, too. It may end sooner. Interrupts are on. A tick that comes
 * before the wait begins makes it end a tick late, unless the port looks again
 * with interrupts off, how much is left until @until, and waits like that.
 */
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
