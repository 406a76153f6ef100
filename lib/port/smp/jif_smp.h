/* SPDX-License-Identifier: MIT */
/*
 * lib/port/smp/jif_smp.h - several cores: what masks interrupts also locks
 *
 * Takes the place of the port's functions. Interrupts go off before the lock is
 * taken, and on after it is dropped: no handler waits for its own core's lock.
 */
#ifndef JIF_LIB_PORT_SMP_H
#define JIF_LIB_PORT_SMP_H

/* By one and the same core, they nest. */
void jif_smp_take(void);
void jif_smp_drop(void);

static inline jif_irq_t jif_smp_save(void)
{
	jif_irq_t flags = jif_irq_save();

	jif_smp_take();
	return flags;
}

static inline void jif_smp_restore(jif_irq_t flags)
{
	jif_smp_drop();
	jif_irq_restore(flags);
}

static inline jif_irq_t jif_smp_window(jif_irq_t flags)
{
	jif_smp_drop();
	flags = jif_irq_window(flags);
	jif_smp_take();
	return flags;
}

#undef JIF_HAS_IRQ
#define JIF_HAS_IRQ 1 /* Other cores come between two accesses, too. */
#undef jif_irq_window
#define jif_irq_save	jif_smp_save
#define jif_irq_restore jif_smp_restore
#define jif_irq_window	jif_smp_window

#endif
