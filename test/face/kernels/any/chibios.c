/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/any/chibios.c - random operations under ChibiOS/RT
 *
 * In its simulator, a handler comes only when all threads wait.
 */
#include <ch.h>
#include <hal.h>
#include <jif/jiffies.h>

#include "../../../../lib/port/jif_port.h"
#include "../../../target/target.h"
#include "../churn.h"

static struct jif_kernel kernel;
static THD_WORKING_AREA(timers_stack, 16384);
static THD_WORKING_AREA(above_stack, 16384);
static virtual_timer_t irq;
static uint32_t contexts;

/* No thread and no handler comes in, but where a call of the kernel waits. */
uint32_t churn_mask(void)
{
	return 0;
}

void churn_unmask(uint32_t flags)
{
}

uint32_t churn_ticks(void)
{
	return chVTGetSystemTimeX() + (uint32_t)CONFIG_JIF_INITIAL_JIFFIES;
}

static void set_irq(sysinterval_t ticks, vtfunc_t handler)
{
	jif_irq_t flags = jif_irq_save();

	chVTSetI(&irq, ticks, handler, NULL);
	jif_irq_restore(flags);
}

static void on_irq(virtual_timer_t *timer, void *unused)
{
	contexts += !jif_in_irq();
	for (uint32_t n = churn_random(CHURN_IRQ, 12); n; n--)
		churn_op(CHURN_IRQ);
	if (churn_ops() < OPERATIONS)
		set_irq(1 + churn_random(CHURN_IRQ, churn_is_sparse() ? 40 : 3),
			on_irq);
}

static void on_alone(virtual_timer_t *timer, void *unused)
{
	churn_arm_alone();
}

static THD_FUNCTION(run, unused)
{
	jif_kernel_run(&kernel);
}

static THD_FUNCTION(run_above, unused)
{
	while (churn_ops() < OPERATIONS) {
		churn_op(CHURN_ABOVE);
		if (churn_is_sparse() || !churn_random(CHURN_ABOVE, 40))
			chThdSleep(1 + churn_random(CHURN_ABOVE, 8));
	}
}

/* One timer at a time, armed by a handler or by this thread. */
static uint32_t missed(void)
{
	uint32_t count = 0;

	for (unsigned round = 0; round < 40; round++) {
		if (round & 1)
			churn_arm_alone();
		else
			set_irq(1, on_alone);
		chThdSleep(2);
		for (unsigned ms = 0; churn_alone() && ms < 2000; ms++)
			chThdSleep(1);
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
	halInit();
	chSysInit();
	jif_kernel_init(&kernel);
	churn_start(&kernel);
	churn_op(CHURN_BELOW);
	chThdCreateStatic(timers_stack, sizeof(timers_stack), NORMALPRIO + 1,
			  run, NULL);
	chThdCreateStatic(above_stack, sizeof(above_stack), NORMALPRIO + 2,
			  run_above, NULL);
	chVTObjectInit(&irq);
	set_irq(1, on_irq);
	contexts += jif_in_irq();
	while (churn_ops() < OPERATIONS) {
		churn_op(CHURN_BELOW);
		if (churn_is_sparse() || !churn_random(CHURN_BELOW, 60))
			chThdSleep(1 + churn_random(CHURN_BELOW, 8));
	}
	while (jif_time_before_eq(churn_ticks(), churn_last() + 200))
		chThdSleep(1);
	end();
}
