/* SPDX-License-Identifier: MIT */
/*
 * jif/kit/selftest.h - is the port right on this board?
 *
 * For a new board or kernel, without an emulator: link it into a firmware that
 * does nothing else. It takes no memory but its structure, and prints nothing.
 */
#ifndef JIF_SELFTEST_H
#define JIF_SELFTEST_H

#include <jif/wheel.h>

JIF_BEGIN_DECLS

/**
 * enum jif_selftest_code - what was found
 * @JIF_SELFTEST_CLOCK:		@clock stands still; the test ends
 * @JIF_SELFTEST_NO_IRQ:	@pend brings no handler; the test ends
 * @JIF_SELFTEST_LOCK:		a handler ran after jif_irq_save()
 * @JIF_SELFTEST_SHUT:		none ran after jif_irq_restore(); the test ends
 * @JIF_SELFTEST_NESTED:	an inner jif_irq_restore() let one in
 * @JIF_SELFTEST_WINDOW:	jif_irq_window() let none in, or stayed open
 * @JIF_SELFTEST_HANDLER:	jif_irq_restore() in a handler let it in again
 * @JIF_SELFTEST_IN_IRQ:	jif_in_irq() was wrong
 * @JIF_SELFTEST_STOPS:		jif_now() stands still; the test ends
 * @JIF_SELFTEST_BACK:		jif_now() went back
 * @JIF_SELFTEST_RATE:		a tick is over 1/32 off; value: counts in a tick
 * @JIF_SELFTEST_JITTER:	a tick was 1/8 off its place; value: counts
 * @JIF_SELFTEST_LOST:		jif_now() was wrong after a time with interrupts
 *				off; value: by how many counts
 * @JIF_SELFTEST_SLEEP:		and after a sleep; value: by how many counts
 * @JIF_SELFTEST_SEEN:		and in a handler that ended a sleep
 * @JIF_SELFTEST_OVERSLEPT:	a sleep was too long, or too short; value: ticks
 * @JIF_SELFTEST_WAKE_UP:	a handler did not end a sleep; value: counts
 * @JIF_SELFTEST_OPEN:		interrupts were on at the end of a sleep
 * @JIF_SELFTEST_BUSY:		a sleep ends again and again; value: how often
 * @JIF_SELFTEST_EARLY:		a timer came early; value: counts
 * @JIF_SELFTEST_LATE:		a timer came late; value: counts
 * @JIF_SELFTEST_IRQ_EARLY:	so did one that a handler had armed
 * @JIF_SELFTEST_IRQ_LATE:	so did one that a handler had armed
 */
enum jif_selftest_code {
	JIF_SELFTEST_CLOCK,
	JIF_SELFTEST_NO_IRQ,
	JIF_SELFTEST_LOCK,
	JIF_SELFTEST_SHUT,
	JIF_SELFTEST_NESTED,
	JIF_SELFTEST_WINDOW,
	JIF_SELFTEST_HANDLER,
	JIF_SELFTEST_IN_IRQ,
	JIF_SELFTEST_STOPS,
	JIF_SELFTEST_BACK,
	JIF_SELFTEST_RATE,
	JIF_SELFTEST_JITTER,
	JIF_SELFTEST_LOST,
	JIF_SELFTEST_SLEEP,
	JIF_SELFTEST_SEEN,
	JIF_SELFTEST_OVERSLEPT,
	JIF_SELFTEST_WAKE_UP,
	JIF_SELFTEST_OPEN,
	JIF_SELFTEST_BUSY,
	JIF_SELFTEST_EARLY,
	JIF_SELFTEST_LATE,
	JIF_SELFTEST_IRQ_EARLY,
	JIF_SELFTEST_IRQ_LATE,
};

/**
 * struct jif_selftest - a test; what is not private is set before it runs
 * @wheel:	memory of a wheel that is not in use
 * @clock:	shows a counter that is not the port's: it goes on in a sleep,
 *		wraps at 2^32, and takes at least 32 counts a tick
 * @clock_hz:	its rate
 * @pend:	requests an interrupt in so many counts, up to 7 ticks, 0: now,
 *		in place of an older request; its handler calls
 *		jif_selftest_irq(). Called in that, and with interrupts off, too
 * @idle:	jif_port_idle(), or see docs/kernels.md; NULL: no sleep is tried
 * @longest:	the longest sleep, in ticks, at least 2, and JIF_DELAY_MAX
 *		counts of @clock at most; one that is more than the port's timer
 *		can count shows whether a chain of them holds
 * @report:	what is told each code once, from the main loop
 * @jitter:	set: by how many counts a tick was off its place at most
 */
struct jif_selftest {
	struct jif_wheel *wheel;
	uint32_t (*clock)(void);
	uint32_t clock_hz;
	void (*pend)(uint32_t counts);
	void (*idle)(uint32_t ticks);
	uint32_t longest;
	void (*report)(enum jif_selftest_code code, uint32_t value);
	uint32_t jitter;
	/* private: */
	struct jif_timer timer;
	uint32_t found; /* a bit for each code */
	uint32_t span;	/* counts in so many ticks: */
	uint32_t measured;
	uint32_t from, begin;	/* the clock and jiffies at a tick */
	volatile uint32_t at;	/* the clock in the handler, or the callback */
	volatile uint32_t seen; /* jiffies in the handler */
	volatile uint8_t handled;
	uint8_t action; /* of the handler */
	uint32_t delay; /* of the timer, in ticks */
	volatile bool fired;
	volatile bool in_irq;
};

/**
 * jif_selftest_irq - what the handler calls that @pend has requested
 * @test:	the test that runs
 * Context: an interrupt handler.
 */
void jif_selftest_irq(struct jif_selftest *test);

/**
 * jif_selftest_run - try the port
 * @test:	all that is not private has been set
 *
 * Takes about 1,200 ticks, and twice @longest. A sleep that never ends keeps
 * it for good: start the board's watchdog.
 * Context: the main loop; the tick runs, interrupts are on.
 * Return: 0 if nothing was found; else the bit 1 << code of each finding.
 */
uint32_t jif_selftest_run(struct jif_selftest *test)
	JIF_AGREE_ON(CONFIG_JIF_HZ, jif_selftest_run);

JIF_END_DECLS

#endif
