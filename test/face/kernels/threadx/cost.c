/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/threadx/cost.c - jif beside ThreadX's own timers
 *
 * In instructions: QEMU is told to take 32 ns for each. From the tick's handler
 * to the callback, and for arming a pending timer in a handler, both with a
 * hundred others pending: the median of 500, and what 99 of 100 stay below, as
 * QEMU's clock jumps now and then. A thread of low priority is interrupted.
 */
#include <jif/face/kernel.h>
#include <jif/jiffies.h>
#include <tx_api.h>

#include "../../../target/target.h"
#include "threadx.h"

#define ROUNDS 500
#define OTHERS 100
#define NS     32

static struct jif_kernel kernel;
static TX_THREAD timers, idle;
static ULONG timers_stack[256], idle_stack[256];
static struct jif_timer mine, more[OTHERS];
static TX_TIMER theirs, theirs_more[OTHERS];
static volatile uint32_t calls;
static uint32_t took[ROUNDS];

static uint32_t instructions(uint32_t counts)
{
	return counts * (1000000000u / target_clock_hz) / NS;
}

static void note(uint32_t since)
{
	uint32_t this = instructions(target_clock() - since);
	unsigned i = calls;

	if (i == ROUNDS)
		return;
	for (; i && took[i - 1] > this; i--)
		took[i] = took[i - 1];
	took[i] = this;
	calls++;
}

static void on_mine(struct jif_timer *timer)
{
	note(board_tick_at);
	(void)!jif_timer_add(&kernel.wheel, timer,
			     jif_wheel_clock(&kernel.wheel) + 2);
}

static void on_theirs(ULONG unused)
{
	note(board_tick_at);
}

static void on_other(struct jif_timer *timer)
{
}

static void arm_mine(void)
{
	uint32_t begin = target_clock();

	(void)!jif_kernel_mod_in(&kernel, &mine, 5000);
	note(begin);
}

static void arm_mine_soon(void)
{
	uint32_t begin = target_clock();

	(void)!jif_kernel_mod_in(&kernel, &mine, 2);
	note(begin);
}

static void arm_theirs(void)
{
	uint32_t begin = target_clock();

	tx_timer_deactivate(&theirs);
	tx_timer_change(&theirs, 5000, 0);
	tx_timer_activate(&theirs);
	note(begin);
}

static void say(const char *what)
{
	target_put_text(what);
	target_put_number(took[ROUNDS / 2]);
	target_puts(", 99 of 100: ");
	target_put_number(took[ROUNDS * 99 / 100]);
	target_puts("\n");
}

static void interrupts(const char *what, void (*arm)(void))
{
	calls = 0;
	target_irq = arm;
	while (calls < ROUNDS) {
		target_pend();
		if (calls % 10 == 0)
			tx_thread_sleep(3);
	}
	say(what);
}

static void expiries(const char *what)
{
	calls = 0;
	while (calls < ROUNDS)
		;
	say(what);
}

static void run(ULONG unused)
{
	jif_kernel_run(&kernel);
}

static void measure(ULONG unused)
{
	(void)!jif_kernel_mod_in(&kernel, &mine, 2);
	expiries("jif: tick to callback: ");
	jif_timer_del(&kernel.wheel, &mine);
	interrupts("jif: arming in a handler: ", arm_mine);
	jif_timer_del(&kernel.wheel, &mine);
	interrupts("jif: arming in a handler, sooner: ", arm_mine_soon);
	jif_timer_del(&kernel.wheel, &mine);
	tx_timer_activate(&theirs);
	expiries("ThreadX: tick to callback: ");
	tx_timer_deactivate(&theirs);
	interrupts("ThreadX: arming in a handler: ", arm_theirs);
	target_puts("bytes of a timer: ");
	target_put_number(sizeof(struct jif_timer));
	target_puts(", ThreadX ");
	target_put_number(sizeof(TX_TIMER));
	target_puts("; jif_kernel ");
	target_put_number(sizeof(kernel));
	target_puts(", TX_THREAD ");
	target_put_number(sizeof(TX_THREAD));
	target_puts("\n");
	target_exit(0);
}

void tx_application_define(void *unused)
{
	jif_kernel_init(&kernel);
	jif_timer_init(&mine, on_mine);
	tx_timer_create(&theirs, "", on_theirs, 0, 2, 2, TX_NO_ACTIVATE);
	for (unsigned i = 0; i < OTHERS; i++) {
		jif_timer_init(&more[i], on_other);
		(void)!jif_timer_add_in(&kernel.wheel, &more[i],
					100000 + 97 * i);
		tx_timer_create(&theirs_more[i], "", on_theirs, 0,
				100000 + 97 * i, 0, TX_AUTO_ACTIVATE);
	}
	tx_thread_create(&timers, "timers", run, 0, timers_stack,
			 sizeof(timers_stack), 5, 5, TX_NO_TIME_SLICE,
			 TX_AUTO_START);
	tx_thread_create(&idle, "idle", measure, 0, idle_stack,
			 sizeof(idle_stack), 9, 9, TX_NO_TIME_SLICE,
			 TX_AUTO_START);
}

int main(void)
{
	tx_kernel_enter();
	return 1;
}
