/* SPDX-License-Identifier: MIT */
/*
 * lib/port/jif_port.h - the port for this target; include/jif/port.h tells
 * what it has to provide
 *
 * JIF_PORT names the header of a port that is not listed here.
 */
#ifndef JIF_LIB_PORT_H
#define JIF_LIB_PORT_H

#include <jif/config.h>
#include <jif/port.h>

#if defined(JIF_PORT)
#include JIF_PORT
#elif CONFIG_JIF_PORT_SIM
#include "sim/jif_port.h"
#elif defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#include "cortex-m/jif_port.h"
#elif defined(__riscv) && __riscv_xlen == 32
#include "riscv/jif_port.h"
#elif defined(__AVR__)
#include "avr/jif_port.h"
#else
#include "none/jif_port.h"
#endif

#ifndef jif_irq_window
static inline jif_irq_t jif_irq_window(jif_irq_t flags)
{
	jif_irq_restore(flags);
	return jif_irq_save();
}
#endif

#endif
