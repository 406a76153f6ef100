/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/freertos.c - any number of timers in one task of FreeRTOS
 *
 * The wheel's time is FreeRTOS's tick count. One task runs the wheel, and waits
 * for the next expiry or for a notification, which each arming sends: no
 * arming is missed between the look and the wait. Tasks and handlers arm, move
 * and delete as they like; no queue of commands lies in between.
 *
 * The port of jif for the processor keeps them out of each other's way; its
 * source, and jif_tick(), are not needed.
 */
#include <FreeRTOS.h>
#include <jif/wheel.h>
#include <task.h>

#include "board.h"

static struct jif_wheel wheel;
static TaskHandle_t timer_task;

static void run_timers(void *unused)
{
	uint32_t when;
	TickType_t wait;

	(void)unused;
	for (;;) {
		jif_wheel_run(&wheel, xTaskGetTickCount());
		wait = JIF_SLEEP_MAX;
		if (jif_wheel_next_expiry(&wheel, &when))
			wait = when - xTaskGetTickCount();
		if (wait <= JIF_SLEEP_MAX)
			ulTaskNotifyTake(pdTRUE, wait);
	}
}

/* From a task. */
static void timer_start(struct jif_timer *timer, TickType_t delay)
{
	jif_timer_mod(&wheel, timer, xTaskGetTickCount() + delay);
	xTaskNotifyGive(timer_task);
}

/* From a handler that may call FreeRTOS. */
static void timer_start_from_isr(struct jif_timer *timer, TickType_t delay)
{
	BaseType_t woken = pdFALSE;

	jif_timer_mod(&wheel, timer, xTaskGetTickCountFromISR() + delay);
	vTaskNotifyGiveFromISR(timer_task, &woken);
	portYIELD_FROM_ISR(woken);
}

static void on_silence(struct jif_timer *timer)
{
	(void)timer;
	board_log("the sensor is silent");
}

static void on_still(struct jif_timer *timer)
{
	(void)timer;
	board_log("the button is pressed");
}

static struct jif_timer silence = JIF_TIMER_INIT(on_silence);
static struct jif_timer still = JIF_TIMER_INIT(on_still);

/* Bounces: each call moves the end of the bouncing. */
void button_isr(void);
void button_isr(void)
{
	timer_start_from_isr(&still, pdMS_TO_TICKS(20));
}

/* The sensor answers three times. */
static void read_sensor(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++) {
		board_log("a reading");
		timer_start(&silence, pdMS_TO_TICKS(1000));
		vTaskDelay(pdMS_TO_TICKS(400));
	}
}

int main(void)
{
	jif_wheel_init(&wheel, xTaskGetTickCount());
	xTaskCreate(run_timers, "timers", 256, NULL, 3, &timer_task);
	xTaskCreate(read_sensor, "sensor", 256, NULL, 1, NULL);
	vTaskStartScheduler();
	return 0;
}
