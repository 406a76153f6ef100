/* SPDX-License-Identifier: MIT */
/*
 * lib/port/compare/template.h - an empty timer: copy this file and fill it in
 *
 * Each #error is a place to fill in: put your code there. Name the file by
 * CONFIG_JIF_COMPARE_TIMER, and its rate by CONFIG_JIF_CLOCK_HZ. All functions
 * are called with interrupts off. None chooses and starts the clock that the
 * counter counts: the product does that before jif_port_start().
 */
#ifndef JIF_LIB_PORT_COMPARE_TEMPLATE_H
#define JIF_LIB_PORT_COMPARE_TEMPLATE_H

#include "reg.h"

#error "JIF_COMPARE_BITS, _SEEN, _LEAD and _VECTOR: those of the timer"

/* The width of the counter, 16 to 32; of a wider one, its lower 32 bits. */
#define JIF_COMPARE_BITS 32

/*
 * A value is sure to be seen if the counter, read after jif_compare_set(), has
 * so many counts to go to it: 1 if a match is that the counter becomes equal.
 */
#define JIF_COMPARE_SEEN 1

/*
 * How many counts ahead a value has to be, read before, for that to hold after:
 * what jif_compare_set() and two reads take at most, and JIF_COMPARE_SEEN.
 */
#define JIF_COMPARE_LEAD 4

/* The name that start-up codes have for the handler, where there is one. */
#define JIF_COMPARE_VECTOR Timer_Handler

/* Never torn: where a read takes two, or clocks differ, it is done again. */
static inline uint32_t jif_compare_read(void)
{
#error "jif_compare_read(): return the counter"
}

/*
 * Asks for a request when the counter reaches @at, which is JIF_COMPARE_BITS
 * wide, and then takes back an older one. It may come too soon, but not again
 * and again. Whoever returns from here may sleep at once: where the hardware
 * takes time to take the value over, wait for that.
 */
static inline void jif_compare_set(uint32_t at)
{
#error "jif_compare_set(): the compare register, an older request"
}

/* Requests the interrupt now, or as soon as the hardware can. */
static inline void jif_compare_pend(void)
{
#error "jif_compare_pend(): the request"
}

/* Starts the counter, and lets the interrupt through. */
static inline void jif_compare_enable(void)
{
#error "jif_compare_enable(): the counter, its interrupt"
}

/* No interrupt and no request, whatever a boot loader has left behind. */
static inline void jif_compare_disable(void)
{
#error "jif_compare_disable(): its interrupt, its request"
}

#endif
