/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/freertos/button.c - the button of docs/examples/freertos.c:
 * it bounces once, five ticks after it was pressed
 */
#include <FreeRTOS.h>
#include <task.h>

#include "board.h"

void button_isr(void);

void vApplicationTickHook(void)
{
	TickType_t now = xTaskGetTickCountFromISR() - configINITIAL_TICK_COUNT;

	if (now == 1195 || now == 1200)
		button_isr();
	if (now == 3000)
		board_exit(0);
}

void board_interrupt(void)
{
}
