/* SPDX-License-Identifier: MIT */
/*
 * jif/face/freertos/timers.h - FreeRTOS' software timers, on a wheel
 *
 * Takes the place of FreeRTOS' timers.h: docs/kernels.md says how, and what
 * differs. A call does at once what FreeRTOS has its timer task do. Names,
 * types and results are FreeRTOS'; so is the rule for a period, which begins
 * with the tick that the call is made in. Handlers call the forms FromISR.
 */
#ifndef JIF_FREERTOS_TIMERS_H
#define JIF_FREERTOS_TIMERS_H

#if !defined(INC_FREERTOS_H)
#error "FreeRTOS.h has to be included before jif/face/freertos/timers.h"
#elif defined(TIMERS_H)
#error "jif/face/freertos/timers.h takes the place of timers.h of FreeRTOS"
#endif
#define TIMERS_H

#include <jif/compiler.h>
#include <task.h>

JIF_BEGIN_DECLS

/* What the linker sees begins with jif_: FreeRTOS' own may be there, too. */
#define JIF_FREERTOS(function) JIF_LINK_NAME("jif_" #function)

typedef struct tmrTimerControl *TimerHandle_t;
typedef void (*TimerCallbackFunction_t)(TimerHandle_t xTimer);
typedef void (*PendedFunction_t)(void *pvParameter1, uint32_t ulParameter2);

/*
 * Periods are 1 to 2^30 - 1 ticks, or a call fails and nothing has changed; so
 * it does with NULL for a timer. Nothing waits, whatever xTicksToWait is, but
 * xTimerPendFunctionCall(). Where no context is named, it is any for what asks
 * or sets a value, and else a task, or before the scheduler starts.
 */

/*
 * The first call makes the timer task, with configTIMER_TASK_PRIORITY. NULL if
 * there is no memory. The text of the name is kept by its address.
 */
TimerHandle_t xTimerCreate(const char *pcTimerName,
			   TickType_t xTimerPeriodInTicks,
			   BaseType_t xAutoReload, void *pvTimerID,
			   TimerCallbackFunction_t pxCallbackFunction)
	JIF_FREERTOS(xTimerCreate);

#if (configSUPPORT_STATIC_ALLOCATION == 1)
TimerHandle_t xTimerCreateStatic(const char *pcTimerName,
				 TickType_t xTimerPeriodInTicks,
				 BaseType_t xAutoReload, void *pvTimerID,
				 TimerCallbackFunction_t pxCallbackFunction,
				 StaticTimer_t *pxTimerBuffer)
	JIF_FREERTOS(xTimerCreateStatic);

/* pdFALSE if it is of the heap; then nothing is set. */
BaseType_t xTimerGetStaticBuffer(TimerHandle_t xTimer,
				 StaticTimer_t **ppxTimerBuffer)
	JIF_FREERTOS(xTimerGetStaticBuffer);
#endif

/* It expires a period from now, started or not. */
BaseType_t xTimerStart(TimerHandle_t xTimer, TickType_t xTicksToWait)
	JIF_FREERTOS(xTimerStart);
#define xTimerReset(xTimer, xTicksToWait) xTimerStart(xTimer, xTicksToWait)

/* Its callback is not called any more, unless it has begun. */
BaseType_t xTimerStop(TimerHandle_t xTimer, TickType_t xTicksToWait)
	JIF_FREERTOS(xTimerStop);

/* Starts it, too. */
BaseType_t xTimerChangePeriod(TimerHandle_t xTimer, TickType_t xNewPeriod,
			      TickType_t xTicksToWait)
	JIF_FREERTOS(xTimerChangePeriod);

/*
 * Memory of the heap is given back by the timer task, by the next tick; that of
 * xTimerCreateStatic() may be used again when the timer task has run.
 */
BaseType_t xTimerDelete(TimerHandle_t xTimer, TickType_t xTicksToWait)
	JIF_FREERTOS(xTimerDelete);

/*
 * For a handler that may call FreeRTOS. pxHigherPriorityTaskWoken is NULL, or
 * set to pdTRUE if the timer task has to run now.
 */
BaseType_t xTimerStartFromISR(TimerHandle_t xTimer,
			      BaseType_t *pxHigherPriorityTaskWoken)
	JIF_FREERTOS(xTimerStartFromISR);
#define xTimerResetFromISR(xTimer, pxHigherPriorityTaskWoken)                  \
	xTimerStartFromISR(xTimer, pxHigherPriorityTaskWoken)
BaseType_t xTimerStopFromISR(TimerHandle_t xTimer,
			     BaseType_t *pxHigherPriorityTaskWoken)
	JIF_FREERTOS(xTimerStopFromISR);
BaseType_t xTimerChangePeriodFromISR(TimerHandle_t xTimer,
				     TickType_t xNewPeriod,
				     BaseType_t *pxHigherPriorityTaskWoken)
	JIF_FREERTOS(xTimerChangePeriodFromISR);

/* In its own callback: pdTRUE of one that reloads. */
BaseType_t xTimerIsTimerActive(TimerHandle_t xTimer)
	JIF_FREERTOS(xTimerIsTimerActive);

/* In FreeRTOS' tick count; of a timer that is not started, anything. */
TickType_t xTimerGetExpiryTime(TimerHandle_t xTimer)
	JIF_FREERTOS(xTimerGetExpiryTime);
TickType_t xTimerGetPeriod(TimerHandle_t xTimer) JIF_FREERTOS(xTimerGetPeriod);

/* What counts is what is set when it expires. */
void vTimerSetReloadMode(TimerHandle_t xTimer, BaseType_t xAutoReload)
	JIF_FREERTOS(vTimerSetReloadMode);
BaseType_t xTimerGetReloadMode(TimerHandle_t xTimer)
	JIF_FREERTOS(xTimerGetReloadMode);
#define uxTimerGetReloadMode(xTimer) ((UBaseType_t)xTimerGetReloadMode(xTimer))

void *pvTimerGetTimerID(TimerHandle_t xTimer) JIF_FREERTOS(pvTimerGetTimerID);
void vTimerSetTimerID(TimerHandle_t xTimer, void *pvNewID)
	JIF_FREERTOS(vTimerSetTimerID);
#if (configUSE_TRACE_FACILITY == 1)
/* The product's own, and nothing until it is set. */
UBaseType_t uxTimerGetTimerNumber(TimerHandle_t xTimer)
	JIF_FREERTOS(uxTimerGetTimerNumber);
void vTimerSetTimerNumber(TimerHandle_t xTimer, UBaseType_t uxTimerNumber)
	JIF_FREERTOS(vTimerSetTimerNumber);
#endif
const char *pcTimerGetName(TimerHandle_t xTimer) JIF_FREERTOS(pcTimerGetName);

#if (INCLUDE_xTimerPendFunctionCall == 1)
/*
 * After the first xTimerCreate() or the start of the scheduler, in a task or,
 * without a wait, in a handler. pdFAIL if configTIMER_QUEUE_LENGTH calls wait,
 * at the end of xTicksToWait still.
 */
BaseType_t xTimerPendFunctionCall(PendedFunction_t xFunctionToPend,
				  void *pvParameter1, uint32_t ulParameter2,
				  TickType_t xTicksToWait)
	JIF_FREERTOS(xTimerPendFunctionCall);
BaseType_t xTimerPendFunctionCallFromISR(PendedFunction_t xFunctionToPend,
					 void *pvParameter1,
					 uint32_t ulParameter2,
					 BaseType_t *pxHigherPriorityTaskWoken)
	JIF_FREERTOS(xTimerPendFunctionCallFromISR);
#endif

/* NULL before there is one. */
TaskHandle_t xTimerGetTimerDaemonTaskHandle(void)
	JIF_FREERTOS(xTimerGetTimerDaemonTaskHandle);

/* For FreeRTOS' tasks.c, with configUSE_TIMERS. */
BaseType_t xTimerCreateTimerTask(void) JIF_FREERTOS(xTimerCreateTimerTask);
void vTimerResetState(void) JIF_FREERTOS(vTimerResetState);

JIF_END_DECLS

#endif
