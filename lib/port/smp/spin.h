/* SPDX-License-Identifier: MIT */
/*
 * lib/port/smp/spin.h - the lock between cores: one of the two kinds
 *
 * A test on a host defines the macros in its own way.
 */
#ifndef JIF_LIB_PORT_SPIN_H
#define JIF_LIB_PORT_SPIN_H

#include <jif/config.h>
#include <stdint.h>

/* What a core does while another one has the lock. */
#ifndef SPIN_WAIT
#define SPIN_WAIT() ((void)0)
#endif

#if CONFIG_JIF_SMP_SPINLOCK
/*
 * A register of the kind that the RP2040 has (datasheet, 2.3.1.3): a read that
 * gives anything but 0 has taken the lock, a write frees it. In each turn,
 * whoever reads first gets it: a core may have to wait for several turns.
 */
#ifndef SPINLOCK_READ
#define SPINLOCK	 ((uint32_t *)CONFIG_JIF_SMP_SPINLOCK)
#define SPINLOCK_READ()	 JIF_LOAD(SPINLOCK, ACQUIRE)
#define SPINLOCK_WRITE() JIF_STORE(SPINLOCK, 1, RELEASE)
#endif

static inline void spin_lock(void)
{
	while (!SPINLOCK_READ())
		SPIN_WAIT();
}

static inline void spin_unlock(void)
{
	SPINLOCK_WRITE();
}

#else
/* Tickets: cores are served in the order in which they asked. */
#if !JIF_HAS_ATOMICS
#error "no atomic instructions: set CONFIG_JIF_SMP_SPINLOCK"
#endif

static unsigned spin_next;
static unsigned spin_serving;

static inline void spin_lock(void)
{
	unsigned ticket = JIF_FETCH_ADD(&spin_next, 1, RELAXED);

	while (JIF_LOAD(&spin_serving, ACQUIRE) != ticket)
		SPIN_WAIT();
}

static inline void spin_unlock(void)
{
	JIF_STORE(&spin_serving, spin_serving + 1, RELEASE);
}
#endif

#endif
