/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/freertos.c - any number of timers in one task of FreeRTOS
 *
 * Compiled with -DJIF_PORT='"freertos/jif_port.h"', as lib/ is: jiffies are
 * FreeRTOS' ticks. One task runs the timers. All others, and handlers, arm
 * them, move and delete; no queue of commands lies in between.
 */
#include <FreeRTOS.h>
#include <jif/face/kernel.h>
#include <task.h>

#include "board.h"

static struct jif_kernel timers;

static void run_timers(void *unused)
{
	(void)unused;
	jif_kernel_run(&timers);
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
	if (jif_kernel_mod_in(&timers, &still, pdMS_TO_TICKS(20)) < 0)
		board_log("refused");
}

/* The sensor answers three times. */
static void read_sensor(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++) {
		board_log("a reading");
		if (jif_kernel_mod_in(&timers, &silence, pdMS_TO_TICKS(1000)) <
		    0)
			board_log("refused");
		vTaskDelay(pdMS_TO_TICKS(400));
	}
	vTaskDelete(NULL);
}

int main(void)
{
	jif_kernel_init(&timers);
	xTaskCreate(run_timers, "timers", 256, NULL, 3, NULL);
	xTaskCreate(read_sensor, "sensor", 256, NULL, 1, NULL);
	vTaskStartScheduler();
	return 0;
}
