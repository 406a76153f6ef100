/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/product/freertos.c - the product on FreeRTOS
 */
#include <FreeRTOS.h>
#include <queue.h>
#include <task.h>

#include "product.h"
#include "timers.h"

static TaskHandle_t radio, menu;
static QueueHandle_t readings;
static TimerHandle_t debounce;

static void on_press(TimerHandle_t timer)
{
	(void)timer;
	note(PRESSED);
	xTaskNotifyGive(menu);
}

void on_edge(void)
{
	xTimerResetFromISR(debounce, NULL);
}

void on_ack(void)
{
	vTaskNotifyGiveFromISR(radio, NULL);
}

void vApplicationTickHook(void)
{
	if (now == MINUTE - 1) {
		target_puts("bytes of the heap: ");
		target_put_number(configTOTAL_HEAP_SIZE -
				  xPortGetMinimumEverFreeHeapSize());
		target_puts("\n");
	}
	product_tick();
}

static void sample(void *period)
{
	uint8_t sensor = (uintptr_t)period == PERIOD_B;

	vTaskDelay(sensor ? FIRST_B : FIRST_A);
	for (;;) {
		struct message reading = { sensor, (uint8_t)now };

		note(sensor ? SAMPLED_B : SAMPLED_A);
		xQueueSend(readings, &reading, 0);
		vTaskDelay((uintptr_t)period);
	}
}

static void run_radio(void *unused)
{
	struct message message;
	unsigned tries;

	(void)unused;
	for (;;) {
		xQueueReceive(readings, &message, portMAX_DELAY);
		for (tries = TRIES; tries; tries--) {
			transmit();
			if (ulTaskNotifyTake(pdTRUE, ACK_WITHIN))
				break;
		}
		if (tries)
			hear();
		else
			note(LOST);
	}
}

static void run_menu(void *unused)
{
	(void)unused;
	for (;;) {
		ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
		note(ON);
		while (ulTaskNotifyTake(pdTRUE, MENU_TIME))
			;
		note(OFF);
	}
}

int main(void)
{
	readings = xQueueCreate(QUEUE, sizeof(struct message));
	debounce = xTimerCreate("debounce", DEBOUNCE, pdFALSE, NULL, on_press);
	xTaskCreate(run_radio, "radio", configMINIMAL_STACK_SIZE, NULL, 4,
		    &radio);
	xTaskCreate(sample, "a", configMINIMAL_STACK_SIZE, (void *)PERIOD_A, 3,
		    NULL);
	xTaskCreate(sample, "b", configMINIMAL_STACK_SIZE, (void *)PERIOD_B, 3,
		    NULL);
	xTaskCreate(run_menu, "menu", configMINIMAL_STACK_SIZE, NULL, 2, &menu);
	vTaskStartScheduler();
	return 1;
}
