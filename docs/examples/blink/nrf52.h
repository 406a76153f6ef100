/* SPDX-License-Identifier: MIT */
/* nRF52 DK: LED1 is P0.17, lit when low. nRF52832 Product Specification. */
#define OUTSET (*(volatile uint32_t *)0x50000508)
#define OUTCLR (*(volatile uint32_t *)0x5000050c)
#define DIRSET (*(volatile uint32_t *)0x50000518)
#define LED    (UINT32_C(1) << 17)

static void led_init(void)
{
	OUTSET = LED;
	DIRSET = LED;
}

static void led_set(bool on)
{
	*(on ? &OUTCLR : &OUTSET) = LED;
}
