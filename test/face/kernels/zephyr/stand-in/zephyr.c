/* SPDX-License-Identifier: MIT */
/* See zephyr/kernel.h beside it */
#include <stdlib.h>
#include <zephyr/kernel.h>

#include "threads.h"

/* The example's, which is a thread of the lowest priority here. */
int zephyr_main(void);

static unsigned locked;

/* A relative time-out of n ends n + 1 ticks later; none ends at once. */
static uint32_t ticks_of(k_timeout_t timeout)
{
	int64_t left = -2 - timeout.ticks - k_uptime_ticks();

	if (timeout.ticks == -1)
		return FOREVER;
	if (timeout.ticks >= 0)
		return (uint32_t)timeout.ticks + 1;
	return left < 1 ? 1 : (uint32_t)left;
}

unsigned int irq_lock(void)
{
	thread_lock(true);
	return locked++;
}

void irq_unlock(unsigned int key)
{
	locked = key;
	thread_lock(key);
}

bool k_is_in_isr(void)
{
	return !thread_self();
}

void k_sched_lock(void)
{
}

void k_sched_unlock(void)
{
	thread_switch();
}

/* Who waits takes it, and the count stays as it is. */
void k_sem_give(struct k_sem *sem)
{
	struct thread *waiter = sem->waiter;

	sem->waiter = NULL;
	if (waiter)
		thread_give(waiter);
	else if (sem->count < sem->limit)
		sem->count++;
}

/* To wait with interrupts off is not allowed. */
int k_sem_take(struct k_sem *sem, k_timeout_t timeout)
{
	if (locked)
		abort();
	if (sem->count) {
		sem->count--;
		return 0;
	}
	if (!timeout.ticks)
		return -16; /* EBUSY */
	sem->waiter = thread_self();
	if (thread_take(ticks_of(timeout)))
		return 0;
	sem->waiter = NULL;
	return -11; /* EAGAIN */
}

int64_t k_uptime_ticks(void)
{
	return (int64_t)UINT32_MAX - 999 + (uint32_t)(thread_ticks() + 1000);
}

int32_t k_sleep(k_timeout_t timeout)
{
	thread_take(ticks_of(timeout));
	return 0;
}

static void enter(void *unused)
{
	zephyr_thread.entry(NULL, NULL, NULL);
}

static void enter_main(void *unused)
{
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
