/* SPDX-License-Identifier: MIT */
/*
 * test/target/target.h - what each machine provides to the tests and to the
 * demonstration, beside its port
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Called once by the start-up code; interrupts are off. */
void target_init(void);

void target_putc(char c);

/*
 * Starts the watchdog, where there is one: in a time that is far more than what
 * is tested takes, it calls the other function. See test/target/run.sh, too.
 */
void target_limit(uint32_t seconds);
void target_late(void);

/* Ends the emulation; 0 is success. */
void target_exit(int status) __attribute__((noreturn));

/*
 * A free-running counter that has nothing to do with the tick, and its rate. It
 * wraps at 2^32.
 */
uint32_t target_clock(void);
extern const uint32_t target_clock_hz;

/* Another interrupt than the tick's: its handler calls this, if it is set. */
extern void (*volatile target_irq)(void);

/*
 * Without CONFIG_JIF_PORT_VECTOR, the handler of the tick is the machine's, and
 * calls this after jif_port_tick(), if it is set.
 */
extern void (*volatile target_tick)(void);

/* Requests the other interrupt: now, or in 1000 to 200000000 nanoseconds. */
void target_pend(void);
void target_pend_after(uint32_t ns);

/* How often the processor has slept, where the port does not say. */
extern uint32_t target_sleeps;

/* Text that takes no RAM on AVR, where constants otherwise do. */
#if defined(__AVR__)
#define TARGET_TEXT(s)                                                         \
	(__extension__({                                                       \
		static const char text_[]                                      \
			__attribute__((section(".progmem.text"))) = s;         \
		&text_[0];                                                     \
	}))
static inline char target_text_at(const char *text)
{
	char c;

	__asm__("lpm %0, Z" : "=r"(c) : "z"(text));
	return c;
}
#else
#define TARGET_TEXT(s) (s)
static inline char target_text_at(const char *text)
{
	return *text;
}
#endif

/* Prints a TARGET_TEXT(), or a number. */
void target_put_text(const char *text);
void target_put_number(uint32_t number);

#define target_puts(s) target_put_text(TARGET_TEXT(s))

/*
 * In a handler of target_pend(): calls @within, while the interrupt of
 * target_pend_after() is let in.
 */
void target_let_in(void (*within)(void));

/*
 * Cortex-M: the priority of the interrupt of target_pend_after(), which is more
 * urgent than that of target_pend() all the same; and requests it now.
 */
#define TARGET_LOW 0x80u
void target_set_priority(uint8_t priority);
void target_pend_other(void);

/* From a handler into a function of the main loop, for good. */
void target_leave_irq(void (*to)(void)) __attribute__((noreturn));
