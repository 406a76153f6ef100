/* SPDX-License-Identifier: MIT */
/*
 * lib/port/kernel/kernel.c - a wheel that a task of a preemptive kernel runs
 *
 * The task looks for the next expiry with interrupts on, and then, with them
 * off, whether anything was armed since; if not, it says until when it waits.
 * A later arming of something sooner finds that, and sends a signal; the
 * kernel keeps one that comes before the task waits. So none is lost. Only the
 * task clears @waits: if who wakes it did, whoever arms something after him
 * would rely on a signal that he, if less urgent, has yet to send.
 */
#include "kernel.h"

#include "../../delay.h"
#include "../../wheel_sleep.h"

void jif_kernel_init(struct jif_kernel *kernel)
{
	jif_wheel_init_time(&kernel->wheel, jif_time_jiffies);
	kernel->waiter = NULL;
	kernel->until = 0;
	kernel->waits = false;
}

static uint32_t ticks_to_wait(struct jif_kernel *kernel)
{
	uint32_t until = jif_wheel_sleep_until(&kernel->wheel);
	jif_irq_t flags = jif_irq_save();
	uint32_t ticks = jif_wheel_sleep_ticks(&kernel->wheel, until);

	kernel->until = until;
	kernel->waits = ticks;
	jif_irq_restore(flags);
	return ticks;
}

void jif_kernel_turn(struct jif_kernel *kernel)
{
	jif_irq_t flags;
	uint32_t ticks;

	if (!kernel->waiter)
		jif_kernel_begin(kernel);
	/* A thread that arms may move the clock on. */
	flags = jif_irq_save();
	jif_wheel_run_most(&kernel->wheel, now_of(&kernel->wheel), INTPTR_MAX,
			   flags);
	ticks = ticks_to_wait(kernel);
	if (ticks)
		jif_kernel_wait(kernel, ticks);
	kernel->waits = false;
}

void jif_kernel_run(struct jif_kernel *kernel)
{
	for (;;)
		jif_kernel_turn(kernel);
}

void jif_kernel_wake(struct jif_kernel *kernel, uint32_t expires)
{
	jif_irq_t flags = jif_irq_save();
	bool waits = jif_kernel_waits_past(kernel, expires);

	jif_irq_restore(flags);
	if (waits)
		jif_kernel_signal(kernel);
}

/* While the task waits, the clock falls behind: a delay reaches less far. */
static void move_on(struct jif_kernel *kernel, uint32_t delay)
{
	jif_irq_t flags = jif_irq_save();

	if (delay >= JIF_SLEEP_MAX / 2 && !kernel->wheel.nesting &&
	    !jif_in_irq()) {
		jif_wheel_run_most(&kernel->wheel, now_of(&kernel->wheel), 0,
				   jif_irq_save());
		/* Others may have armed something since the task's search. */
		note_arming(&kernel->wheel);
	}
	jif_irq_restore(flags);
}

/* With the time from before: a tick in between may wake for nothing. */
int jif_kernel_mod_in(struct jif_kernel *kernel, struct jif_timer *timer,
		      uint32_t delay)
{
	uint32_t now = jif_wheel_now(&kernel->wheel);
	int ret;

	move_on(kernel, delay);
	ret = jif_timer_mod_in(&kernel->wheel, timer, delay);
	if (ret >= 0)
		jif_kernel_wake(kernel, now + delay + 1);
	return ret;
}
