/* SPDX-License-Identifier: MIT */
/*
 * lib/port/zephyr/jif_port.h - Zephyr: irq_lock, which nests, on all cores
 *
 * A k_spinlock does not nest. Threads in user mode may not call jif.
 */
#ifndef JIF_LIB_PORT_ZEPHYR_H
#define JIF_LIB_PORT_ZEPHYR_H

#include <stdbool.h>
#include <zephyr/kernel.h>

/* jif_now() is Zephyr's uptime, and a thread runs the wheel. */
#define JIF_PORT_COUNTS 1
#define JIF_PORT_KERNEL 1

typedef unsigned int jif_irq_t;

static inline jif_irq_t jif_irq_save(void)
{
	return irq_lock();
}

static inline void jif_irq_restore(jif_irq_t flags)
{
	irq_unlock(flags);
}

static inline bool jif_in_irq(void)
{
	return k_is_in_isr();
}

#endif
