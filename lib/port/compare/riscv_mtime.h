/* SPDX-License-Identifier: MIT */
/*
 * lib/port/compare/riscv_mtime.h - RISC-V, machine mode: mtime at any rate
 *
 * The RISC-V Instruction Set Manual, Volume II: Privileged Architecture,
 * 20211203, 3.2.1 "Machine Timer Registers". The interrupt is pending as long
 * as mtime is mtimecmp or more, in 64 bits, of which the low word tells enough:
 * the high one is made up from mtime. mtimecmp is never low for a moment while
 * its halves are written. For ticks of whole counts, lib/port/riscv is smaller.
 */
#ifndef JIF_LIB_PORT_COMPARE_RISCV_MTIME_H
#define JIF_LIB_PORT_COMPARE_RISCV_MTIME_H

#include <jif/config.h>

#include "reg.h"

#define JIF_COMPARE_BITS 32
#define JIF_COMPARE_SEEN 1
/* Two, and what the calls take: 8 microseconds. */
#define JIF_COMPARE_LEAD (CONFIG_JIF_CLOCK_HZ / 125000 + 2)

#define MTIME		 CONFIG_JIF_RISCV_MTIME
#define MTIMECMP	 CONFIG_JIF_RISCV_MTIMECMP
#define MIE_MTIE	 (UINT32_C(1) << 7)

static inline uint32_t jif_compare_read(void)
{
	return jif_reg_read(MTIME);
}

static inline void jif_compare_write(uint32_t high, uint32_t low)
{
	jif_reg_write(MTIMECMP + 4, UINT32_MAX);
	jif_reg_write(MTIMECMP, low);
	jif_reg_write(MTIMECMP + 4, high);
}

static inline void jif_compare_set(uint32_t at)
{
	uint32_t low, high;

	do {
		high = jif_reg_read(MTIME + 4);
		low = jif_reg_read(MTIME);
	} while (high != jif_reg_read(MTIME + 4));
	jif_compare_write(at < low ? high + 1 : high, at);
}

static inline void jif_compare_pend(void)
{
	jif_compare_write(0, 0);
}

static inline void jif_compare_enable(void)
{
	jif_mie_set(MIE_MTIE);
}

static inline void jif_compare_disable(void)
{
	jif_mie_clear(MIE_MTIE);
	jif_compare_write(UINT32_MAX, UINT32_MAX);
}

#endif
