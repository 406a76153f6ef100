/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/threadx/linux.c - a board for ThreadX's port to Linux
 *
 * The tick is its only interrupt, 100 times in a second of the host: with a
 * second one, it comes to a stop in its own semaphores.
 */
#include <pthread.h>
#include <tx_api.h>

#include "../../../target/target.h"
#include "../churn.h"
#include "threadx.h"

void __real__tx_timer_interrupt(void);
void __wrap__tx_timer_interrupt(void);

volatile uint32_t board_ticks = FIRST_TICK;
void (*volatile board_tick)(void);

void __wrap__tx_timer_interrupt(void)
{
	board_ticks++;
	__real__tx_timer_interrupt();
	if (board_tick)
		board_tick();
	if (target_irq)
		target_irq();
}

/* What a handler takes before it stops the thread that runs. */
uint32_t churn_mask(void)
{
	pthread_mutex_lock(&_tx_linux_mutex);
	return 0;
}

void churn_unmask(uint32_t flags)
{
	pthread_mutex_unlock(&_tx_linux_mutex);
}

uint32_t churn_ticks(void)
{
	return board_ticks;
}
