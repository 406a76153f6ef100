/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/threadx/rows.c - what ThreadX does, row by row
 *
 * Says what is seen of threads that sleep, for a comparison: the same with
 * ThreadX and its stand-in.
 */
#include <tx_api.h>

#include "../../../target/target.h"
#include "threadx.h"

static TX_THREAD higher, lower;
static ULONG higher_stack[256], lower_stack[256];
static ULONG ended;
static UINT result, from_handler;

static void say(const char *what, ULONG number)
{
	target_put_text(what);
	target_puts(": ");
	target_put_number((uint32_t)number);
	target_puts("\n");
}

static void sleep_for(const char *what, ULONG ticks)
{
	ULONG now;

	tx_thread_sleep(2);
	now = tx_time_get();
	tx_thread_sleep(ticks);
	say(what, tx_time_get() - now);
}

static void run_higher(ULONG unused)
{
	for (;;) {
		result = tx_thread_sleep(10);
		ended = tx_time_get();
	}
}

static void on_tick(void)
{
	board_tick = NULL;
	from_handler = tx_thread_wait_abort(&higher);
}

static void run_lower(ULONG unused)
{
	sleep_for("a sleep of none takes", 0);
	sleep_for("of 1", 1);
	sleep_for("of 2", 2);
	sleep_for("of 31", 31);
	sleep_for("of 32", 32);
	sleep_for("of 33", 33);
	sleep_for("of 100", 100);
	say("the result of a sleep", result);
	say("aborting one", tx_thread_wait_abort(&higher));
	say("runs it at once, with", result);
	say("and now", tx_time_get() - ended);
	say("aborting none", tx_thread_wait_abort(&lower));
	board_tick = on_tick;
	tx_thread_sleep(2);
	say("aborting in a handler", from_handler);
	say("that one had", result);
	target_exit(0);
}

void tx_application_define(void *unused)
{
	tx_thread_create(&higher, "higher", run_higher, 0, higher_stack,
			 sizeof(higher_stack), 5, 5, TX_NO_TIME_SLICE,
			 TX_AUTO_START);
	tx_thread_create(&lower, "lower", run_lower, 0, lower_stack,
			 sizeof(lower_stack), 9, 9, TX_NO_TIME_SLICE,
			 TX_AUTO_START);
}

int main(void)
{
	tx_kernel_enter();
	return 1;
}
