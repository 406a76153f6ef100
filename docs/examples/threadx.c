/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/threadx.c - any number of timers in one thread of ThreadX
 *
 * Compiled with -DJIF_PORT='"threadx/jif_port.h"', as lib/ is: jiffies are
 * ThreadX's ticks. One thread runs the timers. All others, and handlers, arm
 * them, move and delete.
 */
#include <jif/face/kernel.h>
#include <jif/jiffies.h>
#include <tx_api.h>

#include "board.h"

static struct jif_kernel timers;
static TX_THREAD timer_thread, sensor_thread;
static ULONG timer_stack[256], sensor_stack[256];

static void run_timers(ULONG unused)
{
	(void)unused;
	jif_kernel_run(&timers);
}

static void on_silence(struct jif_timer *timer)
{
	(void)timer;
	board_log("the sensor is silent");
}

static void on_still(struct jif_timer *timer)
{
	(void)timer;
	board_log("the button is pressed");
}

static struct jif_timer silence = JIF_TIMER_INIT(on_silence);
static struct jif_timer still = JIF_TIMER_INIT(on_still);

/* Bounces: each call moves the end of the bouncing. */
void button_isr(void);
void button_isr(void)
{
	if (jif_kernel_mod_in(&timers, &still, jif_msecs_to_jiffies(20)) < 0)
		board_log("refused");
}

/* The sensor answers three times. */
static void read_sensor(ULONG unused)
{
	(void)unused;
	for (int i = 0; i < 3; i++) {
		board_log("a reading");
		if (jif_kernel_mod_in(&timers, &silence,
				      jif_msecs_to_jiffies(1000)) < 0)
			board_log("refused");
		tx_thread_sleep(jif_msecs_to_jiffies(400));
	}
}

void tx_application_define(void *memory)
{
	(void)memory;
	jif_kernel_init(&timers);
	tx_thread_create(&timer_thread, "timers", run_timers, 0, timer_stack,
			 sizeof(timer_stack), 3, 3, TX_NO_TIME_SLICE,
			 TX_AUTO_START);
	tx_thread_create(&sensor_thread, "sensor", read_sensor, 0, sensor_stack,
			 sizeof(sensor_stack), 9, 9, TX_NO_TIME_SLICE,
			 TX_AUTO_START);
}

int main(void)
{
	tx_kernel_enter();
	return 0;
}
