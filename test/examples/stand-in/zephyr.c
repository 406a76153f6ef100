/* SPDX-License-Identifier: MIT */
/*
 * test/examples/stand-in/zephyr.c - see zephyr/kernel.h beside it
 */
#include <zephyr/kernel.h>

#include "threads.h"

/* The example's, which is a thread of the lowest priority here. */
int zephyr_main(void);

void k_sem_give(struct k_sem *sem)
{
	if (sem->count < sem->limit)
		sem->count++;
	if (sem->waiter)
		thread_give(sem->waiter);
}

/* Only one thread waits for a semaphore of the example. */
int k_sem_take(struct k_sem *sem, k_timeout_t timeout)
{
	if (!sem->count) {
		sem->waiter = thread_self();
		thread_take(timeout.ticks);
		sem->waiter = NULL;
	}
	if (!sem->count)
		return -11; /* EAGAIN */
	sem->count--;
	return 0;
}

int64_t k_uptime_ticks(void)
{
	return thread_ticks();
}

uint32_t k_ms_to_ticks_ceil32(uint32_t ms)
{
	return ms;
}

int32_t k_sleep(k_timeout_t timeout)
{
	thread_take(timeout.ticks);
	return 0;
}

static void enter(void *unused)
{
	(void)unused;
	zephyr_thread.entry(NULL, NULL, NULL);
}

static void enter_main(void *unused)
{
	(void)unused;
	zephyr_main();
}

int main(void)
{
	if (zephyr_init.fn())
		return 1;
	thread_create(enter, NULL, -zephyr_thread.priority);
	thread_create(enter_main, NULL, -100);
	thread_run(3000);
	return 0;
}
