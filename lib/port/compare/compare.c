/* SPDX-License-Identifier: MIT */
/*
 * lib/port/compare/compare.c - a free-running counter with a compare register
 *
 * Interrupts are masked as by the core's own port. What differs between timers
 * is in a header, CONFIG_JIF_COMPARE_TIMER; template.h tells what it has.
 *
 * Nobody ever writes the counter, so nothing can drift. A count and a tick are
 * so many parts of a time that divides both, and the parts that are left when
 * the ticks have been counted are kept. At 32,768 Hz and 1,000 ticks per
 * second, a count is 125 parts and a tick 4,096.
 *
 * jif_now() reads the counter. So the time is right without any interrupt, in
 * each handler too, and one is needed only for the next stop, and for the
 * counter not to go round unseen: whatever else is asked for, the compare
 * register is never further ahead than MOST counts. The rest of the range is
 * what interrupts may be off for.
 *
 * A compare value that is past, or too near, when it is written would be seen
 * after a whole turn of the counter only. So none is written that is not LEAD
 * counts ahead; and if the writing has taken so long that it may have been
 * missed all the same, the interrupt is requested by hand. A request that comes
 * too soon, for that or for any other reason, is made again.
 */
#include <jif/jiffies.h>

#include "../jif_port.h"
#include CONFIG_JIF_COMPARE_TIMER

#define HZ	 ((uint32_t)CONFIG_JIF_HZ)
#define CLOCK_HZ ((uint32_t)CONFIG_JIF_CLOCK_HZ)

/* What both have in common: their powers of 2, and of 5 up to 125. */
#define TWOS	   ((HZ | CLOCK_HZ) & (0 - (HZ | CLOCK_HZ)))
#define BOTH_BY(n) (HZ % (n) == 0 && CLOCK_HZ % (n) == 0)
#define FIVES	   (BOTH_BY(125) ? 125 : BOTH_BY(25) ? 25 : BOTH_BY(5) ? 5 : 1)
#define MULTIPLE   (CLOCK_HZ % HZ == 0)

/* Parts in a count, and in a tick. */
#define COUNT_PARTS (MULTIPLE ? 1 : HZ / TWOS / FIVES)
#define TICK_PARTS  (MULTIPLE ? CLOCK_HZ / HZ : CLOCK_HZ / TWOS / FIVES)

#define MASK	    (UINT32_MAX >> (32 - JIF_COMPARE_BITS))

/* The counts whose parts fit 32 bits, together with those that are left. */
#define RANGE_OF(most) (MASK < (most) ? MASK : (most))
#define RANGE	       RANGE_OF((UINT32_MAX - TICK_PARTS) / COUNT_PARTS)

/* How far ahead the next interrupt is at most, in counts and in ticks. */
#define MOST	   (RANGE - RANGE / 8)
#define MOST_TICKS (MOST * COUNT_PARTS / TICK_PARTS)

JIF_STATIC_ASSERT(CONFIG_JIF_COMPARE, "or jif_now() does not read the counter");
JIF_STATIC_ASSERT(JIF_COMPARE_BITS >= 16 && JIF_COMPARE_BITS <= 32,
		  "the counter has 16 to 32 bits");
JIF_STATIC_ASSERT(MOST_TICKS >= 1, "a tick must fit the counter");
JIF_STATIC_ASSERT(JIF_COMPARE_LEAD >= JIF_COMPARE_SEEN &&
			  JIF_COMPARE_LEAD < RANGE / 64,
		  "what is written LEAD counts ahead must be seen, and soon");

/* Up to where the counter has been counted, and the parts that are left. */
static uint32_t last;
static uint32_t left;

/* The count that was asked for, and what the compare register is set to. */
static uint32_t due;
static uint32_t compare;

void jif_port_count(void)
{
	uint32_t now = jif_compare_read();
	uint32_t parts = ((now - last) & MASK) * COUNT_PARTS + left;

	if (parts < TICK_PARTS)
		return;
	last = now;
	left = parts % TICK_PARTS;
	jif_ticks(parts / TICK_PARTS);
}

/* How far ahead of the counter, if not further than that can be. */
static uint32_t ahead(uint32_t count)
{
	uint32_t counts = (count - jif_compare_read()) & MASK;

	return counts <= MOST ? counts : 0;
}

/* Where the counter will be so many ticks after the last that was counted. */
static uint32_t place(uint32_t ticks)
{
	if (ticks > MOST_TICKS)
		ticks = MOST_TICKS;
	return last +
	       (ticks * TICK_PARTS - left + COUNT_PARTS - 1) / COUNT_PARTS;
}

/* The next interrupt comes when the counter is at @count, or right after it. */
static void request(uint32_t count)
{
	due = count & MASK;
	compare = due;
	if (ahead(due) < JIF_COMPARE_LEAD)
		compare = (jif_compare_read() + JIF_COMPARE_LEAD) & MASK;
	jif_compare_set(compare);
	if (ahead(compare) < JIF_COMPARE_SEEN)
		jif_compare_pend();
}

void jif_port_tick(void)
{
	jif_irq_t flags = jif_irq_save();

	jif_port_count();
	if (ahead(due))
		request(due);
	else
		request(place(CONFIG_JIF_TICKLESS ? MOST_TICKS : 1));
	jif_irq_restore(flags);
}

#if CONFIG_JIF_PORT_VECTOR && defined(JIF_COMPARE_VECTOR)
#if defined(__AVR__)
void JIF_COMPARE_VECTOR(void) JIF_AVR_HANDLER;

void JIF_COMPARE_VECTOR(void)
{
	jif_irq_enter();
	jif_port_tick();
	jif_irq_exit();
}
#else
void JIF_COMPARE_VECTOR(void);

void JIF_COMPARE_VECTOR(void)
{
	jif_port_tick();
}
#endif
#endif

void jif_port_start(void)
{
	jif_irq_t flags = jif_irq_save();

	jif_compare_disable();
	jif_compare_enable();
	last = jif_compare_read();
	left = 0;
	request(place(CONFIG_JIF_TICKLESS ? MOST_TICKS : 1));
	jif_irq_restore(flags);
}

/* What BASEPRI keeps out does not end a sleep. */
static void halt(void)
{
#if CONFIG_JIF_CORTEX_M_BASEPRI
	jif_irq_t flags = jif_irq_save_all();

	jif_port_sleep();
	jif_irq_restore_all(flags);
#else
	jif_port_sleep();
#endif
}

/*
 * The ticks are those after jif_now() of the caller, who has had interrupts off
 * since then. Where the counter has passed what it was compared with, the
 * handler waits: its request is left alone, and the sleep ends at once.
 */
void jif_port_idle(uint32_t ticks)
{
	uint32_t next = place(ticks) & MASK;

	if (CONFIG_JIF_TICKLESS && next != due && ahead(compare))
		request(next);
	halt();
}
