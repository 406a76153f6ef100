/* SPDX-License-Identifier: MIT */
/* See FreeRTOS.h beside it; one task takes a semaphore */
#ifndef SEMAPHORE_H
#define SEMAPHORE_H

#include "queue.h"

typedef QueueHandle_t SemaphoreHandle_t;

SemaphoreHandle_t xSemaphoreCreateBinary(void);
BaseType_t xSemaphoreGive(SemaphoreHandle_t semaphore);
BaseType_t xSemaphoreGiveFromISR(SemaphoreHandle_t semaphore,
				 BaseType_t *woken);
BaseType_t xSemaphoreTake(SemaphoreHandle_t semaphore, TickType_t ticks);

#endif
