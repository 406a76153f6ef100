/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/freertos/rows.c - what FreeRTOS' tasks and queues do
 *
 * Row by row, for a comparison: the same with FreeRTOS and its stand-in.
 */
#include <FreeRTOS.h>
#include <semphr.h>
#include <stdbool.h>
#include <task.h>

#include "board.h"
#include "timers.h"

static TaskHandle_t higher;
static volatile uint32_t taken;
static volatile bool ask;
static volatile uint32_t woken_waiting, woken_ready;

void board_interrupt(void)
{
}

static uint32_t now(void)
{
	return (uint32_t)(xTaskGetTickCount() - configINITIAL_TICK_COUNT);
}

static void take(void *unused)
{
	for (;;)
		taken += ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
}

/* The second notification finds the task woken. */
void vApplicationTickHook(void)
{
	BaseType_t first = pdFALSE, second = pdFALSE;

	if (!ask)
		return;
	ask = false;
	vTaskNotifyGiveFromISR(higher, &first);
	vTaskNotifyGiveFromISR(higher, &second);
	woken_waiting = (uint32_t)first;
	woken_ready = (uint32_t)second;
}

static void notifications(void)
{
	TaskHandle_t self = xTaskGetCurrentTaskHandle();
	uint32_t begin = now();

	xTaskNotifyGive(self);
	xTaskNotifyGive(self);
	board_say("two that came before", ulTaskNotifyTake(pdTRUE, 9));
	board_say("and after so many ticks", now() - begin);
	board_say("none", ulTaskNotifyTake(pdTRUE, 0));
	begin = now();
	board_say("none for five ticks", ulTaskNotifyTake(pdTRUE, 5));
	board_say("and after so many ticks", now() - begin);
	xTaskNotifyGive(higher);
	board_say("a higher task runs at once", taken);
	ask = true;
	vTaskDelay(2);
	board_say("a handler wakes one that waits", woken_waiting);
	board_say("and one that does not", woken_ready);
	board_say("it has taken", taken);
	xTaskNotifyGive(self);
	begin = now();
	vTaskDelay(3);
	board_say("a delay is not ended", now() - begin);
	board_say("by what is kept", ulTaskNotifyTake(pdTRUE, 0));
}

static void queues(void)
{
	QueueHandle_t queue = xQueueCreate(2, sizeof(uint32_t));
	uint32_t item = 7, got = 0;

	xQueueSendToBack(queue, &item, 0);
	item++;
	board_say("a second item", (uint32_t)xQueueSendToBack(queue, &item, 0));
	board_say("a third one", (uint32_t)xQueueSendToBack(queue, &item, 0));
	xQueueReceive(queue, &got, 0);
	board_say("the first is", got);
	xQueueReceive(queue, &got, 0);
	board_say("of none", (uint32_t)xQueueReceive(queue, &got, 0));
}

static void semaphores(void)
{
	SemaphoreHandle_t semaphore = xSemaphoreCreateBinary();
	uint32_t begin = now();

	board_say("a semaphore, given", (uint32_t)xSemaphoreGive(semaphore));
	board_say("once more", (uint32_t)xSemaphoreGive(semaphore));
	board_say("taken", (uint32_t)xSemaphoreTake(semaphore, 5));
	board_say("once more", (uint32_t)xSemaphoreTake(semaphore, 5));
	board_say("and after so many ticks", now() - begin);
}

static void on_expiry(TimerHandle_t timer)
{
}

#ifdef JIF_FREERTOS_TIMERS_H /* FreeRTOS' own is an assertion. */
static void none(void)
{
	configASSERT(!xTimerStart((TimerHandle_t)NULL, 0));
}
#else
static void none(void)
{
}
#endif

static void test(void *unused)
{
	vTaskDelay(1);
	notifications();
	queues();
	semaphores();
	none();
	board_exit(0);
}

int main(void)
{
	xTimerCreate("first", 1, pdFALSE, NULL, on_expiry);
	xTaskCreate(take, "higher", 256, NULL, 4, &higher);
	xTaskCreate(test, "test", 256, NULL, 2, NULL);
	vTaskStartScheduler();
	return 1;
}
