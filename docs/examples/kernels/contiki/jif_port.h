/* SPDX-License-Identifier: MIT */
/*
 * docs/examples/kernels/contiki/jif_port.h - Contiki-NG: its master interrupt
 *
 * On its native target, those calls keep nothing out: a handler is a signal.
 * Contiki-NG does not say whether a handler runs: only checks of
 * CONFIG_JIF_DEBUG miss that.
 */
#ifndef JIF_LIB_PORT_CONTIKI_H
#define JIF_LIB_PORT_CONTIKI_H

#include <contiki.h>
#include <stdbool.h>
#include <sys/int-master.h>

#define JIF_PORT_COUNTS 1

#if CONTIKI_TARGET_NATIVE
#include <signal.h>

typedef int jif_irq_t;

static inline jif_irq_t jif_irq_save(void)
{
	sigset_t all, was;

	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &was);
	return sigismember(&was, SIGALRM);
}

static inline void jif_irq_restore(jif_irq_t masked)
{
	sigset_t none;

	sigemptyset(&none);
	if (!masked)
		sigprocmask(SIG_SETMASK, &none, NULL);
}
#else
typedef int_master_status_t jif_irq_t;

static inline jif_irq_t jif_irq_save(void)
{
	return int_master_read_and_disable();
}

static inline void jif_irq_restore(jif_irq_t flags)
{
	int_master_status_set(flags);
}
#endif

static inline bool jif_in_irq(void)
{
	return false;
}

#endif
