/* SPDX-License-Identifier: MIT */
/*
 * test/target/wake.c - from the end of a sleep to the urgent task
 *
 * An interrupt ends a sleep that nothing was to end for long. What is counted
 * begins when the processor is awake, and ends where the task begins that the
 * handler has woken: the port, the handler and a turn of the scheduler.
 */
#include <jif/firmware/sched.h>
#include <jif/jiffies.h>
#include <jif/port.h>

#include "mark.h"
#include "target.h"

#define ROUNDS 20

/* The first sleep of a tickless SysTick is until the end of a tick. */
#if defined(__riscv)
#define ENDED 1
#else
#define ENDED 2
#endif

static struct jif_wheel wheel;
static struct jif_sched sched;
static struct jif_task urgent;
static struct jif_event event;
static struct jif_timer timer;
static unsigned sleeps, rounds;

void jif_panic(const char *why)
{
	target_exit(1);
}

void jif_port_sleep(void)
{
	__asm__ volatile("wfi" : : : "memory");
	if (++sleeps == ENDED)
		mark();
}

static void wake(void)
{
	jif_event_wake(&event);
}

NOINLINE void row_wake(struct jif_task *task)
{
	mark();
	if (sleeps != ENDED || ++rounds == ROUNDS)
		target_exit(rounds != ROUNDS);
	sleeps = 0;
	jif_task_wait(task, &event, JIF_FOREVER);
	target_pend_after(4000000 + 33000 * rounds);
}

static void never(struct jif_timer *t)
{
	target_exit(1);
}

int main(void)
{
	target_irq = wake;
	jif_port_start();
	jif_wheel_init(&wheel, jif_now());
	jif_sched_init(&sched, &wheel, jif_port_idle, target_clock);
	jif_timer_init(&timer, never);
	(void)!jif_timer_add_in(&wheel, &timer, 500);
	jif_task_init(&sched, &urgent, row_wake, 0, 0);
	jif_task_wait(&urgent, &event, JIF_FOREVER);
	target_pend_after(4000000);
	for (;;)
		jif_sched_run(&sched);
}
