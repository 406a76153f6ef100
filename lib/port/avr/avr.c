/* SPDX-License-Identifier: MIT */
/*
 * lib/port/avr/avr.c - AVR, such as ATmega328P: TIMER1 and its compare match A
 *
 * TIMER1 runs freely, and OCR1A is the next tick's place on it: ticks are where
 * they are, however late a handler runs. Whoever counts ticks counts all that
 * have passed, up to 65535 counts ago.
 *
 * Turning interrupts on and sleeping is one step here, so the handler that ends
 * a sleep runs before the sleep is counted. Until then, jif_now() adds what has
 * passed.
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <jif/jiffies.h>

#include "../jif_port.h"
#include "passed.h"

/*
 * The longest sleep, in ticks. An eighth of what the counter can tell is left
 * to the handlers that run before the sleep is counted.
 */
#define LONGEST (UINT16_MAX / JIF_AVR_COUNTS)
#define MOST	(LONGEST - (LONGEST + 7) / 8)

/* The bits of TCCR1B that divide the clock. */
#define CLOCK_SELECT                                                           \
	(CONFIG_JIF_AVR_PRESCALER == 1	 ? 1 :                                 \
	 CONFIG_JIF_AVR_PRESCALER == 8	 ? 2 :                                 \
	 CONFIG_JIF_AVR_PRESCALER == 64	 ? 3 :                                 \
	 CONFIG_JIF_AVR_PRESCALER == 256 ? 4 :                                 \
					   5)

JIF_STATIC_ASSERT(MOST >= 1, "a tick must fit the counter twice");
JIF_STATIC_ASSERT(CLOCK_SELECT < 5 || CONFIG_JIF_AVR_PRESCALER == 1024,
		  "TIMER1 divides by 1, 8, 64, 256 or 1024");

volatile uint8_t jif_irq_depth;

/* A tick that comes before OCR1A is written is counted in the next turn. */
static void count_passed(void)
{
	uint16_t ticks = jif_avr_passed();

	do {
		jif_avr_last += ticks * JIF_AVR_COUNTS;
		OCR1A = jif_avr_last + JIF_AVR_COUNTS;
		jif_ticks(ticks);
		ticks = jif_avr_passed();
	} while (ticks);
}

void jif_port_tick(void)
{
	count_passed();
}

#if CONFIG_JIF_PORT_VECTOR
ISR(TIMER1_COMPA_vect)
{
	jif_irq_depth++;
	jif_port_tick();
	jif_irq_depth--;
}
#endif

void jif_port_start(void)
{
	TCCR1A = 0;
	TCCR1B = CLOCK_SELECT;
	jif_avr_last = TCNT1;
	OCR1A = jif_avr_last + JIF_AVR_COUNTS;
	TIFR1 = _BV(OCF1A);
	TIMSK1 |= _BV(OCIE1A);
}

void jif_port_idle(uint32_t ticks)
{
	if (TIFR1 & _BV(OCF1A))
		return;
	if (ticks > MOST)
		ticks = MOST;
	if (CONFIG_JIF_TICKLESS && ticks > 1)
		OCR1A = jif_avr_last + (uint16_t)ticks * JIF_AVR_COUNTS;
	jif_avr_asleep = true;
	SMCR = _BV(SE);
	__asm__ volatile("sei\n\tsleep\n\tcli" : : : "memory");
	SMCR = 0;
	jif_avr_asleep = false;
	count_passed();
}
