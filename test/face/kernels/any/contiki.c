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
int arm_in(struct jif_timer *timer, uint32_t delay);

PROCESS(churn_process, "churn");
AUTOSTART_PROCESSES(&timer_process, &churn_process);

static sigset_t masked;
static struct rtimer irq;
static struct jif_timer lone;
static volatile uint32_t called;
static uint32_t rounds, missed, since;

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
