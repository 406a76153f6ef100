/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/any/riot.c - random operations under RIOT
 *
 * A callback of ztimer is a handler: it comes at random between any two
 * instructions of the threads.
 */
#include <jif/jiffies.h>
#include <thread.h>
#include <ztimer.h>

#include "../../../../lib/port/jif_port.h"
#include "../../../target/target.h"
#include "../churn.h"

static struct jif_kernel kernel;
static char stacks[2][THREAD_STACKSIZE_LARGE];
static ztimer_t irq;
static uint32_t contexts;

uint32_t churn_mask(void)
{
	return irq_disable();
}

void churn_unmask(uint32_t flags)
{
	irq_restore(flags);
}

uint32_t churn_ticks(void)
{
	return ztimer_now(ZTIMER_MSEC) + (uint32_t)CONFIG_JIF_INITIAL_JIFFIES;
}

static void on_irq(void *unused)
{
	contexts += !jif_in_irq();
	for (uint32_t n = churn_random(CHURN_IRQ, 12); n; n--)
		churn_op(CHURN_IRQ);
	if (churn_ops() < OPERATIONS)
		ztimer_set(ZTIMER_USEC, &irq,
			   50 + churn_random(CHURN_IRQ,
					     churn_is_sparse() ? 50000 : 500));
}

static void *run(void *unused)
{
	jif_kernel_run(&kernel);
	return NULL;
}

static void *run_above(void *unused)
{
	while (churn_ops() < OPERATIONS) {
		churn_op(CHURN_ABOVE);
		if (churn_is_sparse() || !churn_random(CHURN_ABOVE, 40))
			ztimer_sleep(ZTIMER_USEC,
				     churn_random(CHURN_ABOVE, 9000));
	}
	return NULL;
}

static void on_alone(void *unused)
{
	churn_arm_alone();
}

/* One timer at a time, armed by a handler or by this thread. */
static uint32_t missed(void)
{
	ztimer_t handler = { .callback = on_alone };
	uint32_t count = 0;

	for (unsigned round = 0; round < 40; round++) {
		if (round & 1)
			churn_arm_alone();
		else
			ztimer_set(ZTIMER_USEC, &handler, 700);
		ztimer_sleep(ZTIMER_MSEC, 2);
		for (unsigned ms = 0; churn_alone() && ms < 2000; ms++)
			ztimer_sleep(ZTIMER_MSEC, 1);
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

int main(void)
{
	jif_kernel_init(&kernel);
	churn_start(&kernel);
	churn_op(CHURN_BELOW);
	thread_create(stacks[0], sizeof(stacks[0]), 4, 0, run, NULL, "timers");
	thread_create(stacks[1], sizeof(stacks[1]), 2, 0, run_above, NULL, "");
	irq.callback = on_irq;
	ztimer_set(ZTIMER_USEC, &irq, 1000);
	contexts += jif_in_irq();
	while (churn_ops() < OPERATIONS) {
		churn_op(CHURN_BELOW);
		if (churn_is_sparse())
			ztimer_sleep(ZTIMER_MSEC, churn_random(CHURN_BELOW, 9));
		else if (!churn_random(CHURN_BELOW, 60))
			ztimer_sleep(ZTIMER_USEC, 500);
	}
	while (jif_time_before_eq(churn_ticks(), churn_last() + 200))
		ztimer_sleep(ZTIMER_MSEC, 1);
	end();
}
