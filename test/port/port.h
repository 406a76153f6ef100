/* SPDX-License-Identifier: MIT */
/*
 * test/port/port.h - what the port tests share
 *
 * The tests see the port as the engine and a product do, and compare its ticks
 * with a clock that has nothing to do with them.
 */
#pragma once

#include <criterion/criterion.h>
#include <jif/jiffies.h>
#include <jif/port.h>
#include <jif/wheel.h>

#include "../../lib/port/jif_port.h"

/* How often the other interrupt has come. */
extern volatile unsigned handled;

/* One for all, as memory may be short; each suite initialises it. */
extern struct jif_wheel wheel;

/* Starts the tick, once; the handler of the other interrupt counts. */
void port_init(void);

/* The counts of the other clock in a tick. */
uint32_t per_tick(void);

/* Waits until the next tick has been counted; returns what the clock says. */
uint32_t align(void);

/* Waits, with interrupts as they are. */
void wait_counts(uint32_t counts);

/*
 * The ticks that have passed since @from, which align() returned, by the other
 * clock; to the nearest.
 */
uint32_t ticks_since(uint32_t from);

/* How far the clock is from the nearest whole tick since @from, in 1/1000. */
uint32_t off_grid(uint32_t from);
