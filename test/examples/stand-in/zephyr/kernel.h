/* SPDX-License-Identifier: MIT */
/*
 * test/examples/stand-in/zephyr/kernel.h - as much of Zephyr as the example
 * calls
 *
 * Not Zephyr, but what its documentation says of these calls: a stand-in, with
 * ticks of 1 ms. The program ends after some seconds.
 */
#ifndef ZEPHYR_KERNEL_H
#define ZEPHYR_KERNEL_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
	uint32_t ticks;
} k_timeout_t;

#define K_FOREVER      ((k_timeout_t){ UINT32_MAX })
#define K_TICKS(count) ((k_timeout_t){ count })
#define K_MSEC(ms)     K_TICKS(ms)

struct k_sem {
	struct thread *waiter;
	unsigned count;
	unsigned limit;
};

void k_sem_give(struct k_sem *sem);
int k_sem_take(struct k_sem *sem, k_timeout_t timeout);

int64_t k_uptime_ticks(void);
uint32_t k_ms_to_ticks_ceil32(uint32_t ms);
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

#define K_SEM_DEFINE(name, initial, most)                                      \
	struct k_sem name = { NULL, initial, most }
#define SYS_INIT(fn, level, priority)                                          \
	const struct zephyr_init zephyr_init = { fn }
#define K_THREAD_DEFINE(name, stack, entry, p1, p2, p3, priority, options,     \
			delay)                                                 \
	const struct zephyr_thread zephyr_thread = { entry, priority }

#endif
