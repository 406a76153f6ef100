/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/freertos/FreeRTOSConfig.h - FreeRTOS as the tests have it,
 * on Linux and on the board of cm3.c; TICKLESS, SYSCALL_PRIORITY, STACK,
 * NOTIFICATIONS and SCENARIOS may be given
 */
#pragma once

#include <stdint.h>

#ifndef TICKLESS
#define TICKLESS 0
#endif

/* Urgent enough to leave room for handlers above and below. */
#ifndef SYSCALL_PRIORITY
#define SYSCALL_PRIORITY 0x40
#endif

#ifndef STACK
#define STACK 256
#endif

/* FreeRTOS' default is 1. */
#ifndef NOTIFICATIONS
#define NOTIFICATIONS 2
#endif

/* As scenarios.c needs it, with ticks of 16 or 32 bits. */
#ifndef SCENARIOS
#define SCENARIOS 0
#endif

#define configUSE_PREEMPTION		      1
#define configUSE_TICKLESS_IDLE		      TICKLESS
#define configUSE_IDLE_HOOK		      0
#define configUSE_TICK_HOOK		      1
#define configUSE_16_BIT_TICKS		      (SCENARIOS == 16)
#define configTICK_RATE_HZ		      1000
#define configINITIAL_TICK_COUNT	      ((TickType_t)0 - 1000)
#define configMINIMAL_STACK_SIZE	      STACK
#define configTOTAL_HEAP_SIZE		      100000
#define configMAX_TASK_NAME_LEN		      12
#define configMAX_PRIORITIES		      8
#define configUSE_MUTEXES		      1
#define configSUPPORT_STATIC_ALLOCATION	      (SCENARIOS != 0)
#define configUSE_TRACE_FACILITY	      (SCENARIOS != 0)

#define configTASK_NOTIFICATION_ARRAY_ENTRIES NOTIFICATIONS

#define configUSE_TIMERS		      1
#define configTIMER_TASK_PRIORITY	      6
#define configTIMER_QUEUE_LENGTH	      20
#define configTIMER_TASK_STACK_DEPTH	      (2 * STACK)

#define INCLUDE_vTaskDelay		      1
#define INCLUDE_vTaskDelete		      1
#define INCLUDE_vTaskPrioritySet	      1
#define INCLUDE_vTaskSuspend		      1
#define INCLUDE_uxTaskPriorityGet	      1
#define INCLUDE_xTaskGetCurrentTaskHandle     1
#define INCLUDE_xTimerPendFunctionCall	      1

#if SCENARIOS
#define configSTACK_DEPTH_TYPE uint32_t
#endif

#if defined(__arm__)
#define configCPU_CLOCK_HZ		     25000000
#define configKERNEL_INTERRUPT_PRIORITY	     0xff
#define configMAX_SYSCALL_INTERRUPT_PRIORITY SYSCALL_PRIORITY
#define vPortSVCHandler			     SVC_Handler
#define xPortPendSVHandler		     PendSV_Handler
#define xPortSysTickHandler		     SysTick_Handler
#endif

/* The boards' own. */
void board_assert(const char *file, int line);
void board_sleep(void);
#define configPRE_SLEEP_PROCESSING(ticks) board_sleep()

#define configASSERT(x)                                                        \
	do {                                                                   \
		if (!(x))                                                      \
			board_assert(__FILE__, __LINE__);                      \
	} while (0)
