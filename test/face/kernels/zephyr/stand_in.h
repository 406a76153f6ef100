/* SPDX-License-Identifier: MIT */
/*
 * What kernel/timeout.c of Zephyr needs of its kernel, on a host: two CPUs that
 * take turns, locks, and a clock that says what the test says
 *
 * Ours, written to be enough for that file. Whoever lets go of the lock calls
 * the test, which may do what another CPU or an interrupt does then. On a
 * Cortex-M, where instructions are counted, there is one CPU.
 */
#ifndef TEST_ZEPHYR_STAND_IN_H
#define TEST_ZEPHYR_STAND_IN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if __STDC_HOSTED__
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define CPU_ID test_cpu
#else
#define assert(is) ((void)0)
#define EINVAL	   22
#define EAGAIN	   11
#define CPU_ID	   0
#endif

#define EXPORT_SYMBOL(name)
#define __ASSERT(is, ...)	  assert(is)
#define __ASSERT_NO_MSG(is)	  assert(is)
#define CONTAINER_OF(p, type, in) ((type *)((char *)(p)-offsetof(type, in)))

#define ARG_UNUSED(arg)		  ((void)(arg))
#define BUILD_ASSERT(is, ...)	  _Static_assert(is, #is)
#define BIT(bit)		  (UINT32_C(1) << (bit))
#define MIN(a, b)		  ((a) < (b) ? (a) : (b))
#define MAX(a, b)		  ((a) > (b) ? (a) : (b))
#define unlikely(is)		  (is)
#define k_panic()		  __builtin_trap()

/* 1 for an option that is defined as 1, what test_sloppy is, else 0. */
#define OPTION_1		 ,
#define OPTION_test_sloppy	 0, test_sloppy,
#define OPTION_SECOND(a, b, ...) b
#define OPTION_IS(gap)		 OPTION_SECOND(gap 1, 0, 0)
#define OPTION_VALUE(value)	 OPTION_IS(OPTION_##value)
#define IS_ENABLED(option)	 OPTION_VALUE(option)

#ifdef CONFIG_TIMEOUT_64BIT
typedef int64_t k_ticks_t;
#define Z_IS_TIMEOUT_RELATIVE(to) (Z_TICK_ABS((to).ticks) < 0)
#define K_TIMEOUT_ABS_TICKS(tick)                                              \
	((k_timeout_t){ Z_TICK_ABS((k_ticks_t)(tick)) })
#else
typedef uint32_t k_ticks_t;
#define Z_IS_TIMEOUT_RELATIVE(to) true
#define K_TIMEOUT_ABS_TICKS(tick) K_TICKS((tick)-sys_clock_tick_get() - 1)
#endif

#ifdef CONFIG_SYSTEM_CLOCK_LONG_WAIT
typedef uint64_t sys_clock_ticks_t;
#define SYS_CLOCK_MAX_WAIT ((sys_clock_ticks_t)INT64_MAX)
#else
typedef uint32_t sys_clock_ticks_t;
#define SYS_CLOCK_MAX_WAIT (UINT32_MAX / 2)
#endif

typedef struct {
	k_ticks_t ticks;
} k_timeout_t;

typedef struct {
	uint64_t tick;
} k_timepoint_t;

#define K_TICKS_FOREVER	   ((k_ticks_t)-1)
#define K_TICKS(count)	   ((k_timeout_t){ (k_ticks_t)(count) })
#define K_NO_WAIT	   K_TICKS(0)
#define K_FOREVER	   K_TICKS(K_TICKS_FOREVER)
#define K_TIMEOUT_EQ(a, b) ((a).ticks == (b).ticks)
#define Z_TICK_ABS(ticks)  (K_TICKS_FOREVER - 1 - (ticks))

static inline int64_t max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

struct _timeout;
typedef void (*_timeout_func_t)(struct _timeout *to);

#ifdef CONFIG_TIMEOUT_BACKEND_MODULE
#include <timeout_backend_fields.h>

#include <timeout_backend_node.h>
#else
#include "queues.h"
#endif

struct k_spinlock {
	bool held;
};

typedef struct {
	uint32_t held;
} k_spinlock_key_t;

/* Of the test. */
extern int test_cpu;
extern bool test_sloppy;
extern unsigned test_locks;
sys_clock_ticks_t sys_clock_elapsed(void);
void sys_clock_set_timeout(sys_clock_ticks_t ticks, bool idle);
void sys_clock_no_timeout(void);
void test_window(void);

#if __STDC_HOSTED__
static inline k_spinlock_key_t k_spin_lock(struct k_spinlock *lock)
{
	assert(!lock->held);
	lock->held = true;
	test_locks++;
	return (k_spinlock_key_t){ true };
}

static inline void k_spin_unlock(struct k_spinlock *lock, k_spinlock_key_t key)
{
	assert(lock->held && key.held);
	lock->held = false;
	test_locks--;
	test_window();
}
#else
static inline k_spinlock_key_t k_spin_lock(struct k_spinlock *lock)
{
	k_spinlock_key_t key;

	(void)lock;
	__asm__ volatile("mrs %0, primask\n\tcpsid i"
			 : "=r"(key.held)
			 :
			 : "memory");
	return key;
}

static inline void k_spin_unlock(struct k_spinlock *lock, k_spinlock_key_t key)
{
	(void)lock;
	__asm__ volatile("msr primask, %0" : : "r"(key.held) : "memory");
}
#endif

#define K_SPINLOCK(lock)                                                       \
	for (k_spinlock_key_t key_ = k_spin_lock(lock), once_ = { 1 };         \
	     once_.held; k_spin_unlock(lock, key_), once_.held = 0)

static inline void arch_spin_relax(void)
{
}

/* Of kernel/timeout.c. */
k_ticks_t z_add_timeout(struct _timeout *to, _timeout_func_t fn,
			k_timeout_t timeout);
int z_try_abort_timeout(struct _timeout *to);
bool z_timeout_inflight_superseded(const struct _timeout *to);
k_ticks_t z_timeout_remaining(const struct _timeout *to);
k_ticks_t z_timeout_expires(const struct _timeout *to);
int64_t sys_clock_tick_get(void);
k_spinlock_key_t sys_clock_lock(void);
void sys_clock_announce_locked(sys_clock_ticks_t ticks, k_spinlock_key_t key);

#endif
