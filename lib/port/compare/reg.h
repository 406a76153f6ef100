/* SPDX-License-Identifier: MIT */
/*
 * lib/port/compare/reg.h - how the timers' headers reach their registers
 *
 * JIF_REG names the header of another way: that of a simulation.
 */
#ifndef JIF_LIB_PORT_COMPARE_REG_H
#define JIF_LIB_PORT_COMPARE_REG_H

#include <stdint.h>

#if defined(JIF_REG)
#include JIF_REG
#else

static inline uint32_t jif_reg_read(uintptr_t at)
{
	return *(volatile uint32_t *)at;
}

static inline void jif_reg_write(uintptr_t at, uint32_t value)
{
	*(volatile uint32_t *)at = value;
}

static inline uint8_t jif_reg_read8(uintptr_t at)
{
	return *(volatile uint8_t *)at;
}

static inline void jif_reg_write8(uintptr_t at, uint8_t value)
{
	*(volatile uint8_t *)at = value;
}

#if defined(__riscv)
static inline void jif_mie_set(uint32_t bits)
{
	__asm__ volatile("csrs mie, %0" : : "r"(bits) : "memory");
}

static inline void jif_mie_clear(uint32_t bits)
{
	__asm__ volatile("csrc mie, %0" : : "r"(bits) : "memory");
}
#endif

#endif
#endif
