/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/freertos/scenarios.c - what FreeRTOS' software timers do
 *
 * The same source runs with FreeRTOS' timers and with those of jif;
 * scenarios.table has what each says. A scenario is a list of steps, which a
 * task takes that is less urgent than the timer task. A callback, an urgent
 * task, a handler and a pended call have lists of their own. A tick comes only
 * by PASS() and ISR().
 */
#include <FreeRTOS.h>
#include <stdbool.h>
#include <task.h>

#include "board.h"
#include "timers.h"

enum { A, B, C, TIMERS };

struct step {
	void (*verb)(const struct step *step);
	uint32_t timer;
	uint32_t value;
	const struct step *list;
};

static const char *const names[TIMERS] = { "a", "b", "c" };
static TimerHandle_t timers[TIMERS];
static StaticTimer_t memory;
static TaskHandle_t urgent;
static const struct step *urgent_list, *volatile handler_list;
static BaseType_t result, woken;
static TickType_t origin, last;
static size_t free_before;
static uint32_t now, accepted, calls, sum;
static bool quiet, first;

void board_interrupt(void)
{
}

void vApplicationGetIdleTaskMemory(StaticTask_t **task, StackType_t **stack,
				   uint32_t *length)
{
	static StaticTask_t idle;
	static StackType_t words[configMINIMAL_STACK_SIZE];

	*task = &idle;
	*stack = words;
	*length = configMINIMAL_STACK_SIZE;
}

void vApplicationGetTimerTaskMemory(StaticTask_t **task, StackType_t **stack,
				    uint32_t *length)
{
	static StaticTask_t service;
	static StackType_t words[configTIMER_TASK_STACK_DEPTH];

	*task = &service;
	*stack = words;
	*length = configTIMER_TASK_STACK_DEPTH;
}

/* --- who takes steps ------------------------------------------------------ */

static void take_steps(const struct step *list)
{
	for (; list && list->verb; list++)
		list->verb(list);
}

static void on_expiry(TimerHandle_t timer)
{
	calls++;
	if (!quiet)
		board_say(pcTimerGetName(timer), now);
	take_steps((const struct step *)pvTimerGetTimerID(timer));
}

static void on_call(void *list, uint32_t number)
{
	board_say("pended", number);
	take_steps((const struct step *)list);
}

static void add(void *unused, uint32_t number)
{
	sum = sum * 3 + number;
}

static void run_urgent(void *unused)
{
	for (;;) {
		ulTaskNotifyTake(pdTRUE, portMAX_DELAY);
		take_steps(urgent_list);
	}
}

void vApplicationTickHook(void)
{
	const struct step *list = handler_list;

	handler_list = NULL;
	take_steps(list);
}

/* --- steps ---------------------------------------------------------------- */

static void pass(uint32_t ticks)
{
	while (ticks--) {
		now++;
		board_tick();
	}
}

static void note(BaseType_t returned)
{
	result = returned;
	accepted += (uint32_t)returned;
}

static TimerHandle_t make(const struct step *s, BaseType_t again)
{
	return xTimerCreate(names[s->timer], (TickType_t)s->value, again,
			    (void *)(uintptr_t)s->list, on_expiry);
}

static TimerHandle_t make_static(const struct step *s, BaseType_t again)
{
	return xTimerCreateStatic(names[s->timer], (TickType_t)s->value, again,
				  NULL, on_expiry, &memory);
}

static void hurry(const struct step *list)
{
	urgent_list = list;
	xTaskNotifyGive(urgent);
}

static void interrupt(const struct step *list)
{
	handler_list = list;
	woken = pdFALSE;
	pass(1);
	board_say("result", (uint32_t)result);
	board_say("woken", (uint32_t)woken);
}

static void until_wrap(uint32_t ticks)
{
	pass(65536 - ticks - xTaskGetTickCount() % 65536);
	now = 0;
	origin = xTaskGetTickCount();
}

static void repeat(const struct step *list, uint32_t times)
{
	while (times--)
		take_steps(list);
}

static void only_first(const struct step *list)
{
	if (first)
		return;
	first = true;
	take_steps(list);
}

static void drop(uint32_t timer)
{
	TimerHandle_t handle = timers[timer];

	timers[timer] = NULL;
	if (handle)
		note(xTimerDelete(handle, 0));
}

static void use_up(const struct step *list)
{
	void *blocks[40];
	unsigned count = 0;

	for (size_t size = 65536; size >= 8; size /= 2)
		while (count < 40 && (blocks[count] = pvPortMalloc(size)))
			count++;
	take_steps(list);
	while (count)
		vPortFree(blocks[--count]);
}

/* Of a step, OF is the timer. */
#define VERB(name, what)                                                       \
	static void verb_##name(const struct step *s)                          \
	{                                                                      \
		what;                                                          \
	}
#define OF		  timers[s->timer]
#define SAY(what, number) board_say(what, (uint32_t)(number))
#define LIST(...)                                                              \
	(const struct step[])                                                  \
	{                                                                      \
		__VA_ARGS__,                                                   \
		{                                                              \
			NULL                                                   \
		}                                                              \
	}
#define STEP(name)                                                             \
	{                                                                      \
		verb_##name, 0, 0, NULL                                        \
	}
#define TIMER(name, t)                                                         \
	{                                                                      \
		verb_##name, t, 0, NULL                                        \
	}
#define VALUE(name, t, v)                                                      \
	{                                                                      \
		verb_##name, t, v, NULL                                        \
	}
#define STEPS(name, v, ...)                                                    \
	{                                                                      \
		verb_##name, 0, v, LIST(__VA_ARGS__)                           \
	}

VERB(once, OF = make(s, pdFALSE));
VERB(loop, OF = make(s, pdTRUE));
VERB(fixed_once, OF = make_static(s, pdFALSE));
VERB(fixed_loop, OF = make_static(s, pdTRUE));
VERB(start, note(xTimerStart(OF, 0)));
VERB(reset, note(xTimerReset(OF, 0)));
VERB(stop, note(xTimerStop(OF, 0)));
VERB(change, note(xTimerChangePeriod(OF, (TickType_t)s->value, 0)));
VERB(drop, drop(s->timer));
VERB(mode, vTimerSetReloadMode(OF, (BaseType_t)s->value));
VERB(start_isr, result = xTimerStartFromISR(OF, &woken));
VERB(reset_isr, result = xTimerResetFromISR(OF, &woken));
VERB(stop_isr, result = xTimerStopFromISR(OF, &woken));
VERB(change_isr, result = xTimerChangePeriodFromISR(OF, 6, NULL));
VERB(pend, note(xTimerPendFunctionCall(on_call, (void *)(uintptr_t)s->list,
				       now + s->value, 0)));
VERB(pend_isr,
     result = xTimerPendFunctionCallFromISR(on_call, NULL, now, &woken));
VERB(pend_sum, note(xTimerPendFunctionCall(add, NULL, accepted, 0)));
VERB(pass, pass(s->value));
VERB(urgent, hurry(s->list));
VERB(isr, interrupt(s->list));
VERB(repeat, repeat(s->list, s->value));
VERB(first, only_first(s->list));
VERB(full, use_up(s->list));
VERB(wrap, until_wrap(s->value));
VERB(origin, origin = xTaskGetTickCount());
VERB(quiet, quiet = true);
VERB(take, SAY("taken", ulTaskNotifyTake(pdTRUE, 20)));
VERB(give, xTaskNotifyGive(xTimerGetTimerDaemonTaskHandle()));
VERB(last, last = xTimerGetExpiryTime(OF));
VERB(set_number, vTimerSetTimerNumber(OF, s->value));

VERB(active, SAY("active", xTimerIsTimerActive(OF)));
VERB(due, SAY("due", (TickType_t)(xTimerGetExpiryTime(OF) - origin)));
VERB(is_last, SAY("the last one", xTimerGetExpiryTime(OF) == last));
VERB(period, SAY("period", xTimerGetPeriod(OF)));
VERB(reloads, SAY("reloads", uxTimerGetReloadMode(OF)));
VERB(number, SAY("number", uxTimerGetTimerNumber(OF)));
VERB(name, SAY(pcTimerGetName(OF), pcTimerGetName(OF) == names[s->timer]));
VERB(set_id, vTimerSetTimerID(OF, (void *)(uintptr_t)s->list));
VERB(there, SAY("there", (void *)OF == (void *)&memory));
VERB(exists, SAY("exists", OF != NULL));
VERB(result, SAY("result", result));
VERB(accepted, SAY("accepted", accepted));
VERB(calls, SAY("calls", calls));
VERB(sum, SAY("sum", sum));
VERB(now, SAY("now", now));
VERB(free, SAY("as free as before", xPortGetFreeHeapSize() == free_before));

/* ONCE and LOOP start it, too; those with _ say what its callback does. */
#define MAKE(t, p)	 VALUE(once, t, p)
#define MAKE_LOOP(t, p)	 VALUE(loop, t, p)
#define ONCE(t, p)	 MAKE(t, p), START(t)
#define LOOP(t, p)	 MAKE_LOOP(t, p), START(t)
#define ONCE_(t, p, ...) { verb_once, t, p, LIST(__VA_ARGS__) }, START(t)
#define LOOP_(t, p, ...) { verb_loop, t, p, LIST(__VA_ARGS__) }, START(t)
#define START(t)	 TIMER(start, t)
#define STOP(t)		 TIMER(stop, t)
#define RESET(t)	 TIMER(reset, t)
#define CHANGE(t, p)	 VALUE(change, t, p)
#define DROP(t)		 TIMER(drop, t)
#define MODE(t, v)	 VALUE(mode, t, v)
#define PASS(ticks)	 VALUE(pass, 0, ticks)
#define ACTIVE(t)	 TIMER(active, t)
#define SHOW(t)		 ACTIVE(t), TIMER(due, t)
#define PERIOD(t)	 TIMER(period, t)
#define RESULT		 STEP(result)
#define ACCEPTED	 STEP(accepted)
#define FREE		 STEP(free)
#define NOW		 STEP(now)
#define URGENT(...)	 STEPS(urgent, 0, __VA_ARGS__)
#define ISR(...)	 STEPS(isr, 0, __VA_ARGS__)
#define FIRST(...)	 STEPS(first, 0, __VA_ARGS__)
#define REPEAT(n, ...)	 STEPS(repeat, n, __VA_ARGS__)
#define PEND(n)		 VALUE(pend, 0, n)
#define PEND_(n, ...)	 STEPS(pend, n, __VA_ARGS__)
#define S(name, ...)                                                           \
	{                                                                      \
		"- " #name, LIST(__VA_ARGS__)                                  \
	}

static const struct {
	const char *name;
	const struct step *list;
} scenarios[] = {
	S(change_dormant, MAKE(A, 20), PASS(3), CHANGE(A, 7), RESULT, PERIOD(A),
	  SHOW(A), PASS(30), ACTIVE(A)),
	S(change_active, ONCE(A, 10), ONCE(B, 20), PASS(9), CHANGE(A, 20),
	  CHANGE(B, 1), SHOW(A), SHOW(B), PASS(30), START(B), PASS(2)),
	S(change_reload, LOOP(A, 10), PASS(12), CHANGE(A, 4), PASS(10),
	  SHOW(A)),
	S(change_within, LOOP_(A, 10, CHANGE(A, 3), PERIOD(A)), PASS(17),
	  SHOW(A)),
	S(reset_active, ONCE(A, 20), PASS(7), RESET(A), RESULT, PASS(19),
	  SHOW(A), PASS(30)),
	S(reset_dormant, MAKE(A, 6), PASS(5), RESET(A), SHOW(A), PASS(10),
	  RESET(A), PASS(10)),
	S(reset_reload, LOOP(A, 10), PASS(13), RESET(A), PASS(25)),
	S(reset_on_the_last_tick, ONCE(A, 10), PASS(9), RESET(A), PASS(1),
	  SHOW(A), PASS(30)),
	S(stop_active, ONCE(A, 10), PASS(9), STOP(A), RESULT, ACTIVE(A),
	  PASS(30)),
	S(stop_dormant, MAKE(A, 10), STOP(A), RESULT, PASS(20), START(A),
	  PASS(12), STOP(A), RESULT),
	S(stop_within, LOOP_(A, 10, STOP(A), RESULT, ACTIVE(A)), PASS(40),
	  ACTIVE(A)),
	S(stop_the_next, ONCE_(A, 10, STOP(B)), ONCE(B, 10), PASS(20),
	  ACTIVE(B)),
	S(expiry_time, PASS(2), ONCE(A, 20), SHOW(A), PASS(5), RESET(A),
	  SHOW(A), PASS(21), ACTIVE(A)),
	S(expiry_time_dormant, ONCE(A, 20), PASS(5), TIMER(last, A), STOP(A),
	  TIMER(is_last, A)),
	S(expiry_time_within, ONCE_(A, 7, SHOW(A)), LOOP_(B, 9, SHOW(B)),
	  PASS(20)),
	S(once_again, ONCE_(A, 10, ACTIVE(A), START(A), RESULT, ACTIVE(A)),
	  PASS(25), SHOW(A)),
	S(once_again_later, ONCE_(A, 10, PASS(4), START(A)), PASS(30)),
	S(once_again_overdue, ONCE_(A, 10, START(A), FIRST(PASS(14))), PASS(12),
	  SHOW(A), PASS(20)),
	S(delete_active, LOOP(A, 10), FREE, PASS(15), DROP(A), RESULT, PASS(1),
	  FREE, PASS(20)),
	S(delete_within, ONCE_(A, 10, DROP(A)), LOOP_(B, 12, DROP(B)), PASS(13),
	  FREE, PASS(40)),
	S(delete_the_next, ONCE_(A, 10, DROP(B)), ONCE(B, 10), PASS(20),
	  DROP(A), PASS(1), FREE),
	S(create_without_memory, STEPS(full, 0, MAKE(A, 10), TIMER(exists, A)),
	  FREE),
	S(create_and_delete, REPEAT(5000, ONCE(A, 10), DROP(A), PASS(1)), FREE),
	S(static_reuse, VALUE(fixed_loop, A, 10), TIMER(there, A), START(A),
	  PASS(12), DROP(A), RESULT, PASS(1), VALUE(fixed_once, B, 4),
	  ACTIVE(B), START(B), PASS(30), FREE),
	S(late_reload, LOOP_(A, 10, SHOW(A)), URGENT(PASS(35), NOW), PASS(10)),
	S(late_once, ONCE(A, 10), URGENT(PASS(35), NOW), ACTIVE(A)),
	S(late_together, LOOP(A, 10), LOOP(B, 15), ONCE(C, 12),
	  URGENT(PASS(35), NOW), PASS(10)),
	S(late_stopped, LOOP_(A, 10, STOP(A), RESULT), URGENT(PASS(35)),
	  ACTIVE(A)),
	S(late_mode, LOOP_(A, 10, MODE(A, 0)), URGENT(PASS(35)), PASS(20),
	  ACTIVE(A)),
	S(late_changed, LOOP_(A, 10, CHANGE(A, 3)), URGENT(PASS(35)), PASS(4)),
	S(late_by_its_callback, LOOP_(A, 10, FIRST(PASS(25))), ONCE(B, 18),
	  PASS(10), SHOW(A), PASS(10)),
	S(start_urgently, MAKE_LOOP(A, 5),
	  URGENT(START(A), ACTIVE(A), PASS(12)), SHOW(A), PASS(5)),
	S(change_urgently, MAKE(A, 20), URGENT(CHANGE(A, 5), PASS(3)), SHOW(A),
	  PASS(10)),
	S(stop_urgently, ONCE(A, 10), URGENT(PASS(12), STOP(A)), ACTIVE(A),
	  PASS(5)),
	S(start_more_than_fit, MAKE(A, 5),
	  URGENT(REPEAT(configTIMER_QUEUE_LENGTH + 1, START(A))), ACCEPTED,
	  PASS(10)),
	S(isr_start, MAKE(A, 10), PASS(2), ISR(TIMER(start_isr, A)), SHOW(A),
	  PASS(20)),
	S(isr_reset, LOOP(A, 10), PASS(4), ISR(TIMER(reset_isr, A)), PASS(20)),
	S(isr_stop, LOOP(A, 10), PASS(4), ISR(TIMER(stop_isr, A)), ACTIVE(A),
	  PASS(20)),
	S(isr_stop_due, ONCE(A, 10), PASS(9), ISR(TIMER(stop_isr, A)),
	  ACTIVE(A), PASS(10)),
	S(isr_several, MAKE_LOOP(A, 10), PASS(4),
	  ISR(TIMER(stop_isr, A), TIMER(change_isr, A), TIMER(reset_isr, A)),
	  SHOW(A), PASS(12)),
	S(order_of_starts, ONCE(A, 300), PASS(294), ONCE(B, 6), PASS(1),
	  ONCE(C, 5), PASS(6)),
	S(order_of_reloads, LOOP(A, 10), LOOP(B, 20), LOOP(C, 5), PASS(20)),
	S(order_after_reset, ONCE(A, 10), ONCE(B, 10), ONCE(C, 10), RESET(A),
	  CHANGE(B, 10), PASS(10)),
	S(pend_within, ONCE_(A, 5, PEND(1), PEND(2)), ONCE(B, 5), ONCE(C, 5),
	  PASS(6)),
	S(pend_when_due, ONCE(A, 5), ONCE(B, 6),
	  URGENT(PEND_(1, PEND(10)), PEND_(2, PEND(20)), PASS(6), PEND(3))),
	S(pend_urgently, MAKE(A, 5),
	  URGENT(PEND_(1, ACTIVE(A)), START(A), PEND_(2, ACTIVE(A)))),
	S(pend_more_than_fit,
	  URGENT(REPEAT(configTIMER_QUEUE_LENGTH + 1, STEP(pend_sum)),
		 ONCE(A, 1)),
	  ACCEPTED, STEP(sum), PASS(1)),
	S(isr_pend, ONCE(A, 2), ISR(STEP(pend_isr)), PASS(1)),
	S(notified_before, ONCE_(A, 5, STEP(take)), STEP(give), STEP(give),
	  PASS(4), ONCE(B, 3), PASS(10)),
	S(notified_meanwhile, ONCE_(A, 5, STEP(take), NOW), LOOP(B, 7),
	  PASS(15), STEP(give), PASS(10)),
	S(notified_by_none, ONCE_(A, 5, STEP(take), NOW), PASS(8), PEND(0),
	  ONCE(B, 40), ACTIVE(B), PASS(50)),
	S(wrap_thrice, STEP(quiet), LOOP(A, 1000), PASS(3 * 65536), STEP(calls),
	  STEP(origin), SHOW(A)),
	S(wrap_far, LOOP(A, 65535), LOOP(B, 40000), PASS(3 * 65536),
	  STEP(origin), TIMER(due, B)),
	S(wrap_idle, PASS(70000), ONCE(A, 5), PASS(6)),
	S(wrap_far_late, ONCE(A, 65535), PASS(65530), URGENT(PASS(20)),
	  PASS(1)),
	S(wrap_reset, VALUE(wrap, 0, 3), LOOP(A, 10), LOOP(B, 2), LOOP(C, 3),
	  PASS(2), RESET(A), SHOW(A), STOP(B), CHANGE(C, 11), PASS(20)),
	S(wrap_late, VALUE(wrap, 0, 22), LOOP(A, 10), URGENT(PASS(35)), SHOW(A),
	  PASS(5)),
	S(reload_mode, ONCE(A, 4), MODE(A, 1), TIMER(reloads, A), PASS(9),
	  MODE(A, 0), TIMER(reloads, A), SHOW(A), PASS(20), ACTIVE(A)),
	S(reload_mode_within, LOOP_(A, 4, MODE(A, 0)), PASS(20), ACTIVE(A)),
	S(id, ONCE_(A, 5, NOW), { verb_set_id, A, 0, LIST(PERIOD(A)) },
	  PASS(5)),
	S(fresh, MAKE_LOOP(A, 20), ACTIVE(A), PERIOD(A), TIMER(reloads, A),
	  TIMER(name, A), VALUE(set_number, A, 11), START(A), PASS(20),
	  TIMER(number, A)),
};

/* --- all of them ---------------------------------------------------------- */

static void begin(void)
{
	free_before = xPortGetFreeHeapSize();
	now = accepted = calls = sum = 0;
	quiet = first = false;
	origin = xTaskGetTickCount();
}

static void test(void *unused)
{
	board_hold_ticks();
	for (uint32_t i = 0; i < sizeof(scenarios) / sizeof(*scenarios); i++) {
		board_say(scenarios[i].name, i + 1);
		begin();
		take_steps(scenarios[i].list);
		for (uint32_t timer = 0; timer < TIMERS; timer++)
			drop(timer);
		pass(1);
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
