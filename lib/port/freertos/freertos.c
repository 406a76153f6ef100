/* SPDX-License-Identifier: MIT */
/*
 * lib/port/freertos/freertos.c - FreeRTOS: its tick, and what a task waits on
 *
 * A signal that comes before the task waits ends the wait at once. A tick that
 * comes then makes it end a tick late: FreeRTOS counts from its beginning.
 * It is the last of several notifications of the task, or else a semaphore.
 */
#include <FreeRTOS.h>
#include <semphr.h>

#include "../jif_port.h"
#include "../kernel/kernel.h"

JIF_STATIC_ASSERT(CONFIG_JIF_HZ == configTICK_RATE_HZ, "a jiffy is a tick");

/* A count of 16 bits goes on, if it is looked at before it has wrapped. */
void jif_port_count(void)
{
	TickType_t passed =
		xTaskGetTickCountFromISR() - (TickType_t)jif_jiffies;

	if (passed)
		jif_count((uint32_t)passed);
}

#if configTASK_NOTIFICATION_ARRAY_ENTRIES > 1
#define LAST	   (configTASK_NOTIFICATION_ARRAY_ENTRIES - 1)
#define MAKE()	   xTaskGetCurrentTaskHandle()
#define TAKE(s, t) ulTaskNotifyTakeIndexed(LAST, pdTRUE, t)
#define GIVE(s)	   xTaskNotifyGiveIndexed((TaskHandle_t)(s), LAST)
#define GIVE_FROM_ISR(s, woken)                                                \
	vTaskNotifyGiveIndexedFromISR((TaskHandle_t)(s), LAST, woken)
#elif configSUPPORT_DYNAMIC_ALLOCATION == 1
#define MAKE()	   xSemaphoreCreateBinary()
#define TAKE(s, t) xSemaphoreTake((SemaphoreHandle_t)(s), t)
#define GIVE(s)	   xSemaphoreGive((SemaphoreHandle_t)(s))
#define GIVE_FROM_ISR(s, woken)                                                \
	xSemaphoreGiveFromISR((SemaphoreHandle_t)(s), woken)
#else
#error "configTASK_NOTIFICATION_ARRAY_ENTRIES has to be 2: see docs/kernels.md"
#endif

void jif_kernel_begin(struct jif_kernel *kernel)
{
	kernel->waiter = MAKE();
	configASSERT(kernel->waiter);
}

void jif_kernel_wait(struct jif_kernel *kernel, uint32_t ticks)
{
	(void)kernel;
	if (sizeof(TickType_t) < sizeof(ticks) && ticks > INT16_MAX)
		ticks = INT16_MAX;
	TAKE(kernel->waiter, (TickType_t)ticks);
}

void jif_kernel_signal_from(struct jif_kernel *kernel, BaseType_t *woken)
{
	GIVE_FROM_ISR(kernel->waiter, woken);
}

void jif_kernel_signal(struct jif_kernel *kernel)
{
	BaseType_t woken = pdFALSE;

	if (!jif_in_irq()) {
		GIVE(kernel->waiter);
		return;
	}
	jif_kernel_signal_from(kernel, &woken);
	portYIELD_FROM_ISR(woken);
}
