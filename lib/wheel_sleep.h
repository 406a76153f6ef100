/* SPDX-License-Identifier: MIT */
/* lib/wheel_sleep.h - how a main loop finds out for how long to sleep */
#ifndef JIF_LIB_WHEEL_SLEEP_H
#define JIF_LIB_WHEEL_SLEEP_H

#include <jif/wheel.h>

/* The most entries that a search for a sleep looks at. */
#define LOOKS 24u

/*
 * Until when: the next expiry, or JIF_SLEEP_MAX after the clock. Maybe sooner,
 * as the search is bounded: with LOOKS entries or more in its slots, and for
 * timers that are a week or more away. Interrupts are on.
 */
uint32_t jif_wheel_sleep_until(struct jif_wheel *wheel);

/*
 * How many jiffies are left of that; 0 if none are, or something has been armed
 * since. Interrupts are off. From now on, the wheel has a time source.
 */
uint32_t jif_wheel_sleep_ticks(struct jif_wheel *wheel, uint32_t until);

/* After it: the clock moves on, up to the next stop. Interrupts are on. */
void jif_wheel_sleep_over(struct jif_wheel *wheel);

#endif
