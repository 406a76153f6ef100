/* SPDX-License-Identifier: MIT */
/*
 * test/target/atmega328p.c - ATmega328P at 16 MHz: USART 0; INT0, which is pin
 * PD2, and TIMER0 as the other interrupt; the emulator's cycle counter as the
 * clock. Start-up and vectors.
 */
#include <avr/interrupt.h>
#include <avr/io.h>

#include "../../lib/port/jif_port.h"
#include "target.h"

#define F_CPU_MHZ 16u

const uint32_t target_clock_hz = 1000000;

void (*volatile target_irq)(void);
void (*volatile target_tick)(void);
uint32_t target_sleeps;

static volatile uint8_t periods;

void target_putc(char c)
{
	while (!(UCSR0A & _BV(UDRE0)))
		;
	UDR0 = (uint8_t)c;
}

/* The emulator ends when GPIOR0 is written; see test/target/avr. */
void target_exit(int status)
{
	GPIOR0 = (uint8_t)status;
	for (;;)
		;
}

/* The emulator latches its microseconds, and hands them out byte by byte. */
uint32_t target_clock(void)
{
	jif_irq_t flags = jif_irq_save();
	uint32_t clock = 0;

	for (uint8_t i = 0; i < 4; i++) {
		GPIOR1 = i;
		clock = clock << 8 | GPIOR2;
	}
	jif_irq_restore(flags);
	return clock;
}

void target_pend(void)
{
	PORTD ^= _BV(PORTD2);
	__asm__ volatile("nop\n\tnop\n\tnop\n\tnop" : : : "memory");
}

void target_let_in(void (*within)(void))
{
	sei();
	within();
	cli();
}

static const struct {
	uint16_t cycles;
	uint8_t select;
} prescaler[] = { { 1, 1 }, { 8, 2 }, { 64, 3 }, { 256, 4 } };

/* TIMER0 in CTC mode: one period, or several of 255 times 1024 cycles. */
void target_pend_after(uint32_t ns)
{
	uint32_t cycles = ns / 1000 * F_CPU_MHZ + ns % 1000 * F_CPU_MHZ / 1000;
	uint8_t i = 0;

	TCCR0B = 0;
	TCCR0A = _BV(WGM01);
	TCNT0 = 0;
	TIFR0 = _BV(OCF0A);
	TIMSK0 = _BV(OCIE0A);
	while (i < 4 && cycles / prescaler[i].cycles > 255)
		i++;
	periods = 1;
	if (i < 4) {
		OCR0A = (uint8_t)(cycles / prescaler[i].cycles);
		TCCR0B = prescaler[i].select;
		i = cycles % 8; /* Odd waits, so that it comes at any cycle. */
		__asm__ volatile("1: dec %0\n\tbrpl 1b" : "+r"(i));
		return;
	}
	periods = (uint8_t)(cycles / 1024 / 255 + 1);
	OCR0A = (uint8_t)(cycles / 1024 / periods);
	TCCR0B = 5;
}

static void other(void)
{
	jif_irq_enter();
	if (target_irq)
		target_irq();
	jif_irq_exit();
}

ISR(INT0_vect)
{
	other();
}

ISR(TIMER0_COMPA_vect)
{
	if (--periods)
		return;
	TCCR0B = 0;
	other();
}

#if !CONFIG_JIF_PORT_VECTOR
ISR(TIMER1_COMPA_vect)
{
	jif_irq_enter();
	jif_port_tick();
	if (target_tick)
		target_tick();
	jif_irq_exit();
}
#endif

void target_init(void)
{
	UBRR0 = 0;
	UCSR0B = _BV(TXEN0);
	EICRA = _BV(ISC00);
	DDRD = _BV(DDD2);
	EIMSK = _BV(INT0);
}

int main(void);

__attribute__((naked, used, section(".init9"))) void target_main(void);

/* After libgcc's .init4 has set up the variables. */
__attribute__((naked, used, section(".init9"))) void target_main(void)
{
	target_init();
	sei();
	main();
	target_exit(1);
}

__attribute__((naked, used, section(".init2"))) void target_stack(void);

__attribute__((naked, used, section(".init2"))) void target_stack(void)
{
	__asm__ volatile("clr r1\n\t"
			 "out __SREG__, r1\n\t"
			 "ldi r28, lo8(stack_top)\n\t"
			 "ldi r29, hi8(stack_top)\n\t"
			 "out __SP_H__, r29\n\t"
			 "out __SP_L__, r28");
}

/* Those that no port and no machine defines reset, and so end a test. */
__asm__(".section .vectors, \"ax\", @progbits\n"
	".global vectors\n"
	"vectors:\n\t"
	"jmp target_stack\n\t"
	"n = 1\n\t"
	".altmacro\n\t"
	".macro vector number\n\t"
	".weak __vector_\\number\n\t"
	"jmp __vector_\\number\n\t"
	".endm\n\t"
	".rept 25\n\t"
	"vector %n\n\t"
	"n = n + 1\n\t"
	".endr\n\t"
	".text");
