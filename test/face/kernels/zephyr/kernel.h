/* SPDX-License-Identifier: MIT */
/*
 * What kernel/timer.c and tests of Zephyr need beside stand_in.h: names, units
 * of time, what a test asserts
 *
 * A cycle of the clock is a microsecond.
 */
#ifndef TEST_ZEPHYR_KERNEL_H
#define TEST_ZEPHYR_KERNEL_H

#include "stand_in.h"

#define CONFIG_MULTITHREADING	     1
#define CONFIG_TICKLESS_KERNEL	     1
#define CONFIG_TEST_EXTRA_STACK_SIZE 0
#define CONFIG_APP_STOP_S	     3600
#ifndef CONFIG_SYS_CLOCK_TICKS_PER_SEC
#define CONFIG_SYS_CLOCK_TICKS_PER_SEC 10000
#endif

#define MSEC_PER_SEC	1000
#define USEC_PER_SEC	1000000
#define USEC_PER_MSEC	1000
#define CYCLES_PER_TICK (USEC_PER_SEC / CONFIG_SYS_CLOCK_TICKS_PER_SEC)

static inline uint64_t div_up(uint64_t a, uint64_t b)
{
	return (a + b - 1) / b;
}

#define ticks_of_us(us)		     div_up(us, CYCLES_PER_TICK)
#define k_us_to_ticks_ceil32(us)     ((uint32_t)ticks_of_us(us))
#define ticks_of_ms(ms)		     ticks_of_us((ms)*UINT64_C(1000))
#define k_ms_to_ticks_ceil32(ms)     ((uint32_t)ticks_of_ms(ms))
#define k_ms_to_ticks_floor32(ms)    ((uint32_t)((ms)*1000 / CYCLES_PER_TICK))
#define k_ticks_to_cyc_ceil32(ticks) ((uint32_t)(ticks)*CYCLES_PER_TICK)
#define k_ticks_to_us_ceil32(ticks)  k_ticks_to_cyc_ceil32(ticks)
#define k_ticks_to_ms_floor64(ticks)                                           \
	((ticks)*UINT64_C(1) * CYCLES_PER_TICK / 1000)
#define k_ticks_to_ms_floor32(ticks) ((uint32_t)k_ticks_to_ms_floor64(ticks))
#define k_ticks_to_ms_ceil64(ticks)                                            \
	div_up((uint64_t)(ticks)*CYCLES_PER_TICK, 1000)
#define k_ticks_to_ms_ceil32(ticks) ((uint32_t)k_ticks_to_ms_ceil64(ticks))
#define k_ms_to_cyc_ceil64(ms)	    ((ms)*UINT64_C(1000))
#define k_ms_to_cyc_ceil32(ms)	    ((uint32_t)k_ms_to_cyc_ceil64(ms))
#define k_ms_to_ticks_ceil64	    ticks_of_ms
#define k_us_to_ticks_ceil64	    ticks_of_us
#define K_MSEC(ms)		    K_TICKS(ticks_of_ms(ms))
#define K_TIMEOUT_ABS_MS(ms)	    K_TIMEOUT_ABS_TICKS(ticks_of_ms(ms))
#define K_TIMEOUT_ABS_US(us)	    K_TIMEOUT_ABS_TICKS(ticks_of_us(us))
#define K_TIMEOUT_ABS_NS(ns)	    K_TIMEOUT_ABS_US((ns) / 1000)
#define K_TIMEOUT_ABS_CYC	    K_TIMEOUT_ABS_US

/* One thread waits at most. */
struct k_thread {
	unsigned ready;
	void (*fn)(void *p1, void *p2, void *p3);
};

typedef struct {
	struct k_thread *thread;
} _wait_q_t;

struct k_sem {
	unsigned count;
};

struct k_timer;
typedef void (*k_timer_expiry_t)(struct k_timer *timer);
typedef k_timer_expiry_t k_timer_stop_t;

struct k_timer {
	struct _timeout timeout;
	_wait_q_t wait_q;
	k_timer_expiry_t expiry_fn;
	k_timer_stop_t stop_fn;
	k_timeout_t period;
	uint32_t status;
	void *user_data;
};

#define K_TIMER_DEFINE(name, fn, stop)                                         \
	struct k_timer name = { .expiry_fn = fn, .stop_fn = stop }
#define K_SEM_DEFINE(name, first, most)	  struct k_sem name = { first }
#define K_THREAD_STACK_DEFINE(name, size) char name[size]
#define K_THREAD_STACK_SIZEOF(name)	  sizeof(name)
#define K_LOWEST_APPLICATION_THREAD_PRIO  14

#define k_timer_start			  z_impl_k_timer_start
#define k_timer_stop			  z_impl_k_timer_stop
#define k_timer_status_get		  z_impl_k_timer_status_get
#define k_timer_status_sync		  z_impl_k_timer_status_sync
#define k_uptime_ticks			  sys_clock_tick_get
#define k_timer_remaining_ticks(timer)	  z_timeout_remaining(&(timer)->timeout)
#define k_timer_expires_ticks(timer)	  z_timeout_expires(&(timer)->timeout)
#define k_timer_user_data_get(timer)	  ((timer)->user_data)
#define k_timer_user_data_set(timer, d)	  ((timer)->user_data = (d))
#define k_timer_remaining_get(timer)                                           \
	k_ticks_to_ms_floor32(k_timer_remaining_ticks(timer))
#define k_uptime_get()	  ((int64_t)k_ticks_to_ms_floor64(k_uptime_ticks()))
#define k_uptime_get_32() ((uint32_t)k_uptime_get())

/* Of the scheduler, and of the suite. */
int z_pend_curr(struct k_spinlock *lock, k_spinlock_key_t key, _wait_q_t *queue,
		k_timeout_t timeout);
struct k_thread *z_unpend1_no_timeout(_wait_q_t *queue);

#define LOCK_SCHED_SPINLOCK	    for (int once = 1; once; once = 0)
#define z_waitq_init(queue)	    ((queue)->thread = NULL)
#define z_waitq_head(queue)	    ((queue)->thread)
#define z_waitq_head_locked(queue)  ((queue)->thread)
#define z_ready_thread(which)	    ((which)->ready = 1)
#define z_sched_ready_locked(which) ((which)->ready = 1)
#define z_reschedule		    k_spin_unlock
#define unpend_thread_no_timeout(which)                                        \
	((which) == timer->wait_q.thread ? timer->wait_q.thread = NULL : 0)
#define arch_thread_return_value_set(which, value)
#define arch_is_in_isr() hw.handles

/* What is not looked at. */
#define SYS_PORT_TRACING_OBJ_INIT(...)
#define SYS_PORT_TRACING_OBJ_FUNC(...)
#define SYS_PORT_TRACING_OBJ_FUNC_ENTER(...)
#define SYS_PORT_TRACING_OBJ_FUNC_EXIT(...)
#define SYS_PORT_TRACING_OBJ_FUNC_BLOCKING(...)
#define CHECKIF(is) if (is)
#define k_object_init(object)
#define k_object_access_grant(...)
#define k_thread_access_grant(...)
#define k_current_get() NULL
#define k_sched_lock()
#define k_sched_unlock()
#define k_cpu_atomic_idle(key)
#define irq_lock() 0
#define irq_unlock(key)
#define __maybe_unused __attribute__((unused))
#define TC_PRINT(...)  ((void)0)

typedef long atomic_t;
#define atomic_get(at)	       (*(at))
#define atomic_set(at, value)  (*(at) = (value))
#define atomic_clear(at)       (*(at) = 0)
#define atomic_inc(at)	       ((*(at))++)
#define POINTER_TO_INT(p)      ((int)(intptr_t)(p))
#define INT_TO_POINTER(number) ((void *)(intptr_t)(number))

/* A test ends where it fails, or is skipped. */
struct ztest {
	const char *name;
	void (*fn)(void);
	struct ztest *next;
};

static struct ztest *ztests, **ztest_last = &ztests;
static const struct ztest *ztest_now;

static void ztest_add(struct ztest *test)
{
	*ztest_last = test;
	ztest_last = &test->next;
}

#define ZTEST(suite, test)                                                     \
	static void test(void);                                                \
	__attribute__((constructor)) static void test##_add(void)              \
	{                                                                      \
		static struct ztest row = { #suite " " #test, test, NULL };    \
		ztest_add(&row);                                               \
	}                                                                      \
	static void test(void)
#define ZTEST_USER ZTEST
#define ZTEST_SUITE(suite, predicate, setup, ...)                              \
	static void *(*const ztest_setup)(void) = setup
#define ZTEST_BMEM
#define ZTEST_DMEM
#define SKIPPED			 77
#define ztest_test_skip()	 exit(SKIPPED)
#define zassert_true(is, ...)	 test_must(is, #is, __LINE__)
#define zassert_false(is, ...)	 zassert_true(!(is))
#define zassert_equal(a, b, ...) zassert_true((a) == (b))
#define zassert_ok(value, ...)	 zassert_true(!(value))

static void test_must(bool is, const char *what, int line)
{
	if (is)
		return;
	fprintf(stderr, "line %d: not so: %s\n", line, what);
	exit(1);
}

#endif
