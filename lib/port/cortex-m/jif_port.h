/* SPDX-License-Identifier: MIT */
/*
 * lib/port/cortex-m/jif_port.h - Arm v6-M, v7-M and v8-M: PRIMASK, or BASEPRI
 *
 * With CONFIG_JIF_CORTEX_M_BASEPRI, interrupts more urgent than that priority
 * stay on, and must not call jif.
 *
 * The sections named are those of Arm's v7-M manual, DDI 0403E. What turns
 * interrupts off is in force for the next instruction; what turns them on is
 * sure to be so only after an ISB (B5.2.1 and B5.2.3).
 */
#ifndef JIF_LIB_PORT_CORTEX_M_H
#define JIF_LIB_PORT_CORTEX_M_H

#include <jif/config.h>
#include <stdbool.h>
#include <stdint.h>

typedef uint32_t jif_irq_t;

#if CONFIG_JIF_CORTEX_M_BASEPRI

#if __ARM_ARCH_ISA_THUMB < 2
#error "CONFIG_JIF_CORTEX_M_BASEPRI: v6-M and v8-M Baseline have no BASEPRI"
#endif

#define JIF_IRQ_MASK "basepri"

/* A handler that is too urgent to call jif panics. */
void jif_irq_check(void);

/* Never less than it is: so a handler of a lower priority may call this. */
static inline void jif_irq_mask(void)
{
	__asm__ volatile("msr basepri_max, %0"
			 :
			 : "r"(CONFIG_JIF_CORTEX_M_BASEPRI)
			 : "memory");
}

#else

#define JIF_IRQ_MASK "primask"

static inline void jif_irq_check(void)
{
}

static inline void jif_irq_mask(void)
{
	__asm__ volatile("cpsid i" : : : "memory");
}

#endif

static inline jif_irq_t jif_irq_save(void)
{
	jif_irq_t flags;

	if (CONFIG_JIF_DEBUG)
		jif_irq_check();
	__asm__ volatile("mrs %0, " JIF_IRQ_MASK : "=r"(flags) : : "memory");
	jif_irq_mask();
	return flags;
}

static inline void jif_irq_restore(jif_irq_t flags)
{
	__asm__ volatile("msr " JIF_IRQ_MASK ", %0" : : "r"(flags) : "memory");
}

/*
 * The mask afterwards is what it was, so there is nothing to read back. Without
 * the ISB, a pending interrupt might never be taken between the two.
 */
static inline jif_irq_t jif_irq_window(jif_irq_t flags)
{
	__asm__ volatile("msr " JIF_IRQ_MASK ", %0\n\tisb"
			 :
			 : "r"(flags)
			 : "memory");
	jif_irq_mask();
	return flags;
}
#define jif_irq_window jif_irq_window

static inline bool jif_in_irq(void)
{
	uint32_t exception;

	__asm__ volatile("mrs %0, ipsr" : "=r"(exception));
	return exception;
}

/*
 * For jif_port_idle(): all interrupts off, the urgent ones too, and BASEPRI 0,
 * as what BASEPRI keeps out does not end a WFI (B1.5.19). Between the two,
 * interrupts are off as by jif_irq_save().
 */
#if CONFIG_JIF_CORTEX_M_BASEPRI

static inline jif_irq_t jif_irq_save_all(void)
{
	jif_irq_t flags;

	__asm__ volatile("mrs %0, primask\n\tcpsid i\n\tmsr basepri, %1"
			 : "=&r"(flags)
			 : "r"(0)
			 : "memory");
	return flags;
}

static inline void jif_irq_restore_all(jif_irq_t flags)
{
	__asm__ volatile("msr basepri, %0\n\tmsr primask, %1\n\tisb"
			 :
			 : "r"(CONFIG_JIF_CORTEX_M_BASEPRI), "r"(flags)
			 : "memory");
}

#else

static inline jif_irq_t jif_irq_save_all(void)
{
	return 0;
}

static inline void jif_irq_restore_all(jif_irq_t flags)
{
	(void)flags;
}

#endif

#endif
