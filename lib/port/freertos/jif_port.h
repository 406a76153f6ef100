/* SPDX-License-Identifier: MIT */
/*
 * lib/port/freertos/jif_port.h - FreeRTOS: its own critical section
 *
 * Chosen by JIF_PORT; see docs/kernels.md. Tasks may call jif, and handlers of
 * the priorities from which FreeRTOS may be called, before the scheduler has
 * started, too.
 *
 * On Cortex-M, the form for handlers keeps and puts back the mask: it nests,
 * and is right in tasks. The form for tasks would leave interrupts masked until
 * the scheduler runs. Elsewhere, the form for handlers often does nothing, and
 * each has to be used in its place: so a port of FreeRTOS that does not tell
 * whether a handler runs needs JIF_FREERTOS_IN_ISR(). In its POSIX simulator,
 * a handler runs in a critical section, so that the form for tasks is right.
 */
#ifndef JIF_LIB_PORT_FREERTOS_H
#define JIF_LIB_PORT_FREERTOS_H

#include <FreeRTOS.h>
#include <stdbool.h>
#include <task.h>

/* jif_now() is FreeRTOS' tick count. */
#define JIF_PORT_COUNTS 1

typedef UBaseType_t jif_irq_t;

#if defined(JIF_FREERTOS_IN_ISR)
#elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#define JIF_FREERTOS_IN_ISR() xPortIsInsideInterrupt()
#elif defined(__unix__) || defined(__APPLE__)
#define JIF_FREERTOS_IN_ISR() pdFALSE
#else
#error "define JIF_FREERTOS_IN_ISR(): does a handler run? See docs/kernels.md"
#endif

static inline bool jif_in_irq(void)
{
	return JIF_FREERTOS_IN_ISR() != pdFALSE;
}

#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M' &&                \
	(!defined(configNUMBER_OF_CORES) || configNUMBER_OF_CORES == 1)

static inline jif_irq_t jif_irq_save(void)
{
	return taskENTER_CRITICAL_FROM_ISR();
}

static inline void jif_irq_restore(jif_irq_t flags)
{
	taskEXIT_CRITICAL_FROM_ISR(flags);
}

/* Without the ISB, what is pending might never be taken between the two. */
static inline jif_irq_t jif_irq_window(jif_irq_t flags)
{
	jif_irq_restore(flags);
	__asm__ volatile("isb" : : : "memory");
	return jif_irq_save();
}
#define jif_irq_window jif_irq_window

#else

static inline jif_irq_t jif_irq_save(void)
{
	if (jif_in_irq())
		return taskENTER_CRITICAL_FROM_ISR();
	taskENTER_CRITICAL();
	return 0;
}

static inline void jif_irq_restore(jif_irq_t flags)
{
	if (jif_in_irq())
		taskEXIT_CRITICAL_FROM_ISR(flags);
	else
		taskEXIT_CRITICAL();
}

#endif

#endif
