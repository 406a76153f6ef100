/* SPDX-License-Identifier: MIT */
/*
 * lib/face/freertos/timers.c - FreeRTOS' software timers, on a wheel
 *
 * The wheel takes a timer off a moment before this file sees it expire. If a
 * handler or an urgent task stops or starts it in between, it has not expired.
 */
#include <FreeRTOS.h>
#include <jif/face/freertos/timers.h>
#include <queue.h>

#include "../../port/jif_port.h"
#include "../../port/kernel/kernel.h"

#ifndef configTIMER_TASK_PRIORITY
#define configTIMER_TASK_PRIORITY (configMAX_PRIORITIES - 1)
#endif
#ifndef configTIMER_TASK_STACK_DEPTH
#define configTIMER_TASK_STACK_DEPTH (2 * configMINIMAL_STACK_SIZE)
#endif
#ifndef configTIMER_SERVICE_TASK_NAME
#define configTIMER_SERVICE_TASK_NAME "Tmr Svc"
#endif
#ifndef configTIMER_QUEUE_LENGTH
#define configTIMER_QUEUE_LENGTH 10
#endif

/* The wheel is behind by JIF_SLEEP_MAX at most. */
#define PERIOD_MAX (JIF_DELAY_MAX - JIF_SLEEP_MAX)

/* Bits of a timer's state. */
#define ACTIVE	1u
#define STATIC	2u
#define RELOAD	4u
#define DELETED 8u

struct tmrTimerControl {
	struct jif_timer entry;
	const char *name;
	void *id;
	TimerCallbackFunction_t callback;
	TickType_t period;
	uint8_t state;
#if (configUSE_TRACE_FACILITY == 1)
	UBaseType_t number;
#endif
};

#if (configSUPPORT_STATIC_ALLOCATION == 1)
JIF_STATIC_ASSERT(sizeof(struct tmrTimerControl) <= sizeof(StaticTimer_t),
		  "a timer fits where FreeRTOS' own would");
#endif

static struct jif_kernel kernel;
static TaskHandle_t timer_task;
static bool made;

/* --- pended functions ----------------------------------------------------- */

#if (INCLUDE_xTimerPendFunctionCall == 1)

struct pended {
	PendedFunction_t function;
	void *parameter1;
	uint32_t parameter2;
};

static QueueHandle_t calls;
static volatile bool are_pended;

#if (configSUPPORT_STATIC_ALLOCATION == 1)
static bool make_calls(void)
{
	static StaticQueue_t queue;
	static struct pended storage[configTIMER_QUEUE_LENGTH];

	calls = xQueueCreateStatic(configTIMER_QUEUE_LENGTH, sizeof(*storage),
				   (uint8_t *)storage, &queue);
	return calls;
}
#else
static bool make_calls(void)
{
	calls = xQueueCreate(configTIMER_QUEUE_LENGTH, sizeof(struct pended));
	return calls;
}
#endif

/* A later call sets it again, after it is in the queue. */
static void call_pended(void)
{
	struct pended call;

	if (!are_pended)
		return;
	are_pended = false;
	while (xQueueReceive(calls, &call, 0) == pdPASS)
		call.function(call.parameter1, call.parameter2);
}

BaseType_t xTimerPendFunctionCall(PendedFunction_t xFunctionToPend,
				  void *pvParameter1, uint32_t ulParameter2,
				  TickType_t xTicksToWait)
{
	struct pended call = { xFunctionToPend, pvParameter1, ulParameter2 };
	BaseType_t ret;

	configASSERT(calls);
	ret = xQueueSendToBack(calls, &call, xTicksToWait);
	are_pended = true;
	if (ret == pdPASS && kernel.waiter)
		jif_kernel_signal(&kernel);
	return ret;
}

BaseType_t xTimerPendFunctionCallFromISR(PendedFunction_t xFunctionToPend,
					 void *pvParameter1,
					 uint32_t ulParameter2,
					 BaseType_t *pxHigherPriorityTaskWoken)
{
	struct pended call = { xFunctionToPend, pvParameter1, ulParameter2 };
	BaseType_t ret;

	configASSERT(calls);
	ret = xQueueSendToBackFromISR(calls, &call, pxHigherPriorityTaskWoken);
	are_pended = true;
	if (ret == pdPASS && kernel.waiter)
		jif_kernel_signal_from(&kernel, pxHigherPriorityTaskWoken);
	return ret;
}

#else

static bool make_calls(void)
{
	return true;
}

static void call_pended(void)
{
}

#endif

/* --- the timer task ------------------------------------------------------- */

#if (configUSE_DAEMON_TASK_STARTUP_HOOK == 1)
void vApplicationDaemonTaskStartupHook(void);
#else
static inline void vApplicationDaemonTaskStartupHook(void)
{
}
#endif

static void run_timers(void *unused)
{
	(void)unused;
	jif_kernel_begin(&kernel);
	vApplicationDaemonTaskStartupHook();
	for (;;) {
		call_pended();
		jif_kernel_turn(&kernel);
	}
}

#if (configSUPPORT_STATIC_ALLOCATION == 1)
static bool make_task(void)
{
	static StaticTask_t task;
	static StackType_t stack[configTIMER_TASK_STACK_DEPTH];

	timer_task = xTaskCreateStatic(run_timers,
				       configTIMER_SERVICE_TASK_NAME,
				       configTIMER_TASK_STACK_DEPTH, NULL,
				       configTIMER_TASK_PRIORITY, stack, &task);
	return timer_task;
}
#else
static bool make_task(void)
{
	return xTaskCreate(run_timers, configTIMER_SERVICE_TASK_NAME,
			   configTIMER_TASK_STACK_DEPTH, NULL,
			   configTIMER_TASK_PRIORITY, &timer_task) == pdPASS;
}
#endif

/* Whoever comes second goes on: timers are armed before there is a task. */
BaseType_t xTimerCreateTimerTask(void)
{
	jif_irq_t flags = jif_irq_save();
	bool first = !made;

	made = true;
	if (first)
		jif_kernel_init(&kernel);
	jif_irq_restore(flags);
	if (!first)
		return pdPASS;
	made = make_calls() && make_task();
	return made ? pdPASS : pdFAIL;
}

void vTimerResetState(void)
{
	made = false;
	timer_task = NULL;
}

TaskHandle_t xTimerGetTimerDaemonTaskHandle(void)
{
	return timer_task;
}

/* --- timers --------------------------------------------------------------- */

static bool is_period(TickType_t period)
{
	uint32_t ticks = (uint32_t)period;

	return period > 0 && ticks == period && ticks <= PERIOD_MAX;
}

static void arm(TimerHandle_t timer, uint32_t since)
{
	jif_timer_mod(&kernel.wheel, &timer->entry,
		      since + (uint32_t)timer->period);
}

/* Whether the callback is to be called. */
static bool take_expired(TimerHandle_t timer)
{
	jif_irq_t flags = jif_irq_save();
	bool expired = (timer->state & ACTIVE) &&
		       !jif_timer_pending(&timer->entry);

	if (expired && timer->state & RELOAD)
		arm(timer, jif_wheel_clock(&kernel.wheel));
	else if (expired)
		timer->state &= (uint8_t)~ACTIVE;
	jif_irq_restore(flags);
	return expired;
}

#if (configSUPPORT_DYNAMIC_ALLOCATION == 1)
static void give_back(TimerHandle_t timer)
{
	vPortFree(timer);
}
#else
static void give_back(TimerHandle_t timer)
{
	(void)timer;
}
#endif

/* A timer that was deleted is armed once more, to be given back here. */
static void expire(struct jif_timer *entry)
{
	TimerHandle_t timer =
		jif_container_of(entry, struct tmrTimerControl, entry);

	if (!(timer->state & DELETED)) {
		if (take_expired(timer)) {
			timer->callback(timer);
			call_pended();
		}
		return;
	}
	jif_timer_del(&kernel.wheel, entry);
	give_back(timer);
}

static TimerHandle_t make(TimerHandle_t timer, const char *name,
			  TickType_t period, BaseType_t reload, void *id,
			  TimerCallbackFunction_t callback, unsigned state)
{
	jif_timer_init(&timer->entry, expire);
	timer->name = name;
	timer->period = period;
	timer->id = id;
	timer->callback = callback;
	timer->state = (uint8_t)(state | (reload ? RELOAD : 0));
	return timer;
}

#if (configSUPPORT_DYNAMIC_ALLOCATION == 1)
TimerHandle_t xTimerCreate(const char *pcTimerName,
			   TickType_t xTimerPeriodInTicks,
			   BaseType_t xAutoReload, void *pvTimerID,
			   TimerCallbackFunction_t pxCallbackFunction)
{
	TimerHandle_t timer;

	configASSERT(is_period(xTimerPeriodInTicks));
	if (!is_period(xTimerPeriodInTicks) ||
	    xTimerCreateTimerTask() != pdPASS)
		return NULL;
	timer = (TimerHandle_t)pvPortMalloc(sizeof(*timer));
	return timer ? make(timer, pcTimerName, xTimerPeriodInTicks,
			    xAutoReload, pvTimerID, pxCallbackFunction, 0) :
		       NULL;
}
#endif

#if (configSUPPORT_STATIC_ALLOCATION == 1)
TimerHandle_t xTimerCreateStatic(const char *pcTimerName,
				 TickType_t xTimerPeriodInTicks,
				 BaseType_t xAutoReload, void *pvTimerID,
				 TimerCallbackFunction_t pxCallbackFunction,
				 StaticTimer_t *pxTimerBuffer)
{
	configASSERT(pxTimerBuffer);
	configASSERT(is_period(xTimerPeriodInTicks));
	if (!pxTimerBuffer || !is_period(xTimerPeriodInTicks) ||
	    xTimerCreateTimerTask() != pdPASS)
		return NULL;
	return make((TimerHandle_t)(void *)pxTimerBuffer, pcTimerName,
		    xTimerPeriodInTicks, xAutoReload, pvTimerID,
		    pxCallbackFunction, STATIC);
}

BaseType_t xTimerGetStaticBuffer(TimerHandle_t xTimer,
				 StaticTimer_t **ppxTimerBuffer)
{
	if (!(xTimer->state & STATIC))
		return pdFALSE;
	*ppxTimerBuffer = (StaticTimer_t *)(void *)xTimer;
	return pdTRUE;
}
#endif

/* With a period of 0, the one that it has. Whether the task has to be woken. */
static bool start(TimerHandle_t timer, TickType_t period)
{
	jif_irq_t flags = jif_irq_save();
	uint32_t now;
	bool past;

	jif_port_count();
	now = (uint32_t)jif_jiffies;
	if (period)
		timer->period = period;
	timer->state |= ACTIVE;
	arm(timer, now);
	past = jif_kernel_waits_past(&kernel, now + (uint32_t)timer->period);
	jif_irq_restore(flags);
	return past;
}

static void stop(TimerHandle_t timer)
{
	jif_irq_t flags = jif_irq_save();

	timer->state &= (uint8_t)~ACTIVE;
	jif_timer_del(&kernel.wheel, &timer->entry);
	jif_irq_restore(flags);
}

BaseType_t xTimerStart(TimerHandle_t xTimer, TickType_t xTicksToWait)
{
	(void)xTicksToWait;
	if (!xTimer)
		return pdFAIL;
	if (start(xTimer, 0))
		jif_kernel_signal(&kernel);
	return pdPASS;
}

BaseType_t xTimerStartFromISR(TimerHandle_t xTimer,
			      BaseType_t *pxHigherPriorityTaskWoken)
{
	if (!xTimer)
		return pdFAIL;
	if (start(xTimer, 0))
		jif_kernel_signal_from(&kernel, pxHigherPriorityTaskWoken);
	return pdPASS;
}

BaseType_t xTimerChangePeriod(TimerHandle_t xTimer, TickType_t xNewPeriod,
			      TickType_t xTicksToWait)
{
	(void)xTicksToWait;
	configASSERT(is_period(xNewPeriod));
	if (!xTimer || !is_period(xNewPeriod))
		return pdFAIL;
	if (start(xTimer, xNewPeriod))
		jif_kernel_signal(&kernel);
	return pdPASS;
}

BaseType_t xTimerChangePeriodFromISR(TimerHandle_t xTimer,
				     TickType_t xNewPeriod,
				     BaseType_t *pxHigherPriorityTaskWoken)
{
	configASSERT(is_period(xNewPeriod));
	if (!xTimer || !is_period(xNewPeriod))
		return pdFAIL;
	if (start(xTimer, xNewPeriod))
		jif_kernel_signal_from(&kernel, pxHigherPriorityTaskWoken);
	return pdPASS;
}

BaseType_t xTimerStop(TimerHandle_t xTimer, TickType_t xTicksToWait)
{
	(void)xTicksToWait;
	if (!xTimer)
		return pdFAIL;
	stop(xTimer);
	return pdPASS;
}

BaseType_t xTimerStopFromISR(TimerHandle_t xTimer,
			     BaseType_t *pxHigherPriorityTaskWoken)
{
	(void)pxHigherPriorityTaskWoken;
	return xTimerStop(xTimer, 0);
}

BaseType_t xTimerDelete(TimerHandle_t xTimer, TickType_t xTicksToWait)
{
	jif_irq_t flags;

	(void)xTicksToWait;
	if (!xTimer)
		return pdFAIL;
	flags = jif_irq_save();
	stop(xTimer);
	if (!(xTimer->state & STATIC)) {
		xTimer->state |= DELETED;
		jif_timer_mod(&kernel.wheel, &xTimer->entry, jif_now());
	}
	jif_irq_restore(flags);
	jif_kernel_wake(&kernel, jif_now());
	return pdPASS;
}

/* --- the state of a timer ------------------------------------------------- */

BaseType_t xTimerIsTimerActive(TimerHandle_t xTimer)
{
	return xTimer->state & ACTIVE ? pdTRUE : pdFALSE;
}

/* In a count of 64 bits, too. */
TickType_t xTimerGetExpiryTime(TimerHandle_t xTimer)
{
	jif_irq_t flags = jif_irq_save();
	uint32_t expires = jif_timer_expires(&kernel.wheel, &xTimer->entry);
	TickType_t now = xTaskGetTickCountFromISR();

	expires -= jif_now();
	jif_irq_restore(flags);
	return now + (TickType_t)(int32_t)expires;
}

TickType_t xTimerGetPeriod(TimerHandle_t xTimer)
{
	return xTimer->period;
}

void vTimerSetReloadMode(TimerHandle_t xTimer, BaseType_t xAutoReload)
{
	jif_irq_t flags = jif_irq_save();

	if (xAutoReload)
		xTimer->state |= RELOAD;
	else
		xTimer->state &= (uint8_t)~RELOAD;
	jif_irq_restore(flags);
}

BaseType_t xTimerGetReloadMode(TimerHandle_t xTimer)
{
	return xTimer->state & RELOAD ? pdTRUE : pdFALSE;
}

void *pvTimerGetTimerID(TimerHandle_t xTimer)
{
	return xTimer->id;
}

void vTimerSetTimerID(TimerHandle_t xTimer, void *pvNewID)
{
	xTimer->id = pvNewID;
}

#if (configUSE_TRACE_FACILITY == 1)
UBaseType_t uxTimerGetTimerNumber(TimerHandle_t xTimer)
{
	return xTimer->number;
}

void vTimerSetTimerNumber(TimerHandle_t xTimer, UBaseType_t uxTimerNumber)
{
	xTimer->number = uxTimerNumber;
}
#endif

const char *pcTimerGetName(TimerHandle_t xTimer)
{
	return xTimer->name;
}
