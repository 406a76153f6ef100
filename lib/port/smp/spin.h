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
#define SPINLOCK_READ()	 __atomic_load_n(SPINLOCK, __ATOMIC_ACQUIRE)
#define SPINLOCK_WRITE() __atomic_store_n(SPINLOCK, 1, __ATOMIC_RELEASE)
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
#if defined(__GCC_ATOMIC_INT_LOCK_FREE) && __GCC_ATOMIC_INT_LOCK_FREE != 2
#error "no atomic instructions: set CONFIG_JIF_SMP_SPINLOCK"
#endif

static unsigned spin_next;
static unsigned spin_serving;

static inline void spin_lock(void)
{
	unsigned ticket = __atomic_fetch_add(&spin_next, 1, __ATOMIC_RELAXED);

	while (__atomic_load_n(&spin_serving, __ATOMIC_ACQUIRE) != ticket)
		SPIN_WAIT();
}

static inline void spin_unlock(void)
{
	__atomic_store_n(&spin_serving, spin_serving + 1, __ATOMIC_RELEASE);
}
#endif

#endif
