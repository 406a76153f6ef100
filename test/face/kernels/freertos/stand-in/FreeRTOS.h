/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/freertos/stand-in/FreeRTOS.h - as much of FreeRTOS as the
 * tests call, where there is no FreeRTOS
 *
 * It does what FreeRTOS-Kernel V11.1.0 does, of tasks.c, queue.c and, for
 * critical sections, portable/ThirdParty/GCC/Posix/port.c. The two are compared
 * in ../rows.c and ../scenarios.c, by `make check-kernels`. Interrupts come
 * where a critical section ends. Time passes when all tasks wait, or by
 * board_tick(), so that each run is the same.
 */
#ifndef INC_FREERTOS_H
#define INC_FREERTOS_H

#include <stddef.h>
#include <stdint.h>

typedef long BaseType_t;
typedef unsigned long UBaseType_t;
typedef unsigned long StackType_t;

#include <FreeRTOSConfig.h>

#if configUSE_16_BIT_TICKS
typedef uint16_t TickType_t;
#else
typedef uint32_t TickType_t;
#endif

/* Of the stand-in's own memory, nothing is in a product's. */
typedef struct {
	void *unused[12];
} StaticTimer_t;
typedef struct {
	void *unused;
} StaticQueue_t, StaticTask_t;

#define pdFALSE				   ((BaseType_t)0)
#define pdTRUE				   ((BaseType_t)1)
#define pdFAIL				   pdFALSE
#define pdPASS				   pdTRUE
#define portMAX_DELAY			   ((TickType_t)-1)
#define pdMS_TO_TICKS(ms)		   ((TickType_t)(ms))
#define portYIELD_FROM_ISR(it)		   ((void)(it))
#define configSUPPORT_DYNAMIC_ALLOCATION   1
#define configUSE_DAEMON_TASK_STARTUP_HOOK 0

extern BaseType_t stand_in_irq;
#define JIF_FREERTOS_IN_ISR() stand_in_irq

void *pvPortMalloc(size_t size);
void vPortFree(void *memory);
size_t xPortGetFreeHeapSize(void);

#endif
