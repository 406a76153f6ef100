/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/zephyr/stand-in/zephyr/kernel.h - as much of Zephyr as
 * jif and its example call
 *
 * Not Zephyr, but what kernel/timeout.c (commit 013c135025b4), kernel/sem.c
 * (005401f7b02d) and kernel/sched.c (0075f17e1f76) do on one core, with ticks
 * of 1 ms and no time between them; read there, not run. How long its waits are
 * stands in test/face/kernels/any.sh. The program ends after some seconds.
 */
#ifndef ZEPHYR_KERNEL_H
#define ZEPHYR_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CONFIG_SYS_CLOCK_TICKS_PER_SEC 1000
#define CONFIG_TIMEOUT_64BIT	       1

/* Absolute times are those below -1. */
typedef struct {
	int64_t ticks;
} k_timeout_t;

#define K_TICKS(count)	       ((k_timeout_t){ count })
#define K_MSEC(ms)	       K_TICKS(ms)
#define K_FOREVER	       K_TICKS(-1)
#define K_TIMEOUT_ABS_TICKS(t) K_TICKS(-2 - (t))

struct k_sem {
	struct thread *waiter;
	unsigned count;
	unsigned limit;
};

#define Z_SEM_INITIALIZER(name, initial, most)                                 \
	{                                                                      \
		NULL, initial, most                                            \
	}

void k_sem_give(struct k_sem *sem);
int k_sem_take(struct k_sem *sem, k_timeout_t timeout);

unsigned int irq_lock(void);
void irq_unlock(unsigned int key);
bool k_is_in_isr(void);
void k_sched_lock(void);
void k_sched_unlock(void);

int64_t k_uptime_ticks(void);
int32_t k_sleep(k_timeout_t timeout);

typedef void (*k_thread_entry_t)(void *, void *, void *);

/* Of both only one each, before main(); a lower number is a higher priority. */
struct zephyr_init {
	int (*fn)(void);
};
struct zephyr_thread {
	k_thread_entry_t entry;
	int priority;
};
extern const struct zephyr_init zephyr_init;
extern const struct zephyr_thread zephyr_thread;

#define SYS_INIT(fn, level, priority)                                          \
	const struct zephyr_init zephyr_init = { fn }
#define K_THREAD_DEFINE(name, stack, entry, p1, p2, p3, priority, options,     \
			delay)                                                 \
	const struct zephyr_thread zephyr_thread = { entry, priority }

#endif
