/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/freertos/scenarios.c - what FreeRTOS' software timers do
 *
 * The same source runs with FreeRTOS' timers and with those of jif;
 * scenarios.table has what each says. A tick comes only where pass() asks for
 * it. Timers run in a task that is more urgent than the one of the scenario,
 * and less urgent than what urgently() calls.
 */
#include <FreeRTOS.h>
#include <stdbool.h>
#include <task.h>

#include "board.h"
#include "timers.h"

typedef void (*within_t)(TimerHandle_t timer);

static TaskHandle_t urgent;
static void (*job)(void);
static void (*volatile handler)(void);
static TimerHandle_t made[8], a, b, c;
static BaseType_t result, woken;
static TickType_t origin;
static uint32_t now, calls;

void board_interrupt(void)
{
}

void vApplicationTickHook(void)
{
	void (*function)(void) = handler;

	handler = NULL;
	if (function)
		function();
}

void vApplicationGetIdleTaskMemory(StaticTask_t **task, StackType_t **stack,
				   uint32_t *length)
{
	static StaticTask_t memory;
	static StackType_t words[configMINIMAL_STACK_SIZE];

	*task = &memory;
	*stack = words;
	*length = configMINIMAL_STACK_SIZE;
}

void vApplicationGetTimerTaskMemory(StaticTask_t **task, StackType_t **stack,
				    uint32_t *length)
{
	static StaticTask_t memory;
	static StackType_t words[configTIMER_TASK_STACK_DEPTH];

	*task = &memory;
	*stack = words;
	*length = configTIMER_TASK_STACK_DEPTH;
}

/* --- what scenarios are made of ------------------------------------------- */

static void pass(uint32_t ticks)
{
	while (ticks--) {
		now++;
		board_tick();
	}
}

static void run_urgent(void *unused)
{
	for (;;) {
		ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
		job();
	}
}

static void urgently(void (*function)(void))
{
	job = function;
	xTaskNotifyGive(urgent);
}

/* In the interrupt of the next tick. */
static void in_handler(void (*function)(void))
{
	handler = function;
	woken = pdFALSE;
	pass(1);
	board_say("result", (uint32_t)result);
	board_say("woken", (uint32_t)woken);
}

static void on_expiry(TimerHandle_t timer)
{
	within_t within = (within_t)(uintptr_t)pvTimerGetTimerID(timer);

	board_say(pcTimerGetName(timer), now);
	if (within)
		within(timer);
}

static TimerHandle_t keep(TimerHandle_t timer)
{
	unsigned i = 0;

	while (made[i])
		i++;
	made[i] = timer;
	return timer;
}

static TimerHandle_t make(const char *name, TickType_t period, BaseType_t again,
			  within_t within)
{
	return keep(xTimerCreate(name, period, again, (void *)(uintptr_t)within,
				 on_expiry));
}

static void drop(TimerHandle_t timer)
{
	for (unsigned i = 0; i < 8; i++)
		if (made[i] == timer)
			made[i] = NULL;
	xTimerDelete(timer, 0);
}

static TimerHandle_t start(const char *name, TickType_t period,
			   BaseType_t again, within_t within)
{
	TimerHandle_t timer = make(name, period, again, within);

	xTimerStart(timer, 0);
	return timer;
}

static void start_three(TickType_t pa, TickType_t pb, TickType_t pc,
			BaseType_t again)
{
	a = start("a", pa, again, NULL);
	b = start("b", pb, again, NULL);
	c = start("c", pc, again, NULL);
}

static void say_active(TimerHandle_t timer)
{
	board_say("active", (uint32_t)xTimerIsTimerActive(timer));
}

static void show(TimerHandle_t timer)
{
	say_active(timer);
	board_say("due", (TickType_t)(xTimerGetExpiryTime(timer) - origin));
}

/* --- change, reset, stop -------------------------------------------------- */

static void change_dormant(void)
{
	a = make("a", 20, pdFALSE, NULL);
	pass(3);
	board_say("result", (uint32_t)xTimerChangePeriod(a, 7, 0));
	board_say("period", (uint32_t)xTimerGetPeriod(a));
	show(a);
	pass(30);
	say_active(a);
}

static void change_active(void)
{
	a = start("a", 10, pdFALSE, NULL);
	b = start("b", 20, pdFALSE, NULL);
	pass(9);
	xTimerChangePeriod(a, 20, 0);
	xTimerChangePeriod(b, 1, 0);
	show(a);
	show(b);
	pass(30);
	xTimerStart(b, 0);
	pass(2);
}

static void change_reload(void)
{
	a = start("a", 10, pdTRUE, NULL);
	pass(12);
	xTimerChangePeriod(a, 4, 0);
	pass(10);
	show(a);
}

static void to_three(TimerHandle_t timer)
{
	if (xTimerGetPeriod(timer) != 3)
		xTimerChangePeriod(timer, 3, 0);
	board_say("period", (uint32_t)xTimerGetPeriod(timer));
}

static void change_within(void)
{
	a = start("a", 10, pdTRUE, to_three);
	pass(17);
	show(a);
}

static void reset_active(void)
{
	a = start("a", 20, pdFALSE, NULL);
	pass(7);
	board_say("result", (uint32_t)xTimerReset(a, 0));
	pass(19);
	show(a);
	pass(30);
}

static void reset_dormant(void)
{
	a = make("a", 6, pdFALSE, NULL);
	pass(5);
	xTimerReset(a, 0);
	show(a);
	pass(10);
	xTimerReset(a, 0);
	pass(10);
}

static void reset_reload(void)
{
	a = start("a", 10, pdTRUE, NULL);
	pass(13);
	xTimerReset(a, 0);
	pass(25);
}

static void reset_on_the_last_tick(void)
{
	a = start("a", 10, pdFALSE, NULL);
	pass(9);
	xTimerReset(a, 0);
	pass(1);
	show(a);
	pass(30);
}

static void stop_active(void)
{
	a = start("a", 10, pdFALSE, NULL);
	pass(9);
	board_say("result", (uint32_t)xTimerStop(a, 0));
	say_active(a);
	pass(30);
}

static void stop_dormant(void)
{
	a = make("a", 10, pdFALSE, NULL);
	board_say("result", (uint32_t)xTimerStop(a, 0));
	pass(20);
	xTimerStart(a, 0);
	pass(12);
	board_say("result", (uint32_t)xTimerStop(a, 0));
}

static void stop_it(TimerHandle_t timer)
{
	board_say("result", (uint32_t)xTimerStop(timer, 0));
	say_active(timer);
}

static void stop_within(void)
{
	a = start("a", 10, pdTRUE, stop_it);
	pass(40);
	say_active(a);
}

static void stop_b(TimerHandle_t timer)
{
	xTimerStop(b, 0);
}

static void stop_the_next(void)
{
	a = start("a", 10, pdFALSE, stop_b);
	b = start("b", 10, pdFALSE, NULL);
	pass(20);
	say_active(b);
}

/* --- expiry time ---------------------------------------------------------- */

static void expiry_time(void)
{
	pass(2);
	a = start("a", 20, pdFALSE, NULL);
	show(a);
	pass(5);
	xTimerReset(a, 0);
	show(a);
	pass(21);
	say_active(a);
}

static void expiry_time_dormant(void)
{
	TickType_t last;

	a = start("a", 20, pdFALSE, NULL);
	pass(5);
	last = xTimerGetExpiryTime(a);
	xTimerStop(a, 0);
	board_say("the last one", xTimerGetExpiryTime(a) == last);
}

static void expiry_time_within(void)
{
	a = start("a", 7, pdFALSE, show);
	b = start("b", 9, pdTRUE, show);
	pass(20);
}

/* --- a one-shot starts itself --------------------------------------------- */

static void start_it(TimerHandle_t timer)
{
	say_active(timer);
	board_say("result", (uint32_t)xTimerStart(timer, 0));
	say_active(timer);
}

static void once_again(void)
{
	a = start("a", 10, pdFALSE, start_it);
	pass(25);
	show(a);
}

static void wait_and_start(TimerHandle_t timer)
{
	pass(4);
	xTimerStart(timer, 0);
}

static void once_again_later(void)
{
	a = start("a", 10, pdFALSE, wait_and_start);
	pass(30);
}

static void start_and_wait(TimerHandle_t timer)
{
	xTimerStart(timer, 0);
	if (!calls++)
		pass(14);
}

static void once_again_overdue(void)
{
	a = start("a", 10, pdFALSE, start_and_wait);
	pass(12);
	show(a);
	pass(20);
}

/* --- delete and memory ---------------------------------------------------- */

static size_t free_before;

static void say_free(void)
{
	board_say("as free as before", xPortGetFreeHeapSize() == free_before);
}

static void delete_active(void)
{
	a = start("a", 10, pdTRUE, NULL);
	say_free();
	pass(15);
	drop(a);
	pass(1);
	say_free();
	pass(20);
}

static void delete_within(void)
{
	a = start("a", 10, pdFALSE, drop);
	b = start("b", 12, pdTRUE, drop);
	pass(13);
	say_free();
	pass(40);
}

static void delete_b(TimerHandle_t timer)
{
	drop(b);
}

static void delete_the_next(void)
{
	a = start("a", 10, pdFALSE, delete_b);
	b = start("b", 10, pdFALSE, NULL);
	pass(20);
	drop(a);
	pass(1);
	say_free();
}

static void create_without_memory(void)
{
	void *blocks[40];
	unsigned count = 0;

	for (size_t size = 65536; size >= 8; size /= 2)
		while (count < 40 && (blocks[count] = pvPortMalloc(size)))
			count++;
	board_say("created", !!xTimerCreate("a", 10, pdFALSE, NULL, on_expiry));
	while (count)
		vPortFree(blocks[--count]);
	say_free();
}

static void create_and_delete(void)
{
	for (int i = 0; i < 5000; i++) {
		drop(start("a", 10, i & 1, NULL));
		pass(1);
	}
	say_free();
}

static void static_reuse(void)
{
	static StaticTimer_t memory;

	a = keep(xTimerCreateStatic("a", 10, pdTRUE, NULL, on_expiry, &memory));
	board_say("there", (void *)a == (void *)&memory);
	xTimerStart(a, 0);
	pass(12);
	drop(a);
	say_active(a);
	pass(1);
	b = keep(xTimerCreateStatic("b", 4, pdFALSE, NULL, on_expiry, &memory));
	say_active(b);
	xTimerStart(b, 0);
	pass(30);
	say_free();
}

/* --- late ----------------------------------------------------------------- */

static void pass_35(void)
{
	pass(35);
	board_say("now", now);
}

static void late_reload(void)
{
	a = start("a", 10, pdTRUE, show);
	urgently(pass_35);
	pass(10);
}

static void late_once(void)
{
	a = start("a", 10, pdFALSE, NULL);
	urgently(pass_35);
	say_active(a);
}

static void late_together(void)
{
	start_three(10, 15, 12, pdTRUE);
	vTimerSetReloadMode(c, pdFALSE);
	urgently(pass_35);
	pass(10);
}

static void late_stopped(void)
{
	a = start("a", 10, pdTRUE, stop_it);
	urgently(pass_35);
	say_active(a);
}

static void once_from_now(TimerHandle_t timer)
{
	vTimerSetReloadMode(timer, pdFALSE);
}

static void late_mode(void)
{
	a = start("a", 10, pdTRUE, once_from_now);
	urgently(pass_35);
	pass(20);
	say_active(a);
}

static void late_changed(void)
{
	a = start("a", 10, pdTRUE, to_three);
	urgently(pass_35);
	pass(4);
}

static void long_once(TimerHandle_t timer)
{
	if (!calls++)
		pass(25);
}

static void late_by_its_callback(void)
{
	a = start("a", 10, pdTRUE, long_once);
	b = start("b", 18, pdFALSE, NULL);
	pass(10);
	show(a);
	pass(10);
}

static void start_and_pass(void)
{
	xTimerStart(a, 0);
	say_active(a);
	pass(12);
}

static void start_urgently(void)
{
	a = make("a", 5, pdTRUE, NULL);
	urgently(start_and_pass);
	show(a);
	pass(5);
}

static void change_and_pass(void)
{
	xTimerChangePeriod(a, 5, 0);
	pass(3);
}

static void change_urgently(void)
{
	a = make("a", 20, pdFALSE, NULL);
	urgently(change_and_pass);
	show(a);
	pass(10);
}

static void pass_and_stop(void)
{
	pass(12);
	xTimerStop(a, 0);
}

static void stop_urgently(void)
{
	a = start("a", 10, pdFALSE, NULL);
	urgently(pass_and_stop);
	say_active(a);
	pass(5);
}

static void start_many(void)
{
	for (int i = 0; i <= configTIMER_QUEUE_LENGTH; i++)
		calls += (uint32_t)xTimerStart(a, 0);
}

static void start_more_than_fit(void)
{
	a = make("a", 5, pdFALSE, NULL);
	urgently(start_many);
	board_say("accepted", calls);
	pass(10);
}

/* --- handlers ------------------------------------------------------------- */

static void handler_starts(void)
{
	result = xTimerStartFromISR(a, &woken);
}

static void from_isr_start(void)
{
	a = make("a", 10, pdFALSE, NULL);
	pass(2);
	in_handler(handler_starts);
	show(a);
	pass(20);
}

static void handler_resets(void)
{
	result = xTimerResetFromISR(a, &woken);
}

static void from_isr_reset(void)
{
	a = start("a", 10, pdTRUE, NULL);
	pass(4);
	in_handler(handler_resets);
	pass(20);
}

static void handler_stops(void)
{
	result = xTimerStopFromISR(a, &woken);
}

static void from_isr_stop(void)
{
	a = start("a", 10, pdTRUE, NULL);
	pass(4);
	in_handler(handler_stops);
	say_active(a);
	pass(20);
}

static void from_isr_stop_due(void)
{
	a = start("a", 10, pdFALSE, NULL);
	pass(9);
	in_handler(handler_stops);
	say_active(a);
	pass(10);
}

static void handler_does_several(void)
{
	xTimerStopFromISR(a, NULL);
	xTimerChangePeriodFromISR(a, 6, NULL);
	result = xTimerResetFromISR(a, &woken);
}

static void from_isr_several(void)
{
	a = make("a", 10, pdTRUE, NULL);
	pass(4);
	in_handler(handler_does_several);
	show(a);
	pass(12);
}

/* --- order ---------------------------------------------------------------- */

static void order_of_starts(void)
{
	a = start("a", 300, pdFALSE, NULL);
	pass(294);
	b = start("b", 6, pdFALSE, NULL);
	pass(1);
	c = start("c", 5, pdFALSE, NULL);
	pass(6);
}

static void order_of_reloads(void)
{
	start_three(10, 20, 5, pdTRUE);
	pass(20);
}

static void order_after_reset(void)
{
	start_three(10, 10, 10, pdFALSE);
	xTimerReset(a, 0);
	xTimerChangePeriod(b, 10, 0);
	pass(10);
}

/* --- pended calls --------------------------------------------------------- */

static void on_call(void *parameter, uint32_t number)
{
	board_say((const char *)parameter, number);
}

static void pend(const char *what, uint32_t number)
{
	calls += (uint32_t)xTimerPendFunctionCall(
		on_call, (void *)(uintptr_t)what, number, 0);
}

static void pend_two(TimerHandle_t timer)
{
	pend("pended", 1);
	pend("pended", 2);
}

static void pend_within(void)
{
	start_three(5, 5, 5, pdFALSE);
	vTimerSetTimerID(a, (void *)(uintptr_t)pend_two);
	pass(6);
}

static void pend_another(void *parameter, uint32_t number)
{
	pend("inner", number + 1);
	board_say("outer", number);
}

static void pend_twice(void)
{
	xTimerPendFunctionCall(pend_another, NULL, 1, 0);
	xTimerPendFunctionCall(pend_another, NULL, 5, 0);
	pass(6);
	pend("due by now", now);
}

static void pend_when_due(void)
{
	start_three(5, 5, 6, pdFALSE);
	urgently(pend_twice);
}

static void say_a(void *parameter, uint32_t number)
{
	say_active(a);
}

static void pend_and_start(void)
{
	xTimerPendFunctionCall(say_a, NULL, 0, 0);
	xTimerStart(a, 0);
	xTimerPendFunctionCall(say_a, NULL, 0, 0);
}

static void pend_urgently(void)
{
	a = make("a", 5, pdFALSE, NULL);
	urgently(pend_and_start);
}

static void add(void *parameter, uint32_t number)
{
	*(uint32_t *)parameter = *(uint32_t *)parameter * 3 + number;
}

static void pend_many(void)
{
	static uint32_t sum;

	for (uint32_t i = 0; i <= configTIMER_QUEUE_LENGTH; i++)
		calls += (uint32_t)xTimerPendFunctionCall(add, &sum, i, 0);
	pend("more", sum);
	a = start("a", 1, pdFALSE, NULL);
}

static void pend_more_than_fit(void)
{
	urgently(pend_many);
	board_say("accepted", calls);
	pass(1);
}

static void handler_pends(void)
{
	static char text[] = "called";

	result = xTimerPendFunctionCallFromISR(on_call, text, 3, &woken);
}

static void from_isr_pend(void)
{
	a = start("a", 2, pdFALSE, NULL);
	in_handler(handler_pends);
	in_handler(handler_pends);
}

/* --- notifications of the timer task -------------------------------------- */

static void take(TimerHandle_t timer)
{
	board_say("taken", ulTaskNotifyTake(pdTRUE, 20));
	board_say("now", now);
}

static void give(void)
{
	xTaskNotifyGive(xTimerGetTimerDaemonTaskHandle());
}

static void notified_before(void)
{
	a = start("a", 5, pdFALSE, take);
	give();
	give();
	pass(4);
	b = start("b", 3, pdFALSE, NULL);
	pass(10);
}

static void notified_meanwhile(void)
{
	a = start("a", 5, pdFALSE, take);
	b = start("b", 7, pdTRUE, NULL);
	pass(15);
	give();
	pass(10);
}

static void notified_by_none(void)
{
	a = start("a", 5, pdFALSE, take);
	pass(8);
	pend("pended", now);
	b = start("b", 40, pdFALSE, NULL);
	say_active(b);
	pass(50);
}

/* --- the count wraps, where it has 16 bits -------------------------------- */

static void count(TimerHandle_t timer)
{
	calls++;
}

static void wrap_thrice(void)
{
	a = keep(xTimerCreate("a", 1000, pdTRUE, NULL, count));
	xTimerStart(a, 0);
	pass(3 * 65536);
	board_say("calls", calls);
	origin = xTaskGetTickCount();
	show(a);
}

static void wrap_far(void)
{
	a = start("a", 65535, pdTRUE, NULL);
	b = start("b", 40000, pdTRUE, NULL);
	pass(3 * 65536);
	origin = xTaskGetTickCount() + 1000;
	show(a);
	show(b);
}

static void until_wrap(uint32_t ticks)
{
	pass(65536 - ticks - xTaskGetTickCount() % 65536);
	now = 0;
	origin = xTaskGetTickCount();
}

static void wrap_reset(void)
{
	until_wrap(3);
	start_three(10, 2, 3, pdTRUE);
	pass(2);
	xTimerReset(a, 0);
	show(a);
	xTimerStop(b, 0);
	xTimerChangePeriod(c, 11, 0);
	pass(20);
}

static void wrap_late(void)
{
	until_wrap(22);
	a = start("a", 10, pdTRUE, NULL);
	urgently(pass_35);
	show(a);
	pass(5);
}

/* --- what a timer says of itself ------------------------------------------ */

static void reload_mode(void)
{
	a = start("a", 4, pdFALSE, NULL);
	vTimerSetReloadMode(a, pdTRUE);
	board_say("reloads", (uint32_t)uxTimerGetReloadMode(a));
	pass(9);
	vTimerSetReloadMode(a, pdFALSE);
	board_say("reloads", (uint32_t)uxTimerGetReloadMode(a));
	show(a);
	pass(20);
	say_active(a);
}

static void reload_mode_within(void)
{
	a = start("a", 4, pdTRUE, once_from_now);
	pass(20);
	say_active(a);
}

static void fresh(void)
{
	a = keep(xTimerCreate("alarm", 20, pdTRUE, &calls, on_expiry));
	say_active(a);
	board_say("period", (uint32_t)xTimerGetPeriod(a));
	board_say("reloads", (uint32_t)uxTimerGetReloadMode(a));
	board_say(pcTimerGetName(a), pvTimerGetTimerID(a) == &calls);
	vTimerSetTimerID(a, NULL);
	board_say("id", pvTimerGetTimerID(a) == NULL);
	vTimerSetTimerNumber(a, 11);
	xTimerStart(a, 0);
	pass(20);
	board_say("number", (uint32_t)uxTimerGetTimerNumber(a));
}

/* --- all of them ---------------------------------------------------------- */

#define S(name)                                                                \
	{                                                                      \
		"- " #name, name                                               \
	}

static const struct {
	const char *name;
	void (*run)(void);
} scenarios[] = { S(change_dormant),
		  S(change_active),
		  S(change_reload),
		  S(change_within),
		  S(reset_active),
		  S(reset_dormant),
		  S(reset_reload),
		  S(reset_on_the_last_tick),
		  S(stop_active),
		  S(stop_dormant),
		  S(stop_within),
		  S(stop_the_next),
		  S(expiry_time),
		  S(expiry_time_dormant),
		  S(expiry_time_within),
		  S(once_again),
		  S(once_again_later),
		  S(once_again_overdue),
		  S(delete_active),
		  S(delete_within),
		  S(delete_the_next),
		  S(create_without_memory),
		  S(create_and_delete),
		  S(static_reuse),
		  S(late_reload),
		  S(late_once),
		  S(late_together),
		  S(late_stopped),
		  S(late_mode),
		  S(late_changed),
		  S(late_by_its_callback),
		  S(start_urgently),
		  S(change_urgently),
		  S(stop_urgently),
		  S(start_more_than_fit),
		  S(from_isr_start),
		  S(from_isr_reset),
		  S(from_isr_stop),
		  S(from_isr_stop_due),
		  S(from_isr_several),
		  S(order_of_starts),
		  S(order_of_reloads),
		  S(order_after_reset),
		  S(pend_within),
		  S(pend_when_due),
		  S(pend_urgently),
		  S(pend_more_than_fit),
		  S(from_isr_pend),
		  S(notified_before),
		  S(notified_meanwhile),
		  S(notified_by_none),
		  S(wrap_thrice),
		  S(wrap_far),
		  S(wrap_reset),
		  S(wrap_late),
		  S(reload_mode),
		  S(reload_mode_within),
		  S(fresh) };

#define LENGTH (sizeof(scenarios) / sizeof(*scenarios))

static void clear(void)
{
	for (unsigned i = 0; i < 8; i++)
		if (made[i])
			drop(made[i]);
	pass(1);
}

static void test(void *unused)
{
	board_hold_ticks();
	for (uint32_t i = 0; i < LENGTH; i++) {
		board_say(scenarios[i].name, i + 1);
		free_before = xPortGetFreeHeapSize();
		now = calls = 0;
		origin = xTaskGetTickCount();
		scenarios[i].run();
		clear();
	}
	board_exit(0);
}

int main(void)
{
	xTaskCreate(run_urgent, "urgent", 256, NULL, 7, &urgent);
	xTaskCreate(test, "test", 256, NULL, 2, NULL);
	vTaskStartScheduler();
	return 1;
}
