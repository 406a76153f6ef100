/* SPDX-License-Identifier: MIT */
/* See FreeRTOS.h beside it */
#ifndef INC_QUEUE_H
#define INC_QUEUE_H

#include "task.h"

typedef struct queue *QueueHandle_t;

QueueHandle_t xQueueCreate(UBaseType_t length, UBaseType_t size);
QueueHandle_t xQueueCreateStatic(UBaseType_t length, UBaseType_t size,
				 uint8_t *storage, StaticQueue_t *memory);
BaseType_t xQueueSendToBack(QueueHandle_t queue, const void *item,
			    TickType_t ticks);
BaseType_t xQueueSendToBackFromISR(QueueHandle_t queue, const void *item,
				   BaseType_t *woken);
BaseType_t xQueueReceive(QueueHandle_t queue, void *item, TickType_t ticks);

#endif
