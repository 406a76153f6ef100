/* SPDX-License-Identifier: MIT */
/* See FreeRTOS.h beside it */
#ifndef INC_TASK_H
#define INC_TASK_H

#include "FreeRTOS.h"

typedef struct thread *TaskHandle_t;
typedef void (*TaskFunction_t)(void *);

BaseType_t xTaskCreate(TaskFunction_t code, const char *name, uint16_t depth,
		       void *parameters, UBaseType_t priority,
		       TaskHandle_t *created);
TaskHandle_t xTaskCreateStatic(TaskFunction_t code, const char *name,
			       uint32_t depth, void *parameters,
			       UBaseType_t priority, StackType_t *stack,
			       StaticTask_t *memory);
void vTaskStartScheduler(void);
TaskHandle_t xTaskGetCurrentTaskHandle(void);
TickType_t xTaskGetTickCount(void);
TickType_t xTaskGetTickCountFromISR(void);
void vTaskDelay(TickType_t ticks);
void vTaskSuspend(TaskHandle_t task);
void vTaskDelete(TaskHandle_t task);
BaseType_t xTaskNotifyGiveIndexed(TaskHandle_t task, UBaseType_t index);
void vTaskNotifyGiveIndexedFromISR(TaskHandle_t task, UBaseType_t index,
				   BaseType_t *woken);
uint32_t ulTaskNotifyTakeIndexed(UBaseType_t index, BaseType_t clear,
				 TickType_t ticks);
#define xTaskNotifyGive(task) xTaskNotifyGiveIndexed(task, 0)
#define vTaskNotifyGiveFromISR(task, woken)                                    \
	vTaskNotifyGiveIndexedFromISR(task, 0, woken)
#define ulTaskNotifyTake(clear, ticks) ulTaskNotifyTakeIndexed(0, clear, ticks)

void taskENTER_CRITICAL(void);
void taskEXIT_CRITICAL(void);
UBaseType_t taskENTER_CRITICAL_FROM_ISR(void);
void taskEXIT_CRITICAL_FROM_ISR(UBaseType_t mask);

#endif
