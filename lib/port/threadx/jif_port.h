/* SPDX-License-Identifier: MIT */
/*
 * lib/port/threadx/jif_port.h - Eclipse ThreadX: its own critical section
 *
 * By TX_DISABLE; docs/design.md has why. Where those macros keep the posture is
 * written in the tx_port.h of the processor.
 */
#ifndef JIF_LIB_PORT_THREADX_H
#define JIF_LIB_PORT_THREADX_H

#include <stdbool.h>
#include <tx_api.h>
#include <tx_initialize.h>
#include <tx_thread.h>

#ifndef JIF_THREADX_POSTURE
#ifdef __linux__
#define JIF_THREADX_POSTURE tx_saved_posture
#else
#define JIF_THREADX_POSTURE interrupt_save
#endif
#endif

/* The one for Linux has no lock yet, nor anything to keep out. */
#ifdef __linux__
#define JIF_THREADX_NO_LOCK                                                    \
	(_tx_thread_system_state == TX_INITIALIZE_IN_PROGRESS)
#else
#define JIF_THREADX_NO_LOCK false
#endif

/* jif_now() is ThreadX' time, and a thread runs the wheel. */
#define JIF_PORT_COUNTS 1
#define JIF_PORT_KERNEL 1

typedef UINT jif_irq_t;

/* TX_DISABLE with BASEPRI is no compiler barrier. */
static inline jif_irq_t jif_irq_save(void)
{
	TX_INTERRUPT_SAVE_AREA

	if (JIF_THREADX_NO_LOCK)
		return 0;
	TX_DISABLE
	__asm__ volatile("" : : : "memory");
	return JIF_THREADX_POSTURE;
}

static inline void jif_irq_restore(jif_irq_t flags)
{
	TX_INTERRUPT_SAVE_AREA

	__asm__ volatile("" : : : "memory");
	if (JIF_THREADX_NO_LOCK)
		return;
	JIF_THREADX_POSTURE = flags;
	TX_RESTORE
}

/* See lib/port/cortex-m/jif_port.h for the ISB. */
static inline jif_irq_t jif_irq_window(jif_irq_t flags)
{
	jif_irq_restore(flags);
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
	__asm__ volatile("isb" : : : "memory");
#endif
	return jif_irq_save();
}
#define jif_irq_window jif_irq_window

/* The state counts handlers; while the kernel starts, it is far above. */
static inline bool jif_in_irq(void)
{
#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
	uint32_t exception;

	__asm__ volatile("mrs %0, ipsr" : "=r"(exception));
	return exception;
#else
	return _tx_thread_system_state &&
	       _tx_thread_system_state < TX_INITIALIZE_IN_PROGRESS;
#endif
}

#endif
