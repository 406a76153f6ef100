/* SPDX-License-Identifier: MIT */
/*
 * jif_esp_idf.h - the port for tasks and handlers, as ESP-IDF turns interrupts
 * off on a core; with two, CONFIG_JIF_SMP=1 adds the lock
 */
#ifndef JIF_ESP_IDF_H
#define JIF_ESP_IDF_H

#include <freertos/FreeRTOS.h>
#include <stdbool.h>

typedef UBaseType_t jif_irq_t;

static inline jif_irq_t jif_irq_save(void)
{
	return (jif_irq_t)portSET_INTERRUPT_MASK_FROM_ISR();
}

static inline void jif_irq_restore(jif_irq_t flags)
{
	portCLEAR_INTERRUPT_MASK_FROM_ISR(flags);
}

static inline bool jif_in_irq(void)
{
	return xPortInIsrContext();
}

#endif
