/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/threadx/churn.c - random operations under a real ThreadX
 *
 * The thread above runs a wheel of its own, and its callback blocks: nobody who
 * arms something meanwhile may end that.
 */
#include "../churn.h"

#include <jif/jiffies.h>
#include <tx_api.h>

#include "../../../../lib/port/jif_port.h"
#include "../../../target/target.h"
#include "threadx.h"

#ifndef OPERATIONS
#define OPERATIONS 1000000u
#endif

#ifndef MAY_BE_LATE
#define MAY_BE_LATE 0
#endif

static struct jif_kernel kernel, slow;
static struct jif_timer burst;
static TX_THREAD timers, above, below;
static ULONG timers_stack[256], above_stack[256], below_stack[256];
static uint32_t aborted, contexts;

/* At random; in the sparse whiles, only soon after a tick: see on_tick(). */
static void on_irq(void)
{
	contexts += !jif_in_irq();
	churn_op(CHURN_IRQ);
	jif_kernel_wake(&slow, jif_now());
	if (churn_ops() < OPERATIONS && !churn_is_sparse())
		target_pend_after(1000 + churn_random(CHURN_IRQ, 100000));
}

/* The other interrupt, then, within this or while the thread goes to sleep. */
static void on_tick(void)
{
	uint32_t most = churn_is_sparse() ? 1 : 12;

	target_pend_after(1000 + churn_random(CHURN_TICK, 40000));
	for (uint32_t n = churn_random(CHURN_TICK, most + 1); n; n--)
		churn_op(CHURN_TICK);
	jif_kernel_wake(&slow, jif_now());
}

static void on_burst(struct jif_timer *timer)
{
	uint32_t most = churn_is_sparse() ? 1 : 20;

	for (uint32_t n = churn_random(CHURN_ABOVE, most + 1); n; n--)
		churn_op(CHURN_ABOVE);
	if (tx_thread_sleep(1 + churn_random(CHURN_ABOVE, 2)) != TX_SUCCESS)
		aborted++;
	if (churn_ops() < OPERATIONS)
		(void)!jif_kernel_mod_in(&slow, timer,
					 churn_random(CHURN_ABOVE, 60 / most));
}

static void run(ULONG of)
{
	jif_kernel_run(of ? &slow : &kernel);
}

static void run_below(ULONG unused)
{
	contexts += jif_in_irq();
	target_irq = on_irq;
	board_tick = on_tick;
	target_pend_after(1000);
	(void)!jif_kernel_mod_in(&slow, &burst, 1);
	while (churn_ops() < OPERATIONS) {
		churn_op(CHURN_BELOW);
		if (churn_is_sparse())
			tx_thread_sleep(1 + churn_random(CHURN_BELOW, 40));
	}
	board_tick = NULL;
	target_irq = NULL;
	while (jif_time_before_eq(churn_ticks(), churn_last() + 1))
		tx_thread_sleep(1);
	target_put_number(aborted);
	target_puts(" waits of callbacks aborted, ");
	target_put_number(contexts);
	target_puts(" contexts mistaken\n");
	target_exit(!churn_end(MAY_BE_LATE) || aborted || contexts);
}

/* Arms before there is any thread. */
void tx_application_define(void *unused)
{
	contexts += jif_in_irq();
	tx_time_set(churn_ticks());
	jif_kernel_init(&kernel);
	jif_kernel_init(&slow);
	jif_timer_init(&burst, on_burst);
	churn_start(&kernel);
	churn_op(CHURN_BELOW);
	tx_thread_create(&timers, "timers", run, 0, timers_stack,
			 sizeof(timers_stack), 5, 5, TX_NO_TIME_SLICE,
			 TX_AUTO_START);
	tx_thread_create(&above, "above", run, 1, above_stack,
			 sizeof(above_stack), 3, 3, TX_NO_TIME_SLICE,
			 TX_AUTO_START);
	tx_thread_create(&below, "below", run_below, 0, below_stack,
			 sizeof(below_stack), 9, 9, TX_NO_TIME_SLICE,
			 TX_AUTO_START);
}

int main(void)
{
	tx_kernel_enter();
	return 1;
}
