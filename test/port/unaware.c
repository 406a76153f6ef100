/* SPDX-License-Identifier: MIT */
/*
 * test/port/unaware.c - AVR: a handler of somebody else's, which does not call
 * jif_irq_enter(); the watchdog's, as that comes in the middle of any sleep
 */
#include <avr/interrupt.h>
#include <avr/io.h>

#include "port.h"

/* Nearly the eighth of what TIMER1 can tell: 30 ms if it divides by 64. */
#define BUSY_CYCLES (7500ul * CONFIG_JIF_AVR_PRESCALER)

static volatile bool barked;

ISR(WDT_vect)
{
	WDTCSR = _BV(WDCE) | _BV(WDE);
	WDTCSR = 0;
	__builtin_avr_delay_cycles(BUSY_CYCLES);
	barked = true;
}

/* After 256 ms. */
static void start_watchdog(void)
{
	jif_irq_t flags = jif_irq_save();

	barked = false;
	__asm__ volatile("wdr");
	WDTCSR = _BV(WDCE) | _BV(WDE);
	WDTCSR = _BV(WDIE) | _BV(WDP2);
	jif_irq_restore(flags);
}

TestSuite(port_unaware, .init = port_init);

Test(port_unaware, may_be_long_at_the_end_of_a_long_sleep)
{
	static const uint8_t awake_ms[] = { 0, 8, 16, 29 };
	uint32_t from = align();
	uint32_t begin = jif_now();
	jif_irq_t flags;

	for (unsigned i = 0; i < sizeof(awake_ms); i++) {
		start_watchdog();
		wait_counts(per_tick() * awake_ms[i] * CONFIG_JIF_HZ / 1000);
		while (!barked) {
			flags = jif_irq_save();
			if (!barked)
				jif_port_idle(UINT32_MAX);
			jif_irq_restore(flags);
		}
		align();
		cr_assert_eq(jif_now() - begin, ticks_since(from));
	}
}
