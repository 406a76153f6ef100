/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/freertos/rows.c - what FreeRTOS does, row by row
 *
 * Says what is seen of tasks and timers, for a comparison: the same with
 * FreeRTOS and its stand-in, and with FreeRTOS' timers and those of jif.
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
static uint32_t calls, active_within, last, order;
static bool stop_within;

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
	calls++;
	last = now();
	active_within = (uint32_t)xTimerIsTimerActive(timer);
	order = order * 10 + (uint32_t)(uintptr_t)pvTimerGetTimerID(timer);
	if (stop_within)
		xTimerStop(timer, 0);
}

static void say_timer(const char *what, TimerHandle_t timer)
{
	board_say(what, calls);
	board_say("  is active", (uint32_t)xTimerIsTimerActive(timer));
	board_say("  was so within", active_within);
	calls = 0;
}

static void once(TimerHandle_t timer)
{
	uint32_t begin;

	board_say("new: active", (uint32_t)xTimerIsTimerActive(timer));
	board_say("new: period", (uint32_t)xTimerGetPeriod(timer));
	board_say("new: reloads", (uint32_t)xTimerGetReloadMode(timer));
	board_say("new: name", (uint32_t)pcTimerGetName(timer)[0]);
	begin = now();
	board_say("start", (uint32_t)xTimerStart(timer, 0));
	board_say("started: active", (uint32_t)xTimerIsTimerActive(timer));
	board_say("started: due in",
		  (uint32_t)(xTimerGetExpiryTime(timer) - xTaskGetTickCount()));
	vTaskDelay(7);
	xTimerReset(timer, 0);
	vTaskDelay(30);
	say_timer("reset after 7", timer);
	board_say("  after so many ticks", last - begin);
	xTimerStart(timer, 0);
	vTaskDelay(9);
	board_say("stop", (uint32_t)xTimerStop(timer, 0));
	vTaskDelay(30);
	say_timer("stopped after 9", timer);
	begin = now();
	board_say("change", (uint32_t)xTimerChangePeriod(timer, 4, 0));
	vTaskDelay(30);
	say_timer("of another period", timer);
	board_say("  after so many ticks", last - begin);
#ifdef JIF_FREERTOS_TIMERS_H /* FreeRTOS' own is an assertion. */
	configASSERT(!xTimerStart((TimerHandle_t)NULL, 0));
#endif
}

static void again(TimerHandle_t timer)
{
	vTimerSetReloadMode(timer, pdTRUE);
	xTimerStart(timer, 0);
	vTaskDelay(10);
	board_say("due in",
		  (uint32_t)(xTimerGetExpiryTime(timer) - xTaskGetTickCount()));
	say_timer("each 4, for 10", timer);
	vTimerSetReloadMode(timer, pdFALSE);
	vTaskDelay(20);
	say_timer("no more than once", timer);
	vTimerSetReloadMode(timer, pdTRUE);
	stop_within = true;
	xTimerStart(timer, 0);
	vTaskDelay(20);
	stop_within = false;
	say_timer("stopped by its callback", timer);
}

static void several(void)
{
	static TimerHandle_t timers[3];

	order = 0;
	for (uintptr_t i = 0; i < 3; i++)
		timers[i] = xTimerCreate("t", 6 - i, pdFALSE, (void *)(i + 1),
					 on_expiry);
	for (int i = 0; i < 3; i++) {
		xTimerStart(timers[i], 0);
		vTaskDelay(1);
	}
	vTaskDelay(20);
	board_say("of one tick, in the order of starts", order);
	for (int i = 0; i < 3; i++)
		board_say("delete", (uint32_t)xTimerDelete(timers[i], 0));
}

static void on_call(void *parameter, uint32_t by)
{
	*(uint32_t *)parameter += by;
}

/* A callback uses its task's notification, as with FreeRTOS' own timers. */
static volatile uint32_t given, waited, ran_at;
static uint32_t may_wait;

static void on_wait(TimerHandle_t timer)
{
	uint32_t begin = now();

	given = ulTaskNotifyTake(pdTRUE, may_wait);
	waited = now() - begin;
}

static void note_call(void *parameter, uint32_t since)
{
	ran_at = now() - since;
}

static void begin_wait(uint32_t ticks)
{
	static TimerHandle_t timer;

	if (!timer)
		timer = xTimerCreate("wait", 1, pdFALSE, NULL, on_wait);
	given = 99;
	may_wait = ticks;
	xTimerStart(timer, 0);
	vTaskDelay(1);
}

static void say_wait(const char *what)
{
	vTaskDelay(50);
	board_say(what, given);
	board_say("  has waited for", waited);
}

static void notified(void)
{
	TaskHandle_t timers = xTimerGetTimerDaemonTaskHandle();
	uint32_t begin;

	xTaskNotifyGive(timers);
	vTaskDelay(1);
	begin_wait(0);
	say_wait("a callback takes what came before");
	begin_wait(20);
	vTaskDelay(3);
	xTaskNotifyGive(timers);
	say_wait("a callback takes what comes");
	begin_wait(20);
	begin = now();
	vTaskDelay(5);
	xTimerPendFunctionCall(note_call, NULL, begin, 0);
	say_wait("a callback takes nothing");
	board_say("  what was pended meanwhile ran after", ran_at);
	begin_wait(20);
	vTaskDelay(5);
	xTimerStart(xTimerCreate("far", 40, pdFALSE, NULL, on_expiry), 0);
	say_wait("a callback takes nothing");
}

static void add_order(void *parameter, uint32_t digit)
{
	order = order * 10 + digit;
}

static void on_pend(TimerHandle_t timer)
{
	on_expiry(timer);
	if (order < 10)
		for (uint32_t i = 8; i <= 9; i++)
			xTimerPendFunctionCall(add_order, NULL, i, 0);
}

static void pended(void)
{
	order = 0;
	for (uintptr_t i = 1; i <= 3; i++)
		xTimerStart(xTimerCreate("t", 5, pdFALSE, (void *)i, on_pend),
			    0);
	vTaskDelay(20);
	board_say("two that the first of three callbacks pends", order);
}

static void test(void *unused)
{
	TimerHandle_t timer;
	uint32_t sum = 0;

	vTaskDelay(1);
	notifications();
	queues();
	semaphores();
	timer = xTimerCreate("timer", 20, pdFALSE, NULL, on_expiry);
	once(timer);
	again(timer);
	several();
	notified();
	pended();
	board_say("pend",
		  (uint32_t)xTimerPendFunctionCall(on_call, &sum, 5, 0));
	board_say("it was called at once", sum);
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
