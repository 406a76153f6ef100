/* SPDX-License-Identifier: MIT */
/*
 * rows/kernel.h - what the kernel's kernel/time/timer.c asks of the kernel
 *
 * One processor whose ticks never stop: locks, per-CPU data, tracing, lockdep
 * all come to nothing, as in such a kernel. What only sleeping tasks need
 * has a name here and no more: the linker drops what calls it. timer.h and
 * list.h are the kernel's own; all other headers are empty (rows.py).
 */
#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HZ		   250 /* Debian's */
#define NSEC_PER_USEC	   1000
#define INITIAL_JIFFIES	   0
#define IS_ENABLED(option) 0

typedef uint32_t u32;
typedef uint64_t u64;
typedef int64_t ktime_t;

struct list_head {
	struct list_head *next, *prev;
};

struct hlist_node {
	struct hlist_node *next, **pprev;
};

struct hlist_head {
	struct hlist_node *first;
};

/* The compiler. */
#define __visible
#define __init
#define __sched
#define __latent_entropy
#define __acquires(lock)
#define __cacheline_aligned_in_smp
#define ____cacheline_aligned __attribute__((aligned(64)))
#define EXPORT_SYMBOL(name)
#define EXPORT_SYMBOL_GPL(name)
#define likely(truth)	      __builtin_expect(!!(truth), 1)
#define unlikely(truth)	      __builtin_expect(!!(truth), 0)
#define WARN_ON(truth)	      unlikely(truth)
#define WARN_ON_ONCE(truth)   unlikely(truth)
#define WARN_ONCE(truth, ...) unlikely(truth)
#define READ_ONCE(what)	      (*(const volatile __typeof__(what) *)&(what))
#define WRITE_ONCE(what, value)                                                \
	(*(volatile __typeof__(what) *)&(what) = (value))
#define container_of(member_of, type, member)                                  \
	((type *)((char *)(member_of)-offsetof(type, member)))
#define LIST_POISON1 ((void *)0x100)
#define LIST_POISON2 ((void *)0x122)

/* Time: the kernel's linker makes these two one. */
#define jiffies			 (*(volatile unsigned long *)&jiffies_64)
#define time_after(a, b)	 ((long)((b) - (a)) < 0)
#define time_after_eq(a, b)	 ((long)((a) - (b)) >= 0)
#define time_before(a, b)	 time_after(b, a)
#define time_before_eq(a, b)	 time_after_eq(b, a)
#define time_is_after_jiffies(a) time_before(jiffies, a)

/* One processor. */
#define DEFINE_PER_CPU(type, name) type name
#define per_cpu_ptr(data, cpu)	   ((void)(cpu), (data))
#define this_cpu_ptr(data)	   (data)
#define raw_smp_processor_id()	   0
#define for_each_possible_cpu(cpu) for ((cpu) = 0; (cpu) < 1; (cpu)++)
#define preempt_count()		   0
#define preempt_count_set(count)
#define cpu_relax()
#define in_hardirq()		     false
#define smp_load_acquire(from)	     READ_ONCE(*(from))
#define smp_store_release(to, value) WRITE_ONCE(*(to), value)

/* Locks. */
typedef struct {
} raw_spinlock_t;
#define raw_spin_lock_init(lock)
#define raw_spin_lock(lock)			((void)(lock))
#define raw_spin_unlock(lock)			((void)(lock))
#define raw_spin_lock_irq(lock)			((void)(lock))
#define raw_spin_unlock_irq(lock)		((void)(lock))
#define raw_spin_lock_irqsave(lock, flags)	((void)(lock), (flags) = 0)
#define raw_spin_unlock_irqrestore(lock, flags) ((void)(lock), (void)(flags))
#define lockdep_init_map(...)
#define lockdep_assert_preemption_enabled()
#define lock_map_acquire(map)
#define lock_map_release(map)

/* Tracing. */
#define trace_timer_init(timer)
#define trace_timer_start(timer, ...)
#define trace_timer_cancel(timer)
#define trace_timer_expire_entry(timer, ...)
#define trace_timer_expire_exit(timer)

/* The map of what is pending. */
#define LONG_BITS 64
#define DECLARE_BITMAP(name, bits)                                             \
	unsigned long name[((bits) + LONG_BITS - 1) / LONG_BITS]

static inline void __set_bit(unsigned bit, unsigned long *map)
{
	map[bit / LONG_BITS] |= 1ul << bit % LONG_BITS;
}

static inline void __clear_bit(unsigned bit, unsigned long *map)
{
	map[bit / LONG_BITS] &= ~(1ul << bit % LONG_BITS);
}

static inline bool __test_and_clear_bit(unsigned bit, unsigned long *map)
{
	bool was = map[bit / LONG_BITS] >> bit % LONG_BITS & 1;

	__clear_bit(bit, map);
	return was;
}

static inline unsigned long
find_next_bit(const unsigned long *map, unsigned long end, unsigned long start)
{
	unsigned long word;

	if (start >= end)
		return end;
	word = map[start / LONG_BITS] & ~0ul << start % LONG_BITS;
	for (start -= start % LONG_BITS; !word; word = map[start / LONG_BITS]) {
		start += LONG_BITS;
		if (start >= end)
			return end;
	}
	start += (unsigned long)__builtin_ctzl(word);
	return start < end ? start : end;
}

/* What a tick and a start do besides. */
#define raise_softirq(nr) run_timer_softirq(NULL)
#define open_softirq(nr, action)
#define hrtimer_run_queues()
#define posix_cputimers_init_work()
#define account_process_tick(task, user)
#define rcu_sched_clock_irq(user)
#define scheduler_tick()
#define run_posix_cpu_timers()
#define tick_nohz_full_cpu(cpu) false
#define wake_up_nohz_cpu(cpu)

/* What sleeps. */
struct task_struct;
struct lock_class_key;
enum {
	TASK_RUNNING,
	TASK_INTERRUPTIBLE,
	TASK_UNINTERRUPTIBLE,
	TASK_KILLABLE,
	TASK_IDLE
};
enum { HRTIMER_MODE_ABS };
#define MAX_SCHEDULE_TIMEOUT LONG_MAX
#define KERN_ERR
#define current			   ((struct task_struct *)NULL)
#define __set_current_state(state) ((void)(state))
#define signal_pending(task)	   false
int schedule(void);
int printk(const char *format, ...);
int dump_stack(void);
int wake_up_process(struct task_struct *task);
unsigned long msecs_to_jiffies(unsigned ms);
unsigned jiffies_to_msecs(unsigned long j);
ktime_t ktime_get(void);
ktime_t ktime_add_us(ktime_t time, unsigned long us);
int schedule_hrtimeout_range(ktime_t *expires, u64 delta, int mode);
