/* SPDX-License-Identifier: MIT */
/*
 * test/examples/stand-in/freertos.c - see FreeRTOS.h beside it
 */
#include <stdlib.h>

#include "task.h"
#include "threads.h"

/* The example's handler of a button, which is pressed twice. */
void button_isr(void);

BaseType_t xTaskCreate(TaskFunction_t code, const char *name, uint16_t depth,
		       void *parameters, UBaseType_t priority,
		       TaskHandle_t *created)
{
	struct thread *thread = thread_create(code, parameters, (int)priority);

	(void)name;
	(void)depth;
	if (created)
		*created = thread;
	return pdPASS;
}

static void press(uint32_t since_start)
{
	if (since_start == 1200 || since_start == 1205)
		button_isr();
}

void vTaskStartScheduler(void)
{
	thread_irq = press;
	thread_run(3000);
	exit(0);
}

TickType_t xTaskGetTickCount(void)
{
	return thread_ticks();
}

TickType_t xTaskGetTickCountFromISR(void)
{
	return thread_ticks();
}

void vTaskDelay(TickType_t ticks)
{
	thread_take(ticks);
}

BaseType_t xTaskNotifyGive(TaskHandle_t task)
{
	thread_give(task);
	return pdPASS;
}

void vTaskNotifyGiveFromISR(TaskHandle_t task, BaseType_t *woken)
{
	thread_give(task);
	*woken = pdTRUE;
}

/* The example clears the count. */
uint32_t ulTaskNotifyTake(BaseType_t clear, TickType_t ticks)
{
	if (!clear)
		abort();
	return thread_take(ticks == portMAX_DELAY ? FOREVER : ticks);
}
