/* SPDX-License-Identifier: MIT */
/*
 * jif/face/linux/timer.h - timers by the names of the Linux kernel
 *
 * Names, fields and results are those of kernel 6.12, and later names for the
 * same: see docs/linux.md. All timers are on the wheel of jif_linux_init(), and
 * run on their tick, in the order of arming: jiffies + delay may come up to a
 * tick sooner than the delay. Context: any, if none is named.
 *
 * POSIX has a timer_delete(), too, in <time.h>. It is called by
 * (timer_delete)(id) here, and the kernel's by timer_delete(&timer).
 */
#ifndef JIF_LINUX_TIMER_H
#define JIF_LINUX_TIMER_H

#include <jif/face/linux/jiffies.h>
#include <jif/wheel.h>

/* Declares POSIX's timer_delete() before there is a macro of that name. */
#if defined(__has_include) && __STDC_HOSTED__
#if __has_include(<time.h>)
#include <time.h>
#endif
#endif

JIF_BEGIN_DECLS

/* The flags of a timer. Only the first one makes a difference. */
#define TIMER_DEFERRABLE     0x00080000u /* does not wake a sleeping system */
#define TIMER_PINNED	     0x00100000u
#define TIMER_IRQSAFE	     0x00200000u
#define TIMER_INIT_FLAGS     (TIMER_DEFERRABLE | TIMER_PINNED | TIMER_IRQSAFE)

#define NEXT_TIMER_MAX_DELTA ((1UL << 30) - 1)

/**
 * struct timer_list - a timer; zeroed memory is one without a function
 * @entry:	private
 * @expires:	absolute, in jiffies; add_timer() reads it, other calls set it
 * @function:	what runs, as it is when the timer expires; NULL: it cannot be
 *		armed, and what expires nevertheless does nothing
 * @flags:	the TIMER_ flags; not changed while it is pending
 */
struct timer_list {
	struct jif_timer entry;
	unsigned long expires;
	void (*function)(struct timer_list *timer);
	uint32_t flags;
};

#define DEFINE_TIMER(name, fn)                                                 \
	struct timer_list name = __TIMER_INITIALIZER(fn, 0)
#define __TIMER_INITIALIZER(fn, flags)                                         \
	{                                                                      \
		JIF_TIMER_INIT(0), 0, (fn), (flags)                            \
	}

#ifndef container_of
#define container_of(ptr, type, member) jif_container_of(ptr, type, member)
#endif

#define timer_container_of(var, timer, field)                                  \
	jif_container_of(timer, __typeof__(*(var)), field)

/* Its name before kernel 6.16. */
#define from_timer(var, timer, field) timer_container_of(var, timer, field)

/**
 * jif_linux_init - where all of these timers are
 * @wheel:	a wheel that is run with jif_now()
 * @deferrable:	one for timers with TIMER_DEFERRABLE, which the main loop runs
 *		when it is awake but does not wake up for; NULL: @wheel
 * Context: before the first timer is armed.
 */
void jif_linux_init(struct jif_wheel *wheel, struct jif_wheel *deferrable);

/* @function may be NULL, and be assigned later. */
static inline void timer_setup(struct timer_list *timer,
			       void (*function)(struct timer_list *timer),
			       uint32_t flags)
{
	jif_timer_init(&timer->entry, 0);
	timer->expires = 0;
	timer->function = function;
	timer->flags = flags;
}

#define timer_setup_on_stack(timer, function, flags)                           \
	timer_setup(timer, function, flags)

/* Does nothing: the timer is idle by now. */
static inline void destroy_timer_on_stack(struct timer_list *timer)
{
	(void)timer;
}

#define timer_destroy_on_stack(timer) destroy_timer_on_stack(timer)

/* Not while its function runs, unless that has armed it again. */
static inline int timer_pending(const struct timer_list *timer)
{
	return jif_timer_pending(&timer->entry);
}

/* What a call does to a timer, depending on whether it is pending. */
enum jif_linux_how {
	JIF_LINUX_MOD,
	JIF_LINUX_MOD_PENDING,
	JIF_LINUX_REDUCE,
};
int jif_linux_timer_arm(struct timer_list *timer, unsigned long expires,
			enum jif_linux_how how);

/*
 * A past expiry runs on the next tick, one too far JIF_DELAY_MAX after the
 * wheel's clock. A timer without a function is left alone, and so is a pending
 * one whose field expires is @expires already, with its place among the timers
 * of that tick. Returns 1 if pending; 0 if not, or left for lack of a function.
 */
static inline int mod_timer(struct timer_list *timer, unsigned long expires)
{
	return jif_linux_timer_arm(timer, expires, JIF_LINUX_MOD);
}

static inline int mod_timer_pending(struct timer_list *timer,
				    unsigned long expires)
{
	return jif_linux_timer_arm(timer, expires, JIF_LINUX_MOD_PENDING);
}

static inline int timer_reduce(struct timer_list *timer, unsigned long expires)
{
	return jif_linux_timer_arm(timer, expires, JIF_LINUX_REDUCE);
}

static inline void add_timer(struct timer_list *timer)
{
	jif_linux_timer_arm(timer, timer->expires, JIF_LINUX_MOD);
}

/* There is one processor. */
#define add_timer_local(timer)	 add_timer(timer)
#define add_timer_global(timer)	 add_timer(timer)
#define add_timer_on(timer, cpu) ((void)(cpu), add_timer(timer))

int jif_linux_timer_del(struct timer_list *timer, bool shutdown);

/* A macro, as POSIX has a function of that name. */
#define timer_delete(timer) jif_linux_timer_del(timer, false)

/*
 * Those with _sync are for the main loop and callbacks; with CONFIG_JIF_SMP, on
 * the core that runs the wheel. Functions run there, too, so there is nothing
 * to wait for: not for ever, either, in the timer's own function.
 */
static inline int timer_delete_sync(struct timer_list *timer)
{
	return jif_linux_timer_del(timer, false);
}

/* -1 if its function runs, and then nothing has changed. */
int try_to_del_timer_sync(struct timer_list *timer)
	JIF_LINUX(try_to_del_timer_sync);

/* Its name since kernel 6.16. */
#define timer_delete_sync_try(timer) try_to_del_timer_sync(timer)

static inline int timer_shutdown(struct timer_list *timer)
{
	return jif_linux_timer_del(timer, true);
}

#define timer_shutdown_sync timer_shutdown

/* The names before kernel 6.15. */
#define del_timer      timer_delete_sync
#define del_timer_sync timer_delete_sync

JIF_END_DECLS

/* As in the kernel, where one brings the other. */
#include <jif/face/linux/workqueue.h>

#endif
