/* SPDX-License-Identifier: MIT */
/* STM32F4 Discovery: the green LED is PD12. RM0090, RCC and GPIO */
#define RCC_AHB1ENR (*(volatile uint32_t *)0x40023830)
#define GPIOD_MODER (*(volatile uint32_t *)0x40020c00)
#define GPIOD_BSRR  (*(volatile uint32_t *)0x40020c18)

static void led_init(void)
{
	RCC_AHB1ENR |= UINT32_C(1) << 3;
	(void)RCC_AHB1ENR; /* the clock needs two cycles */
	GPIOD_MODER |= UINT32_C(1) << 24;
}

static void led_set(bool on)
{
	GPIOD_BSRR = UINT32_C(1) << (on ? 12 : 28);
}
