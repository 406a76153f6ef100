/* SPDX-License-Identifier: MIT */
/*
 * test/face/kernels/any/contiki.c - random operations under Contiki-NG
 *
 * On its native target, an rtimer is a signal, and comes between any two
 * instructions. Who arms polls the process.
 */
#include <contiki.h>
#include <jif/jiffies.h>
#include <sys/rtimer.h>

#include "../../../../lib/port/jif_port.h"
#include "../../../target/target.h"
#include "../churn.h"

extern struct jif_wheel timers;
extern struct process timer_process;

PROCESS(churn_process, "churn");
AUTOSTART_PROCESSES(&timer_process, &churn_process);

static struct rtimer irq;
static uint32_t missed;

uint32_t churn_mask(void)
{
	sigset_t alarm, was;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sigprocmask(SIG_BLOCK, &alarm, &was);
	return sigismember(&was, SIGALRM);
}

void churn_unmask(uint32_t flags)
{
	sigset_t alarm;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sigprocmask(flags ? SIG_BLOCK : SIG_UNBLOCK, &alarm, NULL);
}

uint32_t churn_ticks(void)
{
	return (uint32_t)clock_time() + (uint32_t)CONFIG_JIF_INITIAL_JIFFIES;
}

void jif_kernel_wake(struct jif_kernel *kernel, uint32_t expires)
{
	process_poll(&timer_process);
}

static void on_irq(struct rtimer *timer, void *unused)
{
	for (uint32_t n = churn_random(CHURN_IRQ, 12); n; n--)
		churn_op(CHURN_IRQ);
	if (churn_ops() < OPERATIONS)
		rtimer_set(timer, RTIMER_NOW() + 1 + churn_random(CHURN_IRQ, 3),
			   0, on_irq, NULL);
}

static void on_alone(struct rtimer *timer, void *unused)
{
	churn_arm_alone();
}

static void some_operations(void)
{
	uint32_t most = churn_is_sparse() ? 1 : 5000;

	for (uint32_t n = churn_random(CHURN_BELOW, most + 1); n; n--)
		churn_op(CHURN_BELOW);
}

static void arm_alone(unsigned round)
{
	if (round & 1)
		churn_arm_alone();
	else
		rtimer_set(&irq, RTIMER_NOW() + 1, 0, on_alone, NULL);
}

static void end(void)
{
	target_put_number(missed);
	target_puts(" wakes missed\n");
	target_exit(!churn_end(MAY_BE_LATE) || missed);
}

/* SLEEP: only an event ends it. */
#define SLEEP(ticks)                                                           \
	do {                                                                   \
		etimer_set(&sleep, ticks);                                     \
		PROCESS_WAIT_EVENT_UNTIL(etimer_expired(&sleep));              \
	} while (0)

PROCESS_THREAD(churn_process, ev, data)
{
	static struct etimer sleep;
	static unsigned i;

	PROCESS_BEGIN();
	churn_start(jif_container_of(&timers, struct jif_kernel, wheel));
	rtimer_set(&irq, RTIMER_NOW() + 1, 0, on_irq, NULL);
	while (churn_ops() < OPERATIONS) {
		some_operations();
		SLEEP(1 + churn_random(CHURN_BELOW, 3));
	}
	while (jif_time_before_eq(churn_ticks(), churn_last() + 200))
		SLEEP(1);
	for (i = 0; i < 40; i++) {
		arm_alone(i);
		SLEEP(500);
		missed += churn_alone();
	}
	end();
	PROCESS_END();
}
