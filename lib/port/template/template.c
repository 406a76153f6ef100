/* SPDX-License-Identifier: MIT */
/*
 * lib/port/template/template.c - an empty port: the tick and the sleep
 *
 * Say here which timer makes the tick, and why it neither drifts nor loses one:
 * - from where the place of the next tick is computed: from that of the last
 *   one, never from the time at which a handler happens to run;
 * - for how long interrupts may be off before a tick is lost.
 */
#include <jif/jiffies.h>

#include "../jif_port.h"

/* Counts of the timer per tick, and the longest sleep that it can measure. */
#define COUNTS ((uint32_t)(CONFIG_JIF_CLOCK_HZ / CONFIG_JIF_HZ))
#define MOST   (UINT32_MAX / COUNTS)

JIF_STATIC_ASSERT(CONFIG_JIF_CLOCK_HZ % CONFIG_JIF_HZ == 0,
		  "a tick must be a whole number of counts");

/*
 * Takes the timer's request back, unless that happens by itself; counts the
 * tick, or with jif_ticks() all that have passed, if the timer tells.
 */
void jif_port_tick(void)
{
#error "jif_port_tick(): take the request back, count"
}

/*
 * With CONFIG_JIF_PORT_VECTOR, the handler of the timer, under the name that
 * start-up codes have for it, which calls jif_port_tick().
 */
#error "the handler of the timer"

/* Programs the timer, and lets its interrupt through. */
void jif_port_start(void)
{
#error "jif_port_start(): program the timer, let its interrupt through"
}

/*
 * Interrupts are off, and stay off until the processor sleeps: an instruction
 * that sleeps must be woken by what came before it, too.
 *
 * 1. If a tick is waiting to be counted, return.
 * 2. If CONFIG_JIF_TICKLESS and more than one tick: set the timer for @ticks
 *    after the last tick, or for as many as it can.
 * 3. Sleep. Another interrupt may end it at any moment.
 * 4. Count what has passed, with jif_ticks(). The last tick may be left to the
 *    handler. Set the timer for the next tick.
 */
void jif_port_idle(uint32_t ticks)
{
#error "jif_port_idle(): steps 1 to 4"
}
