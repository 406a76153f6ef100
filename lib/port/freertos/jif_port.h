/* SPDX-License-Identifier: MIT */
/*
 * lib/port/freertos/jif_port.h - FreeRTOS: its own critical section
 *
 * For tasks, for handlers of the priorities from which FreeRTOS may be called,
 * and before the scheduler starts. On Cortex-M, FreeRTOS' form for handlers
 * keeps the mask and puts it back: right in tasks, too, where the other form
 * would leave interrupts off until the scheduler runs. Elsewhere it may do
 * nothing, and each form has its place. In FreeRTOS' POSIX simulator, handlers
 * run in a critical section, so that the form for tasks is right in them.
 */
#ifndef JIF_LIB_PORT_FREERTOS_H
#define JIF_LIB_PORT_FREERTOS_H

#include <FreeRTOS.h>
#include <stdbool.h>
#include <task.h>

#define JIF_PORT_KERNEL 1
#define JIF_PORT_COUNTS 1 /* jif_now() is FreeRTOS' tick count */

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

/* Without the ISB, a window might not let in what is pending. */
static inline void jif_irq_restore(jif_irq_t flags)
{
	taskEXIT_CRITICAL_FROM_ISR(flags);
	__asm__ volatile("isb" : : : "memory");
}

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

/* jif_kernel_signal() of a handler that says itself who is to run next. */
struct jif_kernel;
void jif_kernel_signal_from(struct jif_kernel *kernel, BaseType_t *woken);

#endif
