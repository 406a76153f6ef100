/* SPDX-License-Identifier: MIT */
/* See tx_api.h beside it */
#include <stdlib.h>

#include "../../../../target/target.h"
#include "../../../../tools/docs/examples/stand-in/threads.h"
#include "../../churn.h"
#include "../threadx.h"
#include "tx_initialize.h"
#include "tx_thread.h"

#define THREADS 8

volatile ULONG _tx_thread_system_state = TX_INITIALIZE_IN_PROGRESS;
void (*volatile board_tick)(void);
volatile uint32_t board_ticks = FIRST_TICK;

static TX_THREAD *threads[THREADS];
static unsigned count;
static ULONG since;

ULONG tx_time_get(void)
{
	return thread_ticks() - since;
}

void tx_time_set(ULONG ticks)
{
	since = thread_ticks() - ticks;
}

static void begin(void *arg)
{
	TX_THREAD *thread = arg;

	thread->entry(thread->input);
}

/* A lower number is a higher priority. */
UINT tx_thread_create(TX_THREAD *thread, const char *name,
		      void (*entry)(ULONG input), ULONG input, void *stack,
		      ULONG size, UINT priority, UINT threshold, ULONG slice,
		      UINT start)
{
	if (count == THREADS || threshold != priority || !start)
		abort();
	thread->entry = entry;
	thread->input = input;
	thread->thread = thread_create(begin, thread, -(int)priority);
	threads[count++] = thread;
	return TX_SUCCESS;
}

TX_THREAD *tx_thread_identify(void)
{
	for (unsigned i = 0; i < count; i++)
		if (threads[i]->thread == thread_self())
			return threads[i];
	return NULL;
}

UINT tx_thread_sleep(ULONG ticks)
{
	TX_THREAD *self = tx_thread_identify();

	self->aborted = TX_SUCCESS;
	thread_take(ticks);
	return self->aborted;
}

UINT tx_thread_wait_abort(TX_THREAD *thread)
{
	if (!thread_waits(thread->thread))
		return TX_WAIT_ABORT_ERROR;
	thread->aborted = TX_WAIT_ABORTED;
	thread_give(thread->thread);
	return TX_SUCCESS;
}

static void on_tick(uint32_t since_start)
{
	board_ticks = FIRST_TICK + since_start;
	_tx_thread_system_state++;
	if (board_tick)
		board_tick();
	if (target_irq)
		target_irq();
	_tx_thread_system_state--;
}

void tx_kernel_enter(void)
{
	tx_application_define(NULL);
	_tx_thread_system_state = 0;
	thread_irq = on_tick;
	thread_run(UINT32_MAX);
}

uint32_t churn_mask(void)
{
	return 0;
}

void churn_unmask(uint32_t flags)
{
}

uint32_t churn_ticks(void)
{
	return board_ticks;
}
