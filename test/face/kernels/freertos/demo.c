/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/freertos/demo.c - runs FreeRTOS'
 * Demo/Common/Minimal/TimerDemo.c
 *
 * As it is, that demonstration wants one refusal: before the scheduler starts,
 * as many commands as configTIMER_QUEUE_LENGTH fill FreeRTOS' queue, and one
 * more start has to fail. jif has no queue, so this file refuses that one.
 */
#include <FreeRTOS.h>
#include <task.h>

#include "board.h"
#include "timers.h"

#define CYCLE 2000

/* Of TimerDemo.h. */
void vStartTimerDemoTask(TickType_t xBaseFrequencyIn);
BaseType_t xAreTimerDemoTasksStillRunning(TickType_t xCycleFrequency);
void vTimerPeriodicISRTests(void);
void vTimerDemoIncludeBacklogTests(BaseType_t includeBacklogTests);

BaseType_t __real_jif_xTimerStart(TimerHandle_t timer, TickType_t wait);
BaseType_t __wrap_jif_xTimerStart(TimerHandle_t timer, TickType_t wait);

BaseType_t __wrap_jif_xTimerStart(TimerHandle_t timer, TickType_t wait)
{
	static unsigned starts;

	if (xTaskGetSchedulerState() == taskSCHEDULER_NOT_STARTED &&
	    starts++ == configTIMER_QUEUE_LENGTH)
		return pdFAIL;
	return __real_jif_xTimerStart(timer, wait);
}

void vApplicationTickHook(void)
{
	vTimerPeriodicISRTests();
}

void board_interrupt(void)
{
}

/* Each of its tests, some three times. */
static void watch(void *unused)
{
	for (unsigned i = 0; i < 10; i++) {
		vTaskDelay(CYCLE);
		if (xAreTimerDemoTasksStillRunning(CYCLE) != pdPASS)
			board_exit(1);
	}
	board_exit(0);
}

int main(void)
{
	vTimerDemoIncludeBacklogTests(pdTRUE);
	vStartTimerDemoTask(50);
	xTaskCreate(watch, "watch", 256, NULL, 1, NULL);
	vTaskStartScheduler();
	return 1;
}
