/* SPDX-License-Identifier: MIT */
/*
 * jif/freertos/timers.h - FreeRTOS' software timers, on a wheel
 *
 * Takes the place of FreeRTOS' timers.h: by its own name in one file, or for a
 * whole product, its copy of FreeRTOS too, by the folder of this file in front
 * of FreeRTOS' in the include path; FreeRTOS' timers.c is left out then. A call
 * does at once what FreeRTOS has its timer task do: no queue lies in between,
 * and xTicksToWait is not waited for. docs/kernels.md lists what differs.
 *
 * Names, types and results are FreeRTOS'. Handlers call the forms that end in
 * FromISR, and only those.
 */
#ifndef JIF_FREERTOS_TIMERS_H
#define JIF_FREERTOS_TIMERS_H

#if !defined(INC_FREERTOS_H)
#error "FreeRTOS.h has to be included before jif/freertos/timers.h"
#elif defined(TIMERS_H)
#error "jif/freertos/timers.h takes the place of timers.h of FreeRTOS"
#endif
#define TIMERS_H

#include <jif/compiler.h>
#include <task.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the linker sees begins with jif_: FreeRTOS' own may be there, too. */
#define JIF_FREERTOS(function) JIF_LINK_NAME("jif_" #function)

typedef struct tmrTimerControl *TimerHandle_t;
typedef void (*TimerCallbackFunction_t)(TimerHandle_t xTimer);
typedef void (*PendedFunction_t)(void *pvParameter1, uint32_t ulParameter2);

/**
 * xTimerCreate - make a timer, which is not started
 * @pcTimerName:	text, which is kept by its address
 * @xTimerPeriodInTicks: 1 to 2^30 - 1
 * @xAutoReload:	pdFALSE: it expires once for each start
 * @pvTimerID:		anything
 * @pxCallbackFunction:	is called by the timer task
 *
 * The first call makes the timer task, with configTIMER_TASK_PRIORITY.
 *
 * Context: a task, or before the scheduler starts.
 * Return: the timer; NULL if there is no memory, or the period is not one.
 */
TimerHandle_t xTimerCreate(const char *pcTimerName,
			   TickType_t xTimerPeriodInTicks,
			   BaseType_t xAutoReload, void *pvTimerID,
			   TimerCallbackFunction_t pxCallbackFunction)
	JIF_FREERTOS(xTimerCreate);

#if (configSUPPORT_STATIC_ALLOCATION == 1)
/**
 * xTimerCreateStatic - as xTimerCreate(), in memory of the caller's
 * @pcTimerName:	as for xTimerCreate()
 * @xTimerPeriodInTicks: as for xTimerCreate()
 * @xAutoReload:	as for xTimerCreate()
 * @pvTimerID:		as for xTimerCreate()
 * @pxCallbackFunction:	as for xTimerCreate()
 * @pxTimerBuffer:	for the timer
 *
 * Context: as xTimerCreate().
 * Return: as xTimerCreate().
 */
TimerHandle_t xTimerCreateStatic(const char *pcTimerName,
				 TickType_t xTimerPeriodInTicks,
				 BaseType_t xAutoReload, void *pvTimerID,
				 TimerCallbackFunction_t pxCallbackFunction,
				 StaticTimer_t *pxTimerBuffer)
	JIF_FREERTOS(xTimerCreateStatic);

/**
 * xTimerGetStaticBuffer - the memory that a timer was made in
 * @xTimer:		the timer
 * @ppxTimerBuffer:	set to it, if xTimerCreateStatic() was given it
 *
 * Context: any.
 * Return: pdFALSE if it is of the heap; then nothing is set.
 */
BaseType_t xTimerGetStaticBuffer(TimerHandle_t xTimer,
				 StaticTimer_t **ppxTimerBuffer)
	JIF_FREERTOS(xTimerGetStaticBuffer);
#endif

/**
 * xTimerStart - have a timer expire a period from now, started or not
 * @xTimer:	the timer
 * @xTicksToWait: of no effect
 *
 * Context: a task, or before the scheduler starts.
 * Return: pdPASS; pdFAIL if @xTimer is NULL.
 */
BaseType_t xTimerStart(TimerHandle_t xTimer, TickType_t xTicksToWait)
	JIF_FREERTOS(xTimerStart);

/** xTimerReset - as xTimerStart() */
#define xTimerReset(xTimer, xTicksToWait) xTimerStart(xTimer, xTicksToWait)

/**
 * xTimerStop - have a timer not expire
 * @xTimer:	the timer
 * @xTicksToWait: of no effect
 *
 * Its callback is not called any more, unless it has begun.
 *
 * Context: a task, or before the scheduler starts.
 * Return: pdPASS; pdFAIL if @xTimer is NULL.
 */
BaseType_t xTimerStop(TimerHandle_t xTimer, TickType_t xTicksToWait)
	JIF_FREERTOS(xTimerStop);

/**
 * xTimerChangePeriod - give a timer another period, and start it
 * @xTimer:	the timer
 * @xNewPeriod:	1 to 2^30 - 1
 * @xTicksToWait: of no effect
 *
 * Context: a task, or before the scheduler starts.
 * Return: pdPASS; pdFAIL if @xTimer is NULL or the period is not one, and then
 * nothing has changed.
 */
BaseType_t xTimerChangePeriod(TimerHandle_t xTimer, TickType_t xNewPeriod,
			      TickType_t xTicksToWait)
	JIF_FREERTOS(xTimerChangePeriod);

/**
 * xTimerDelete - stop a timer for good
 * @xTimer:	the timer, which may not be used any more
 * @xTicksToWait: of no effect
 *
 * Memory of the heap is given back by the timer task, by the next tick; that of
 * xTimerCreateStatic() may be used again when the timer task has run.
 *
 * Context: a task, or before the scheduler starts.
 * Return: pdPASS; pdFAIL if @xTimer is NULL.
 */
BaseType_t xTimerDelete(TimerHandle_t xTimer, TickType_t xTicksToWait)
	JIF_FREERTOS(xTimerDelete);

/**
 * xTimerStartFromISR - as xTimerStart()
 * @xTimer:	the timer
 * @pxHigherPriorityTaskWoken: NULL; or set to pdTRUE if the timer task has
 *		to run now
 *
 * Context: a handler that may call FreeRTOS.
 * Return: as xTimerStart().
 */
BaseType_t xTimerStartFromISR(TimerHandle_t xTimer,
			      BaseType_t *pxHigherPriorityTaskWoken)
	JIF_FREERTOS(xTimerStartFromISR);

/** xTimerResetFromISR - as xTimerStartFromISR() */
#define xTimerResetFromISR(xTimer, pxHigherPriorityTaskWoken)                  \
	xTimerStartFromISR(xTimer, pxHigherPriorityTaskWoken)

/**
 * xTimerStopFromISR - as xTimerStop()
 * @xTimer:	the timer
 * @pxHigherPriorityTaskWoken: of no effect
 *
 * Context: a handler that may call FreeRTOS.
 * Return: as xTimerStop().
 */
BaseType_t xTimerStopFromISR(TimerHandle_t xTimer,
			     BaseType_t *pxHigherPriorityTaskWoken)
	JIF_FREERTOS(xTimerStopFromISR);

/**
 * xTimerChangePeriodFromISR - as xTimerChangePeriod()
 * @xTimer:	the timer
 * @xNewPeriod:	1 to 2^30 - 1
 * @pxHigherPriorityTaskWoken: as for xTimerStartFromISR()
 *
 * Context: a handler that may call FreeRTOS.
 * Return: as xTimerChangePeriod().
 */
BaseType_t xTimerChangePeriodFromISR(TimerHandle_t xTimer,
				     TickType_t xNewPeriod,
				     BaseType_t *pxHigherPriorityTaskWoken)
	JIF_FREERTOS(xTimerChangePeriodFromISR);

/**
 * xTimerIsTimerActive - is a timer started?
 * @xTimer:	the timer
 *
 * In its own callback: true of one that reloads.
 *
 * Context: any.
 * Return: pdFALSE if it is not.
 */
BaseType_t xTimerIsTimerActive(TimerHandle_t xTimer)
	JIF_FREERTOS(xTimerIsTimerActive);

/**
 * xTimerGetExpiryTime - when a timer expires next
 * @xTimer:	the timer, which is started
 *
 * Context: any.
 * Return: in FreeRTOS' tick count; of one that is not started, anything.
 */
TickType_t xTimerGetExpiryTime(TimerHandle_t xTimer)
	JIF_FREERTOS(xTimerGetExpiryTime);

/**
 * xTimerGetPeriod - the period of a timer
 * @xTimer:	the timer
 *
 * Context: any.
 * Return: in ticks.
 */
TickType_t xTimerGetPeriod(TimerHandle_t xTimer) JIF_FREERTOS(xTimerGetPeriod);

/**
 * vTimerSetReloadMode - have a timer expire once, or again and again
 * @xTimer:	the timer
 * @xAutoReload: pdFALSE: once; what counts is what is set when it expires
 *
 * Context: any.
 */
void vTimerSetReloadMode(TimerHandle_t xTimer, BaseType_t xAutoReload)
	JIF_FREERTOS(vTimerSetReloadMode);

/**
 * xTimerGetReloadMode - does a timer expire again and again?
 * @xTimer:	the timer
 *
 * Context: any.
 * Return: pdFALSE if it does not.
 */
BaseType_t xTimerGetReloadMode(TimerHandle_t xTimer)
	JIF_FREERTOS(xTimerGetReloadMode);

/** uxTimerGetReloadMode - as xTimerGetReloadMode(), of another type */
#define uxTimerGetReloadMode(xTimer) ((UBaseType_t)xTimerGetReloadMode(xTimer))

/**
 * pvTimerGetTimerID - what xTimerCreate() or vTimerSetTimerID() was given
 * @xTimer:	the timer
 *
 * Context: any.
 * Return: the identifier.
 */
void *pvTimerGetTimerID(TimerHandle_t xTimer) JIF_FREERTOS(pvTimerGetTimerID);

/**
 * vTimerSetTimerID - give a timer another identifier
 * @xTimer:	the timer
 * @pvNewID:	anything
 *
 * Context: any.
 */
void vTimerSetTimerID(TimerHandle_t xTimer, void *pvNewID)
	JIF_FREERTOS(vTimerSetTimerID);

/**
 * pcTimerGetName - the name of a timer
 * @xTimer:	the timer
 *
 * Context: any.
 * Return: what xTimerCreate() was given.
 */
const char *pcTimerGetName(TimerHandle_t xTimer) JIF_FREERTOS(pcTimerGetName);

#if (INCLUDE_xTimerPendFunctionCall == 1)
/**
 * xTimerPendFunctionCall - have the timer task call a function
 * @xFunctionToPend:	the function
 * @pvParameter1:	its first argument
 * @ulParameter2:	its second argument
 * @xTicksToWait:	for how long, if configTIMER_QUEUE_LENGTH calls wait
 *
 * Context: a task, after the first xTimerCreate() or the start of the
 * scheduler.
 * Return: pdPASS; pdFAIL if as many calls wait still.
 */
BaseType_t xTimerPendFunctionCall(PendedFunction_t xFunctionToPend,
				  void *pvParameter1, uint32_t ulParameter2,
				  TickType_t xTicksToWait)
	JIF_FREERTOS(xTimerPendFunctionCall);

/**
 * xTimerPendFunctionCallFromISR - as xTimerPendFunctionCall(), without a wait
 * @xFunctionToPend:	the function
 * @pvParameter1:	its first argument
 * @ulParameter2:	its second argument
 * @pxHigherPriorityTaskWoken: as for xTimerStartFromISR()
 *
 * Context: a handler that may call FreeRTOS, from then on.
 * Return: as xTimerPendFunctionCall().
 */
BaseType_t xTimerPendFunctionCallFromISR(PendedFunction_t xFunctionToPend,
					 void *pvParameter1,
					 uint32_t ulParameter2,
					 BaseType_t *pxHigherPriorityTaskWoken)
	JIF_FREERTOS(xTimerPendFunctionCallFromISR);
#endif

/**
 * xTimerGetTimerDaemonTaskHandle - the timer task
 *
 * Context: any.
 * Return: NULL before there is one.
 */
TaskHandle_t xTimerGetTimerDaemonTaskHandle(void)
	JIF_FREERTOS(xTimerGetTimerDaemonTaskHandle);

/* For FreeRTOS' tasks.c, with configUSE_TIMERS. */
BaseType_t xTimerCreateTimerTask(void) JIF_FREERTOS(xTimerCreateTimerTask);
void vTimerResetState(void) JIF_FREERTOS(vTimerResetState);

#ifdef __cplusplus
}
#endif

#endif
