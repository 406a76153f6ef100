/* SPDX-License-Identifier: MIT */
/* lib/port/zephyr/timeout_jif_port.h - the kernel's lock is held instead */
#ifndef JIF_ZEPHYR_TIMEOUT_JIF_PORT_H
#define JIF_ZEPHYR_TIMEOUT_JIF_PORT_H

typedef unsigned char jif_irq_t;

static inline jif_irq_t jif_irq_save(void)
{
	return 0;
}

static inline void jif_irq_restore(jif_irq_t flags)
{
	(void)flags;
}

static inline bool jif_in_irq(void)
{
	return false;
}

#endif
