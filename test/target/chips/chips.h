/* SPDX-License-Identifier: MIT */
/* What a firmware says to ./oracle.c, and what it wants from its chip */
#pragma once

#include <stdint.h>

/*
 * After MOD, DEL and PENDING, the next one is said if the call has found the
 * timer armed. MOD has the expiry, FIRED the wheel's clock, all others the
 * time.
 */
enum what {
	START,
	STARTED,
	MOD,
	MOD_ARMED,
	DEL,
	DEL_ARMED,
	PENDING,
	PENDING_ARMED,
	FIRED,
	NOW,
	INTERRUPT,
	END,
};

/* A handler and another core have timers of their own, behind the loop's. */
#define TIMERS	 8
#define CONTEXTS 3

/* Where the drivers write one, with the time at which it was said. */
struct record {
	uint32_t what;
	uint32_t value;
	double at;
};

/* Lets the handler in that calls disturb(). */
void chip_begin(void);

/* With interrupts off. */
void chip_say(enum what what, unsigned timer, uint32_t value);

void disturb(void);

/* Of a chip with two cores: for the other one; and what it does to rest. */
void chip_launch(void (*other)(void));
void chip_rest(uint32_t us);
void chip_wake(void);
