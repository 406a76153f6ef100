/* SPDX-License-Identifier: MIT */
/*
 * test/examples/stand-in/task.h - see FreeRTOS.h beside it
 */
#ifndef TASK_H
#define TASK_H

#include "FreeRTOS.h"

typedef struct thread *TaskHandle_t;
typedef void (*TaskFunction_t)(void *);

BaseType_t xTaskCreate(TaskFunction_t code, const char *name, uint16_t depth,
		       void *parameters, UBaseType_t priority,
		       TaskHandle_t *created);
void vTaskStartScheduler(void);
TickType_t xTaskGetTickCount(void);
TickType_t xTaskGetTickCountFromISR(void);
void vTaskDelay(TickType_t ticks);
BaseType_t xTaskNotifyGive(TaskHandle_t task);
void vTaskNotifyGiveFromISR(TaskHandle_t task, BaseType_t *woken);
uint32_t ulTaskNotifyTake(BaseType_t clear, TickType_t ticks);

#endif
