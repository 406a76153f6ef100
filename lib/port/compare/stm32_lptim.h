/* SPDX-License-Identifier: MIT */
/*
 * lib/port/compare/stm32_lptim.h - STM32: LPTIM, 16 bits, most often 32,768 Hz
 *
 * RM0394 (STM32L41 to L46) Rev 4, 30 "Low-power timer (LPTIM)":
 * - the counter has a clock of its own: a read counts if the next is the same;
 * - CMP may be written again when CMPOK tells that it has been taken over;
 * - IER only changes while the timer is off; CMP is less than ARR.
 * Errata: a flag may only be cleared while its interrupt is on in IER.
 *
 * On some parts a match is CNT >= CMP instead of CNT = CMP (see their errata):
 * a value beyond the end of the counter would match at once. So the counter is
 * stopped at, first, at its end. Such a request comes too soon: once per turn.
 *
 * Addresses and number are LPTIM1's of the STM32L4. The product turns it on in
 * the RCC, chooses its clock there and, if it likes, a prescaler in CFGR.
 */
#ifndef JIF_LIB_PORT_COMPARE_STM32_LPTIM_H
#define JIF_LIB_PORT_COMPARE_STM32_LPTIM_H

#include <stdbool.h>

#ifndef JIF_STM32_LPTIM
#define JIF_STM32_LPTIM	    0x40007c00u
#define JIF_STM32_LPTIM_IRQ 65
#define JIF_COMPARE_VECTOR  LPTIM1_IRQHandler
#endif

#define JIF_COMPARE_IRQ JIF_STM32_LPTIM_IRQ
#include "nvic.h"

#define JIF_COMPARE_BITS 16
#define JIF_COMPARE_SEEN 1
#define JIF_COMPARE_LEAD 6

#define LPTIM_ISR	 (JIF_STM32_LPTIM + 0x00)
#define LPTIM_ICR	 (JIF_STM32_LPTIM + 0x04)
#define LPTIM_IER	 (JIF_STM32_LPTIM + 0x08)
#define LPTIM_CR	 (JIF_STM32_LPTIM + 0x10)
#define LPTIM_CMP	 (JIF_STM32_LPTIM + 0x14)
#define LPTIM_ARR	 (JIF_STM32_LPTIM + 0x18)
#define LPTIM_CNT	 (JIF_STM32_LPTIM + 0x1c)

/* In ISR, ICR and IER. */
#define LPTIM_CMPM    (UINT32_C(1) << 0)
#define LPTIM_CMPOK   (UINT32_C(1) << 3)
#define LPTIM_ARROK   (UINT32_C(1) << 4)

#define LPTIM_ENABLE  (UINT32_C(1) << 0)
#define LPTIM_CNTSTRT (UINT32_C(1) << 2)

/* The last count that can be compared with. */
#define LPTIM_LAST UINT32_C(0xfffe)

static inline uint32_t jif_compare_read(void)
{
	uint32_t count, again = jif_reg_read(LPTIM_CNT);

	do {
		count = again;
		again = jif_reg_read(LPTIM_CNT);
	} while (again != count);
	return count & 0xffff;
}

static inline void jif_compare_set(uint32_t at)
{
	uint32_t now = jif_compare_read();
	bool beyond = (at <= now || at > LPTIM_LAST) &&
		      now + JIF_COMPARE_LEAD < LPTIM_LAST;

	if (beyond)
		at = LPTIM_LAST;
	jif_reg_write(LPTIM_CMP, at > LPTIM_LAST ? 0 : at);
	while (!(jif_reg_read(LPTIM_ISR) & LPTIM_CMPOK))
		;
	jif_reg_write(LPTIM_ICR, LPTIM_CMPOK | LPTIM_CMPM);
	jif_nvic_clear(LPTIM_ISR);
	if (beyond && jif_compare_read() - now >= LPTIM_LAST - now)
		jif_compare_pend();
}

static inline void jif_compare_enable(void)
{
	jif_reg_write(LPTIM_IER, LPTIM_CMPM | LPTIM_CMPOK | LPTIM_ARROK);
	jif_reg_write(LPTIM_CR, LPTIM_ENABLE);
	jif_reg_write(LPTIM_ICR, LPTIM_ARROK | LPTIM_CMPOK | LPTIM_CMPM);
	jif_reg_write(LPTIM_ARR, 0xffff);
	while (!(jif_reg_read(LPTIM_ISR) & LPTIM_ARROK))
		;
	jif_reg_write(LPTIM_ICR, LPTIM_ARROK);
	jif_reg_write(LPTIM_CR, LPTIM_ENABLE | LPTIM_CNTSTRT);
	jif_nvic_enable();
}

static inline void jif_compare_disable(void)
{
	jif_reg_write(LPTIM_CR, 0);
	jif_reg_write(LPTIM_IER, 0);
	jif_nvic_disable(LPTIM_ISR);
}

#endif
