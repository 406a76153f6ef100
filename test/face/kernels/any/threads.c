/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/any/threads.c - random operations by two threads and a
 * handler, under RIOT, ChibiOS/RT, NuttX or Mynewt
 *
 * A callback of RIOT's ztimer or of NuttX' watchdogs is a handler, and so is
 * Mynewt's tick: it comes between any two instructions of the threads. In
 * ChibiOS' simulator, a handler comes only when all threads wait.
 */
#ifdef RIOT_OS
#include <native_internal.h>
#include <signal.h>
#include <thread.h>
#include <time.h>
#include <ztimer.h>
#elif defined(__NuttX__)
#include <nuttx/clock.h>
#include <nuttx/kthread.h>
#include <nuttx/wdog.h>
#define main CONFIG_INIT_ENTRYPOINT
#elif defined(MYNEWT)
#include <os/mynewt.h>
#define main   mynewt_main
#define IN_IRQ false /* its native board does not say */
#else
#include <ch.h>
#include <hal.h>
#endif
#include <jif/jiffies.h>

#include "../../../../lib/port/jif_port.h"
#include "../../../../lib/port/kernel/kernel.h"
#include "../../../target/target.h"
#include "../churn.h"

#ifndef IN_IRQ
#define IN_IRQ true
#endif

static struct jif_kernel kernel;
static void (*volatile handler)(void);
static uint32_t contexts;

#ifdef RIOT_OS

static char stacks[2][THREAD_STACKSIZE_LARGE];
static ztimer_t irq;

uint32_t churn_mask(void)
{
	return irq_disable();
}

void churn_unmask(uint32_t flags)
{
	irq_restore(flags);
}

static uint32_t kernel_ticks(void)
{
	return ztimer_now(ZTIMER_MSEC);
}

static void nap(uint32_t ticks)
{
	ztimer_sleep(ZTIMER_USEC, ticks * 1000 - 300);
}

static void handle(void *unused)
{
	handler();
}

/* After so many ticks, less a part of one. */
static void set_irq(uint32_t ticks)
{
	irq.callback = handle;
	ztimer_set(ZTIMER_USEC, &irq, ticks * 1000 - 700);
}

static void *start(void *what)
{
	void (*entry)(void) = what;

	entry();
	return NULL;
}

#ifdef HOST_TIME
static void start_kernel(void)
{
}
#else
static void nudge(void)
{
}

/*
 * A signal that comes right before RIOT's pause() is noted, and waits for the
 * next one: without another timer, the process stops for ever.
 */
static void start_kernel(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL,
				  .sigev_signo = SIGUSR1 };
	struct itimerspec often = { { 0, 20000000 }, { 0, 20000000 } };
	timer_t timer;

	native_register_interrupt(SIGUSR1, nudge);
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	timer_settime(timer, 0, &often, NULL);
}
#endif

static void start_threads(void (*run)(void), void (*above)(void))
{
	thread_create(stacks[0], sizeof(stacks[0]), 4, 0, start, run, "");
	thread_create(stacks[1], sizeof(stacks[1]), 2, 0, start, above, "");
}

#elif defined(__NuttX__)

static struct wdog_s irq;

uint32_t churn_mask(void)
{
	return up_irq_save();
}

void churn_unmask(uint32_t flags)
{
	up_irq_restore(flags);
}

static uint32_t kernel_ticks(void)
{
	return clock_systime_ticks();
}

static void nap(uint32_t ticks)
{
	nxsched_ticksleep(ticks);
}

static void handle(wdparm_t unused)
{
	handler();
}

static void set_irq(uint32_t ticks)
{
	wd_start(&irq, ticks, handle, 0);
}

static void start_kernel(void)
{
}

static void start_threads(void (*run)(void), void (*above)(void))
{
	kthread_create("", 101, 65536, (void *)run, NULL);
	kthread_create("", 102, 65536, (void *)above, NULL);
}

#elif defined(MYNEWT)

static struct os_task tasks[2];
static os_stack_t stacks[2][OS_STACK_ALIGN(1024)];
static volatile uint32_t until_irq;

uint32_t churn_mask(void)
{
	return os_arch_save_sr();
}

void churn_unmask(uint32_t flags)
{
	os_arch_restore_sr(flags);
}

static uint32_t kernel_ticks(void)
{
	return os_time_get();
}

static void nap(uint32_t ticks)
{
	os_time_delay(ticks);
}

static void set_irq(uint32_t ticks)
{
	until_irq = ticks;
}

/* In the place of the one that it calls: the linker wraps that. */
void __real_os_time_advance(int ticks);
void __wrap_os_time_advance(int ticks)
{
	__real_os_time_advance(ticks);
	if (until_irq && !--until_irq)
		handler();
}

static void start(void *what)
{
	void (*entry)(void) = what;

	entry();
	for (;;)
		nap(1000);
}

static void start_kernel(void)
{
}

static void start_threads(void (*run)(void), void (*above)(void))
{
	os_task_init(&tasks[0], "", start, run, 20, OS_WAIT_FOREVER, stacks[0],
		     OS_STACK_ALIGN(1024));
	os_task_init(&tasks[1], "", start, above, 10, OS_WAIT_FOREVER,
		     stacks[1], OS_STACK_ALIGN(1024));
}

#else

static virtual_timer_t irq;

/* No thread and no handler comes in, but where a call of the kernel waits. */
uint32_t churn_mask(void)
{
	return 0;
}

void churn_unmask(uint32_t flags)
{
}

static uint32_t kernel_ticks(void)
{
	return chVTGetSystemTimeX();
}

static void nap(uint32_t ticks)
{
	chThdSleep(ticks);
}

static void handle(virtual_timer_t *timer, void *unused)
{
	handler();
}

static void set_irq(uint32_t ticks)
{
	jif_irq_t flags = jif_irq_save();

	chVTSetI(&irq, ticks, handle, NULL);
	jif_irq_restore(flags);
}

static void start(void *what)
{
	void (*entry)(void) = what;

	entry();
}

static void start_kernel(void)
{
	halInit();
	chSysInit();
	chVTObjectInit(&irq);
}

static void start_threads(void (*run)(void), void (*above)(void))
{
	chThdCreateFromHeap(NULL, THD_WORKING_AREA_SIZE(16384), "",
			    NORMALPRIO + 1, start, run);
	chThdCreateFromHeap(NULL, THD_WORKING_AREA_SIZE(16384), "",
			    NORMALPRIO + 2, start, above);
}

#endif

uint32_t churn_ticks(void)
{
	return kernel_ticks() + (uint32_t)CONFIG_JIF_INITIAL_JIFFIES;
}

static void on_irq(void)
{
	contexts += jif_in_irq() != IN_IRQ;
	for (uint32_t n = churn_random(CHURN_IRQ, 12); n; n--)
		churn_op(CHURN_IRQ);
	if (churn_ops() < OPERATIONS)
		set_irq(1 +
			churn_random(CHURN_IRQ, churn_is_sparse() ? 40 : 3));
}

static void run(void)
{
	jif_kernel_run(&kernel);
}

static void operate(enum churn_owner owner)
{
	while (churn_ops() < OPERATIONS) {
		churn_op(owner);
		if (churn_is_sparse() || !churn_random(owner, 2000))
			nap(1 + churn_random(owner, 8));
	}
}

static void run_above(void)
{
	operate(CHURN_ABOVE);
}

/* Whether the thread that runs the wheel, more urgent than this, was let in. */
static bool arm_alone(void)
{
	uint32_t expires = churn_ticks() + 3;

	churn_arm_alone();
	return !jif_kernel_waits_past(&kernel, expires);
}

/* One timer at a time, armed by a handler or by this thread. */
static uint32_t missed(void)
{
	uint32_t count = 0;

	handler = churn_arm_alone;
	for (unsigned round = 0; round < 40; round++) {
		if (round & 1)
			count += !arm_alone();
		else
			set_irq(1);
		nap(3);
		for (unsigned ms = 0; churn_alone() && ms < 2000; ms++)
			nap(1);
		count += churn_alone();
	}
	return count;
}

static void end(void)
{
	uint32_t unwoken = missed();

	target_put_number(contexts);
	target_puts(" contexts mistaken, ");
	target_put_number(unwoken);
	target_puts(" wakes missed\n");
	target_exit(!churn_end(MAY_BE_LATE) || contexts || unwoken);
}

int main(int argc, char **argv)
{
	start_kernel();
	jif_kernel_init(&kernel);
	churn_start(&kernel);
	churn_op(CHURN_BELOW);
	handler = on_irq;
	start_threads(run, run_above);
	set_irq(1);
	contexts += jif_in_irq();
	operate(CHURN_BELOW);
	while (jif_time_before_eq(churn_ticks(), churn_last() + 200))
		nap(1);
	end();
	return 1;
}
