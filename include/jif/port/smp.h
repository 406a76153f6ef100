/* SPDX-License-Identifier: MIT */
/*
 * jif/port/smp.h - CONFIG_JIF_SMP: timers armed from other cores
 *
 * With that option, whatever turns interrupts off also takes a lock, one for
 * all cores and wheels. What other cores may call is in docs/timing.md.
 */
#ifndef JIF_SMP_H
#define JIF_SMP_H

#include <jif/port.h>

JIF_BEGIN_DECLS

/**
 * jif_smp_core - which core is this?
 *
 * The product defines it: CPUID of the SIO on an RP2040, mhartid on RISC-V.
 * Context: any, with interrupts off.
 * Return: the number of the core that calls, from 0 on.
 */
unsigned jif_smp_core(void);

/**
 * jif_smp_let_go - let the other cores in, and leave interrupts off
 *
 * For an idle function, which is called with interrupts off and the lock taken.
 * Context: with interrupts turned off by the engine.
 * Return: what jif_smp_take_back() is given.
 */
unsigned jif_smp_let_go(void);

/**
 * jif_smp_take_back - take the lock again
 * @depth:	what jif_smp_let_go() returned
 * Context: as jif_smp_let_go(), and on the same core.
 */
void jif_smp_take_back(unsigned depth);

/**
 * jif_smp_idle - jif_port_idle(), during which the other cores may arm
 * @ticks:	as for jif_port_idle()
 *
 * Another core that has armed a timer on this core's wheel interrupts this core
 * afterwards, which ends the sleep, also one that is only about to begin.
 * Context: as jif_port_idle(): called by jif_wheel_sleep() or a scheduler.
 */
static inline void jif_smp_idle(uint32_t ticks)
{
	unsigned depth = jif_smp_let_go();

	jif_port_idle(ticks);
	jif_smp_take_back(depth);
}

JIF_END_DECLS

#endif
