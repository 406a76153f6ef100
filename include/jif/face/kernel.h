/* SPDX-License-Identifier: MIT */
/*
 * jif/face/kernel.h - a wheel that a task of a preemptive kernel runs
 *
 * For the ports that are kernels; see docs/kernels.md. Jiffies are the kernel's
 * ticks, and the wheel's time source. The task waits until the next expiry, and
 * is woken when something sooner is armed. Callbacks run in that task, at its
 * priority. There may be several, each with its own wheel and priority.
 */
#ifndef JIF_KERNEL_H
#define JIF_KERNEL_H

#include <jif/periodic.h>

JIF_BEGIN_DECLS

/**
 * struct jif_kernel - a wheel and the task that runs it
 * @wheel:	the wheel, whose time source counts the kernel's ticks
 */
struct jif_kernel {
	struct jif_wheel wheel;
	/* private: */
	void *waiter;	/* by what the task is woken */
	uint32_t until; /* until when the task waits */
	bool waits;	/* the task waits, or is about to */
};

/**
 * jif_kernel_init - make an empty wheel, without a task
 * @kernel:	memory
 * Context: before anything is armed; before or after the kernel has started.
 */
void jif_kernel_init(struct jif_kernel *kernel)
	JIF_AGREE_ON(CONFIG_JIF_SPREAD, jif_kernel_init);

/**
 * jif_kernel_run - what the task does, for ever
 * @kernel:	of this task alone
 * Context: a task; the call does not return.
 */
void jif_kernel_run(struct jif_kernel *kernel);

/**
 * jif_kernel_turn - run what is due, and wait for the next expiry
 * @kernel:	of this task alone
 *
 * For a task that has more to do each time that it is woken.
 * Context: the one task that runs @kernel.
 */
void jif_kernel_turn(struct jif_kernel *kernel);

/**
 * jif_kernel_wake - something was armed: wake the task if it waits for longer
 * @kernel:	on whose wheel
 * @expires:	for when, absolute; jif_wheel_now() if that is not known
 *
 * After any call that arms something outside of a callback, except the one
 * below: without it, the task may sleep past @expires.
 * Context: any in which the kernel may be called.
 */
void jif_kernel_wake(struct jif_kernel *kernel, uint32_t expires);

/**
 * jif_kernel_mod_in - arm a timer, pending or not, so long from now
 * @kernel:	on whose wheel
 * @timer:	a timer that has been initialised
 * @delay:	as for jif_timer_mod_in()
 *
 * jif_timer_mod_in() and jif_kernel_wake() in one. A thread reaches as far as
 * the first does after a sleep; a handler, less far by what the task waits.
 * Context: any in which the kernel may be called.
 * Return: as jif_timer_mod_in().
 */
JIF_MUST_CHECK
int jif_kernel_mod_in(struct jif_kernel *kernel, struct jif_timer *timer,
		      uint32_t delay);

JIF_END_DECLS

#endif
