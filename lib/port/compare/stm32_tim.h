/* SPDX-License-Identifier: MIT */
/*
 * lib/port/compare/stm32_tim.h - STM32: TIM2 or TIM5, 32 bits
 *
 * RM0394 (STM32L41 to L46) Rev 4, 27 "General-purpose timers (TIM2/TIM3)".
 * CC1IF is set when CNT becomes CCR1, which takes effect at once as CCMR1 is 0
 * after a reset: no preload. It stops in Stop modes: stm32_lptim.h does not.
 *
 * The product turns it on in the RCC, and writes PSC.
 */
#ifndef JIF_LIB_PORT_COMPARE_STM32_TIM_H
#define JIF_LIB_PORT_COMPARE_STM32_TIM_H

#ifndef JIF_STM32_TIM
#define JIF_STM32_TIM	   0x40000000u
#define JIF_STM32_TIM_IRQ  28
#define JIF_COMPARE_VECTOR TIM2_IRQHandler
#endif

#define JIF_COMPARE_IRQ JIF_STM32_TIM_IRQ
#include "nvic.h"

#define JIF_COMPARE_BITS 32
#define JIF_COMPARE_SEEN 1
/* Two, and what the calls take: 8 microseconds. */
#define JIF_COMPARE_LEAD (CONFIG_JIF_CLOCK_HZ / 125000 + 2)

#define TIM_CR1		 (JIF_STM32_TIM + 0x00)
#define TIM_DIER	 (JIF_STM32_TIM + 0x0c)
#define TIM_SR		 (JIF_STM32_TIM + 0x10)
#define TIM_EGR		 (JIF_STM32_TIM + 0x14)
#define TIM_CNT		 (JIF_STM32_TIM + 0x24)
#define TIM_CCR1	 (JIF_STM32_TIM + 0x34)

#define TIM_CEN		 (UINT32_C(1) << 0)
#define TIM_UG		 (UINT32_C(1) << 0)
#define TIM_CC1		 (UINT32_C(1) << 1)

static inline uint32_t jif_compare_read(void)
{
	return jif_reg_read(TIM_CNT);
}

/* A bit of SR is cleared by a 0; a 1 changes nothing. */
static inline void jif_compare_set(uint32_t at)
{
	jif_reg_write(TIM_CCR1, at);
	jif_reg_write(TIM_SR, ~TIM_CC1);
	jif_nvic_clear(TIM_SR);
}

/* UG makes PSC take effect. */
static inline void jif_compare_enable(void)
{
	jif_reg_write(TIM_EGR, TIM_UG);
	jif_reg_write(TIM_SR, 0);
	jif_reg_write(TIM_DIER, TIM_CC1);
	jif_nvic_enable();
	jif_reg_write(TIM_CR1, TIM_CEN);
}

static inline void jif_compare_disable(void)
{
	jif_reg_write(TIM_CR1, 0);
	jif_reg_write(TIM_DIER, 0);
	jif_reg_write(TIM_SR, 0);
	jif_nvic_disable(TIM_SR);
}

#endif
