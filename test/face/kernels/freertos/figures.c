/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/freertos/figures.c - what software timers cost, in
 * instructions
 *
 * With FreeRTOS' own or those of jif, on the board of cm3.c. An instruction
 * takes 1024 ns, which are 25.6 counts of the clock; a tick, 100 ms.
 */
#include <FreeRTOS.h>
#include <task.h>

#include "../../../target/target.h"
#include "board.h"
#include "timers.h"

#define NVIC_IPR2 (*(volatile uint32_t *)0xe000e408)
#define SYST_LOAD (*(volatile uint32_t *)0xe000e014)
#define SYST_VAL  (*(volatile uint32_t *)0xe000e018)
#define MOST	  100u

static TimerHandle_t timer, others[MOST];
static uint32_t period, within;
static volatile uint32_t since_tick, called;

static uint32_t instructions(uint32_t counts)
{
	return counts * 10 / 256;
}

void vApplicationTickHook(void)
{
}

static void on_expiry(TimerHandle_t expired)
{
	since_tick = SYST_LOAD - SYST_VAL;
	called++;
}

void board_interrupt(void)
{
	BaseType_t woken = pdFALSE;
	uint32_t begin = board_clock();

	xTimerChangePeriodFromISR(timer, period, &woken);
	within = board_clock() - begin;
	portYIELD_FROM_ISR(woken);
}

/* From right before the interrupt until the task goes on. */
static void arm(const char *in_handler, const char *in_all, uint32_t ticks)
{
	uint32_t begin, all;

	period = ticks;
	begin = board_clock();
	target_pend();
	all = board_clock() - begin;
	board_say(in_handler, instructions(within));
	board_say(in_all, instructions(all));
}

static void measure(uint32_t number)
{
	static uint32_t started;

	for (; started < number; started++) {
		others[started] = xTimerCreate("other", 1000 + started, pdFALSE,
					       NULL, on_expiry);
		xTimerStart(others[started], 0);
	}
	vTaskDelay(1);
	board_say("timers that are started", number);
	arm("  arm, sooner than all, in the handler",
	    "    with all that it causes", 2);
	vTaskDelay(3);
	board_say("  from the tick to its callback", instructions(since_tick));
	arm("  arm, later than all, in the handler",
	    "    with all that it causes", 5000);
	xTimerStop(timer, 0);
}

/* As many as that on one tick: until the last callback. */
static void expire(uint32_t number)
{
	for (uint32_t i = 0; i < number; i++)
		xTimerChangePeriod(others[i], 5, 0);
	called = 0;
	vTaskDelay(10);
	board_say("timers of one tick", called);
	board_say("  until the last callback", instructions(since_tick));
}

static void test(void *unused)
{
	SYST_LOAD = configCPU_CLOCK_HZ / 10 - 1;
	SYST_VAL = 0;
	NVIC_IPR2 = (SYSCALL_PRIORITY + 0x20) << 8;
	target_irq = board_interrupt;
	timer = xTimerCreate("timer", 1, pdFALSE, NULL, on_expiry);
	vTaskDelay(1);
	measure(0);
	measure(10);
	measure(MOST);
	expire(MOST);
	board_say("bytes of a timer", sizeof(StaticTimer_t));
	board_say("bytes of the heap, of the timer task",
		  configTOTAL_HEAP_SIZE - xPortGetFreeHeapSize());
	board_exit(0);
}

int main(void)
{
	xTaskCreate(test, "test", 256, NULL, 2, NULL);
	vTaskStartScheduler();
	return 1;
}
