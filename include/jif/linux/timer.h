/* SPDX-License-Identifier: MIT */
/*
 * jif/linux/timer.h - timers by the names that the Linux kernel has for them
 *
 * Opt-in, see docs/linux.md. What was written for the kernel's timers compiles
 * as it is: names, fields and results are those of kernel 6.12, and later names
 * for the same. All timers are on the wheel that jif_linux_init() is given, and
 * run exactly on their tick, in the order of arming.
 *
 * POSIX has a timer_delete(), too, in <time.h>. It is called by
 * (timer_delete)(id) here, and the kernel's by timer_delete(&timer).
 */
#ifndef JIF_LINUX_TIMER_H
#define JIF_LINUX_TIMER_H

#include <jif/linux/jiffies.h>
#include <jif/timer.h>
#include <jif/types.h>
#include <jif/wheel.h>

/* Declares POSIX's timer_delete() before there is a macro of that name. */
#if defined(__has_include) && __STDC_HOSTED__
#if __has_include(<time.h>)
#include <time.h>
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The flags of a timer. Only the first one makes a difference. */
#define TIMER_DEFERRABLE 0x00080000u /* does not wake a sleeping system */
#define TIMER_PINNED	 0x00100000u
#define TIMER_IRQSAFE	 0x00200000u
#define TIMER_INIT_FLAGS (TIMER_DEFERRABLE | TIMER_PINNED | TIMER_IRQSAFE)

/** NEXT_TIMER_MAX_DELTA - as far ahead as the kernel looks for the next one */
#define NEXT_TIMER_MAX_DELTA ((1UL << 30) - 1)

/**
 * struct timer_list - a timer; zeroed memory is one without a function
 * @entry:	private
 * @expires:	when it is to run, absolute, in jiffies; add_timer() reads it,
 *		and the other calls set it
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

/** DEFINE_TIMER - define an idle timer, statically */
#define DEFINE_TIMER(name, fn)                                                 \
	struct timer_list name = __TIMER_INITIALIZER(fn, 0)
#define __TIMER_INITIALIZER(fn, flags)                                         \
	{                                                                      \
		JIF_TIMER_INIT(0), 0, (fn), (flags)                            \
	}

/** container_of - as the kernel's, if there is none yet */
#ifndef container_of
#define container_of(ptr, type, member) jif_container_of(ptr, type, member)
#endif

/** timer_container_of - the object with the timer, of the type that @var has */
#define timer_container_of(var, timer, field)                                  \
	jif_container_of(timer, __typeof__(*(var)), field)

/** from_timer - as timer_container_of(), by its name before kernel 6.16 */
#define from_timer(var, timer, field) timer_container_of(var, timer, field)

/**
 * jif_linux_init - where all of these timers are
 * @wheel:	a wheel that is run with jif_now()
 * @deferrable:	such a wheel for the timers with TIMER_DEFERRABLE, which the
 *		main loop runs when it is awake but does not wake up for; NULL:
 *		they are on @wheel, too
 *
 * Context: before the first timer is armed.
 */
void jif_linux_init(struct jif_wheel *wheel, struct jif_wheel *deferrable);

/**
 * timer_setup - make an idle timer
 * @timer:	memory that is not a pending timer
 * @function:	what runs when it expires; NULL if it is assigned later
 * @flags:	the TIMER_ flags, or 0
 *
 * Context: any.
 */
static inline void timer_setup(struct timer_list *timer,
			       void (*function)(struct timer_list *timer),
			       uint32_t flags)
{
	jif_timer_init(&timer->entry, 0);
	timer->expires = 0;
	timer->function = function;
	timer->flags = flags;
}

/** timer_setup_on_stack - as timer_setup() */
#define timer_setup_on_stack(timer, function, flags)                           \
	timer_setup(timer, function, flags)

/** destroy_timer_on_stack - does nothing: the timer is idle by now */
static inline void destroy_timer_on_stack(struct timer_list *timer)
{
	(void)timer;
}

/** timer_destroy_on_stack - as destroy_timer_on_stack() */
#define timer_destroy_on_stack(timer) destroy_timer_on_stack(timer)

/**
 * timer_pending - is the timer armed?
 * @timer:	a timer
 *
 * Not while its function runs, unless that has armed it again.
 *
 * Context: any.
 * Return: 1 if it is, else 0.
 */
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

/**
 * mod_timer - arm a timer, pending or not
 * @timer:	a timer
 * @expires:	absolute, in jiffies; what is past runs on the next tick, what
 *		is too far JIF_DELAY_MAX after the wheel's clock
 *
 * A pending timer whose field expires is @expires already is left alone, and
 * keeps its place among the timers of that tick. One without a function is left
 * alone.
 *
 * Context: any.
 * Return: 1 if it was pending, else 0; 0 if it is left alone for having no
 * function.
 */
static inline int mod_timer(struct timer_list *timer, unsigned long expires)
{
	return jif_linux_timer_arm(timer, expires, JIF_LINUX_MOD);
}

/** mod_timer_pending - as mod_timer(), but an idle timer is left alone */
static inline int mod_timer_pending(struct timer_list *timer,
				    unsigned long expires)
{
	return jif_linux_timer_arm(timer, expires, JIF_LINUX_MOD_PENDING);
}

/** timer_reduce - as mod_timer(), but a pending timer never expires later */
static inline int timer_reduce(struct timer_list *timer, unsigned long expires)
{
	return jif_linux_timer_arm(timer, expires, JIF_LINUX_REDUCE);
}

/** add_timer - arm an idle timer for its field expires; as mod_timer() */
static inline void add_timer(struct timer_list *timer)
{
	jif_linux_timer_arm(timer, timer->expires, JIF_LINUX_MOD);
}

/** add_timer_local - as add_timer() */
#define add_timer_local(timer) add_timer(timer)

/** add_timer_global - as add_timer() */
#define add_timer_global(timer) add_timer(timer)

/** add_timer_on - as add_timer(): there is one processor */
#define add_timer_on(timer, cpu) ((void)(cpu), add_timer(timer))

int jif_linux_timer_del(struct timer_list *timer, bool shutdown);

/**
 * timer_delete - disarm a timer
 * @timer:	a timer, pending or not
 *
 * Context: any.
 * Return: 1 if it was pending, else 0.
 */
#define timer_delete(timer) jif_linux_timer_del(timer, false)

/**
 * timer_delete_sync - disarm a timer whose function does not run
 * @timer:	a timer, pending or not
 *
 * As timer_delete(): functions run in the main loop, and so does this call, so
 * there is nothing to wait for. From the timer's own function it does not wait
 * for ever, as the kernel's would.
 *
 * Context: the main loop and callbacks; with CONFIG_JIF_SMP, on the core that
 * runs the wheel.
 * Return: 1 if it was pending, else 0.
 */
static inline int timer_delete_sync(struct timer_list *timer)
{
	return jif_linux_timer_del(timer, false);
}

/**
 * try_to_del_timer_sync - disarm a timer, unless its function runs
 * @timer:	a timer, pending or not
 *
 * Context: as timer_delete_sync().
 * Return: 1 if it was pending, 0 if not, -1 if its function runs; nothing has
 * changed then.
 */
int try_to_del_timer_sync(struct timer_list *timer)
	JIF_LINUX(try_to_del_timer_sync);

/** timer_delete_sync_try - as try_to_del_timer_sync(), its name since 6.16 */
#define timer_delete_sync_try(timer) try_to_del_timer_sync(timer)

/**
 * timer_shutdown - disarm a timer, and take its function away
 * @timer:	a timer, pending or not
 *
 * No call arms it any more, until it is given a function.
 *
 * Context: any.
 * Return: 1 if it was pending, else 0.
 */
static inline int timer_shutdown(struct timer_list *timer)
{
	return jif_linux_timer_del(timer, true);
}

/** timer_shutdown_sync - as timer_shutdown(), see timer_delete_sync() */
static inline int timer_shutdown_sync(struct timer_list *timer)
{
	return jif_linux_timer_del(timer, true);
}

/** del_timer - as timer_delete(), by its name before kernel 6.15 */
static inline int del_timer(struct timer_list *timer)
{
	return jif_linux_timer_del(timer, false);
}

/** del_timer_sync - as timer_delete_sync(), by its name before kernel 6.15 */
static inline int del_timer_sync(struct timer_list *timer)
{
	return jif_linux_timer_del(timer, false);
}

#ifdef __cplusplus
}
#endif

/* As in the kernel, where one brings the other. */
#include <jif/linux/workqueue.h>

#endif
