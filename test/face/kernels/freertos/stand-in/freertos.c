/* SPDX-License-Identifier: MIT */
/* See FreeRTOS.h beside it */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"
#include "semphr.h"
#include "threads.h"

#define HEAP	 100000
#define FOR_EVER 0x7fffffff

struct queue {
	UBaseType_t length, size, first, count;
	struct thread *taker; /* of a semaphore */
	char items[];
};

BaseType_t stand_in_irq;

static size_t heap = HEAP;
static unsigned nesting;
static uint32_t seed;
static bool started, pending;
static uint32_t until_interrupt;

void vApplicationTickHook(void);

/* --- memory --------------------------------------------------------------- */

void *pvPortMalloc(size_t size)
{
	size_t *memory = malloc(sizeof(*memory) + size);

	if (size > heap) {
		free(memory);
		return NULL;
	}
	heap -= *memory = size;
	return memory + 1;
}

void vPortFree(void *memory)
{
	size_t *size = (size_t *)memory - 1;

	heap += *size;
	memset(memory, 0xa5, *size);
	free(size);
}

size_t xPortGetFreeHeapSize(void)
{
	return heap;
}

/* --- interrupts ----------------------------------------------------------- */

static void on_interrupt(void)
{
	stand_in_irq = pdTRUE;
	board_interrupt();
	stand_in_irq = pdFALSE;
}

static void on_tick(uint32_t since_start)
{
	stand_in_irq = pdTRUE;
	vApplicationTickHook();
	stand_in_irq = pdFALSE;
}

void taskENTER_CRITICAL(void)
{
	if (stand_in_irq)
		board_assert("a handler calls what is for tasks", 0);
	nesting++;
}

/* Tasks that the handler has woken go first. */
void taskEXIT_CRITICAL(void)
{
	if (!nesting || stand_in_irq)
		board_assert("a critical section ends that is none", 0);
	if (--nesting)
		return;
	if (until_interrupt && !--until_interrupt)
		thread_interrupt(on_interrupt);
	if (!started)
		return;
	seed = seed * 1664525 + 1013904223;
	if (seed >> 28 && !pending)
		return;
	pending = false;
	thread_interrupt(on_interrupt);
}

UBaseType_t taskENTER_CRITICAL_FROM_ISR(void)
{
	if (!stand_in_irq)
		board_assert("a task calls what is for handlers", 0);
	return 5;
}

void taskEXIT_CRITICAL_FROM_ISR(UBaseType_t mask)
{
	if (!stand_in_irq || mask != 5)
		board_assert("a handler gives back another mask", 0);
}

/* --- tasks ---------------------------------------------------------------- */

static void may_wait(void)
{
	if (nesting || stand_in_irq)
		board_assert("waits in a critical section or a handler", 0);
}

BaseType_t xTaskCreate(TaskFunction_t code, const char *name, uint16_t depth,
		       void *parameters, UBaseType_t priority,
		       TaskHandle_t *created)
{
	struct thread *thread = thread_create(code, parameters, (int)priority);

	if (created)
		*created = thread;
	return pdPASS;
}

TaskHandle_t xTaskCreateStatic(TaskFunction_t code, const char *name,
			       uint32_t depth, void *parameters,
			       UBaseType_t priority, StackType_t *stack,
			       StaticTask_t *memory)
{
	return thread_create(code, parameters, (int)priority);
}

void vTaskStartScheduler(void)
{
	thread_irq = on_tick;
	thread_run(FOR_EVER);
}

TaskHandle_t xTaskGetCurrentTaskHandle(void)
{
	return thread_self();
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
	may_wait();
	thread_sleep(ticks);
}

void vTaskSuspend(TaskHandle_t task)
{
	may_wait();
	thread_sleep(FOREVER);
}

void vTaskDelete(TaskHandle_t task)
{
	vTaskSuspend(task);
}

BaseType_t xTaskNotifyGiveIndexed(TaskHandle_t task, UBaseType_t index)
{
	if (stand_in_irq)
		board_assert("a handler calls what is for tasks", 0);
	thread_give_kind(task, index);
	return pdPASS;
}

void vTaskNotifyGiveIndexedFromISR(TaskHandle_t task, UBaseType_t index,
				   BaseType_t *woken)
{
	if (!stand_in_irq)
		board_assert("a task calls what is for handlers", 0);
	if (thread_give_kind(task, index) && woken)
		*woken = pdTRUE;
}

uint32_t ulTaskNotifyTakeIndexed(UBaseType_t index, BaseType_t clear,
				 TickType_t ticks)
{
	may_wait();
	if (!clear || index >= configTASK_NOTIFICATION_ARRAY_ENTRIES)
		abort();
	return thread_take_kind(index,
				ticks == portMAX_DELAY ? FOREVER : ticks);
}

/* --- queues --------------------------------------------------------------- */

QueueHandle_t xQueueCreate(UBaseType_t length, UBaseType_t size)
{
	struct queue *queue = calloc(1, sizeof(*queue) + length * size);

	queue->length = length;
	queue->size = size;
	return queue;
}

QueueHandle_t xQueueCreateStatic(UBaseType_t length, UBaseType_t size,
				 uint8_t *storage, StaticQueue_t *memory)
{
	return xQueueCreate(length, size);
}

BaseType_t xQueueSendToBackFromISR(QueueHandle_t queue, const void *item,
				   BaseType_t *woken)
{
	UBaseType_t at = (queue->first + queue->count) % queue->length;

	if (queue->count == queue->length)
		return pdFAIL;
	memcpy(queue->items + at * queue->size, item, queue->size);
	queue->count++;
	return pdPASS;
}

BaseType_t xQueueSendToBack(QueueHandle_t queue, const void *item,
			    TickType_t ticks)
{
	if (ticks)
		abort();
	return xQueueSendToBackFromISR(queue, item, NULL);
}

BaseType_t xQueueReceive(QueueHandle_t queue, void *item, TickType_t ticks)
{
	if (ticks)
		abort();
	if (!queue->count)
		return pdFAIL;
	memcpy(item, queue->items + queue->first * queue->size, queue->size);
	queue->first = (queue->first + 1) % queue->length;
	queue->count--;
	return pdPASS;
}

/* --- semaphores ----------------------------------------------------------- */

SemaphoreHandle_t xSemaphoreCreateBinary(void)
{
	return xQueueCreate(1, 0);
}

BaseType_t xSemaphoreGiveFromISR(SemaphoreHandle_t semaphore, BaseType_t *woken)
{
	if (semaphore->count)
		return pdFAIL;
	semaphore->count = 1;
	if (semaphore->taker && thread_give_kind(semaphore->taker, 1) && woken)
		*woken = pdTRUE;
	return pdPASS;
}

BaseType_t xSemaphoreGive(SemaphoreHandle_t semaphore)
{
	if (stand_in_irq)
		board_assert("a handler calls what is for tasks", 0);
	return xSemaphoreGiveFromISR(semaphore, NULL);
}

BaseType_t xSemaphoreTake(SemaphoreHandle_t semaphore, TickType_t ticks)
{
	BaseType_t taken;

	may_wait();
	semaphore->taker = thread_self();
	thread_take_kind(1, semaphore->count ? 0 : ticks);
	taken = (BaseType_t)semaphore->count;
	semaphore->count = 0;
	return taken;
}

/* --- the board ------------------------------------------------------------ */

void board_start(uint32_t start)
{
	seed = start;
	started = true;
}

void board_interrupt_at(uint32_t number)
{
	until_interrupt = number + 1;
}

void board_pend(void)
{
	pending = true;
}

void board_hold_ticks(void)
{
}

void board_tick(void)
{
	thread_tick();
}

void board_say(const char *text, uint32_t number)
{
	printf("%s: %u\n", text, (unsigned)number);
}

void board_exit(int status)
{
	exit(status);
}

void board_assert(const char *text, int line)
{
	fprintf(stderr, "%s: %d\n", text, line);
	exit(1);
}

void jif_panic(const char *why)
{
	board_assert(why, 0);
	abort();
}
