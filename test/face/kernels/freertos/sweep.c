/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/freertos/sweep.c - a handler at each place where interrupts
 * are let in, from an arming until long after it has expired
 *
 * With the stand-in only, which knows these places. Nothing else goes on, so
 * that a wake-up which is lost is not made up for by the next.
 */
#include <FreeRTOS.h>
#include <jif/face/kernel.h>
#include <jif/jiffies.h>
#include <jif/wheel.h>
#include <stdbool.h>
#include <task.h>

#include "board.h"
#include "timers.h"

#define FAR   1000
#define NEAR  3
#define LATER 7

enum what { ARM, STOP, RESTART };

static struct jif_kernel wheels;
static enum what what;
static bool came, was_active;
static uint32_t came_at, calls, last, raw_calls, raw_last;
static TimerHandle_t soft;

void vApplicationTickHook(void)
{
}

static void on_raw(struct jif_timer *timer)
{
	raw_calls++;
	raw_last = jif_now();
}

static void on_soft(TimerHandle_t timer)
{
	calls++;
	last = jif_now();
}

static struct jif_timer far = JIF_TIMER_INIT(on_raw);
static struct jif_timer near = JIF_TIMER_INIT(on_raw);
static struct jif_timer raw = JIF_TIMER_INIT(on_raw);

void board_interrupt(void)
{
	came = true;
	came_at = jif_now();
	was_active = xTimerIsTimerActive(soft);
	if (what == ARM) {
		jif_timer_mod(&wheels.wheel, &raw, came_at + LATER);
		jif_kernel_wake(&wheels, came_at + LATER);
	} else if (what == STOP) {
		xTimerStopFromISR(soft, NULL);
	} else {
		xTimerChangePeriodFromISR(soft, LATER, NULL);
	}
}

/* What has happened by the time at which all of it has to be over. */
static bool is_right(void)
{
	if (!came)
		return true;
	if (what == ARM)
		return raw_calls == 2 && raw_last == came_at + LATER;
	if (what == STOP)
		return calls == !was_active;
	return calls == 1u + !was_active && last == came_at + LATER;
}

/* False where the handler does not come any more. */
static bool place(uint32_t number)
{
	came = false;
	calls = raw_calls = 0;
	(void)!jif_kernel_mod_in(&wheels, &far, FAR);
	vTaskDelay(1);
	board_interrupt_at(number);
	if (what == ARM)
		(void)!jif_kernel_mod_in(&wheels, &near, NEAR);
	else
		xTimerChangePeriod(soft, NEAR, 0);
	vTaskDelay(NEAR + 3 * LATER);
	if (!is_right()) {
		board_say("wrong: place", number);
		board_say("  of", what);
		board_say("  callbacks", calls + raw_calls);
		board_exit(1);
	}
	return came;
}

static void test(void *unused)
{
	for (what = ARM; what <= RESTART; what++) {
		uint32_t number = 0;

		while (place(number))
			number++;
		board_say("places", number);
	}
	board_exit(0);
}

static void run_wheels(void *arg)
{
	jif_kernel_run((struct jif_kernel *)arg);
}

int main(void)
{
	jif_kernel_init(&wheels);
	soft = xTimerCreate("soft", NEAR, pdFALSE, NULL, on_soft);
	xTaskCreate(run_wheels, "wheels", 512, &wheels, 4, NULL);
	xTaskCreate(test, "test", 256, NULL, 1, NULL);
	vTaskStartScheduler();
	return 1;
}
