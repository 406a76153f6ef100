/* SPDX-License-Identifier: MIT */
/*
 * lib/port/freertos/freertos.c - FreeRTOS: its tick, and a task's notification
 *
 * A notification that comes before the task waits ends the wait at once. A tick
 * that comes then makes it end a tick late: FreeRTOS counts from its beginning.
 */
#include <jif/jiffies.h>

#include "../jif_port.h"
#include "../kernel/kernel.h"

JIF_STATIC_ASSERT(CONFIG_JIF_HZ == configTICK_RATE_HZ, "a jiffy is a tick");

/* A count of 16 bits goes on, if it is looked at before it has wrapped. */
void jif_port_count(void)
{
	TickType_t passed =
		xTaskGetTickCountFromISR() - (TickType_t)jif_jiffies;

	jif_ticks((uint32_t)passed);
}

void jif_kernel_begin(struct jif_kernel *kernel)
{
	kernel->waiter = xTaskGetCurrentTaskHandle();
}

void jif_kernel_wait(struct jif_kernel *kernel, uint32_t ticks)
{
	(void)kernel;
	if (sizeof(TickType_t) < sizeof(ticks) && ticks > INT16_MAX)
		ticks = INT16_MAX;
	ulTaskNotifyTake(pdTRUE, (TickType_t)ticks);
}

void jif_kernel_signal(struct jif_kernel *kernel)
{
	BaseType_t woken = pdFALSE;

	if (!jif_in_irq()) {
		xTaskNotifyGive((TaskHandle_t)kernel->waiter);
		return;
	}
	vTaskNotifyGiveFromISR((TaskHandle_t)kernel->waiter, &woken);
	portYIELD_FROM_ISR(woken);
}
