/* SPDX-License-Identifier: MIT */
/*
 * lib/port/avr/avr.c - AVR, such as ATmega328P: TIMER1 and its compare match A
 *
 * TIMER1 runs freely, and OCR1A is the next tick's place on it: ticks are where
 * they are, however late a handler runs. Whoever counts ticks counts all that
 * have passed, up to 65535 counts ago.
 *
 * Turning interrupts on and sleeping is one step here, so the handler that ends
 * a sleep runs before jif_port_idle() goes on: jif_irq_enter() counts it.
 */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <jif/jiffies.h>

#include "../jif_port.h"

/* Cycles of the processor and counts of TIMER1 per tick. */
#define CYCLES (CONFIG_JIF_CLOCK_HZ / CONFIG_JIF_HZ)
#define COUNTS ((uint16_t)(CYCLES / CONFIG_JIF_AVR_PRESCALER))

/*
 * The longest sleep, in ticks. An eighth of what the counter can tell is left
 * to the handlers that run before the sleep is counted.
 */
#define LONGEST (UINT16_MAX / COUNTS)
#define MOST	(LONGEST - (LONGEST + 7) / 8)

/* The bits of TCCR1B that divide the clock. */
#define CLOCK_SELECT                                                           \
	(CONFIG_JIF_AVR_PRESCALER == 1	 ? 1 :                                 \
	 CONFIG_JIF_AVR_PRESCALER == 8	 ? 2 :                                 \
	 CONFIG_JIF_AVR_PRESCALER == 64	 ? 3 :                                 \
	 CONFIG_JIF_AVR_PRESCALER == 256 ? 4 :                                 \
					   5)

JIF_STATIC_ASSERT(CYCLES % CONFIG_JIF_AVR_PRESCALER == 0 &&
			  CONFIG_JIF_CLOCK_HZ % CONFIG_JIF_HZ == 0,
		  "a tick must be a whole number of counts");
JIF_STATIC_ASSERT(CYCLES / CONFIG_JIF_AVR_PRESCALER < 32768,
		  "a tick must fit the counter twice");
JIF_STATIC_ASSERT(CLOCK_SELECT < 5 || CONFIG_JIF_AVR_PRESCALER == 1024,
		  "TIMER1 divides by 1, 8, 64, 256 or 1024");

volatile uint8_t jif_irq_depth;

static volatile bool asleep;

/* What TIMER1 showed at the last tick that has been counted. */
static uint16_t last;

/* How many ticks a long sleep is counted by, as there is no division. */
#define STRIDE (COUNTS < 4096 ? 16 : 1)

/* The ticks that have passed since @last. */
static uint16_t passed(void)
{
	uint16_t counts = TCNT1 - last, ticks = 0;

	while (counts >= STRIDE * COUNTS) {
		counts -= STRIDE * COUNTS;
		ticks += STRIDE;
	}
	while (counts >= COUNTS) {
		counts -= COUNTS;
		ticks++;
	}
	return ticks;
}

/* A tick that comes before OCR1A is written is counted in the next turn. */
static void count_passed(void)
{
	uint16_t ticks = passed();

	do {
		last += ticks * COUNTS;
		OCR1A = last + COUNTS;
		jif_ticks(ticks);
		ticks = passed();
	} while (ticks);
}

void jif_irq_enter(void)
{
	jif_irq_depth++;
	if (asleep)
		count_passed();
}

void jif_irq_exit(void)
{
	jif_irq_depth--;
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
	last = TCNT1;
	OCR1A = last + COUNTS;
	TIFR1 = _BV(OCF1A);
	TIMSK1 |= _BV(OCIE1A);
}

void jif_port_idle(uint32_t ticks)
{
	if (ticks > MOST)
		ticks = MOST;
	if (CONFIG_JIF_TICKLESS && ticks > 1)
		OCR1A = last + (uint16_t)ticks * COUNTS;
	asleep = true;
	SMCR = _BV(SE);
	__asm__ volatile("sei\n\tsleep\n\tcli" : : : "memory");
	SMCR = 0;
	asleep = false;
	count_passed();
}
