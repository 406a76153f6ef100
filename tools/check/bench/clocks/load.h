/* SPDX-License-Identifier: MIT */
/*
 * tools/check/bench/clocks/load.h - one load for all clocks
 *
 * A thousand timers, each armed again by its callback for 1 to 100 ms later.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define TIMERS 1000
#define PAIRED 256 /* more of them, which threads arm and cancel */

/* A clock has these. @due is CLOCK_MONOTONIC's, @ms from now on. */
void clock_init(void);
void clock_arm(unsigned timer, uint64_t due, unsigned ms);
void clock_run(void);

/* And this one, if any thread may arm and cancel, also after clock_run(). */
void clock_cancel(unsigned timer) __attribute__((weak));

/* It calls this, in one thread; once it returns true, clock_run() ends. */
bool load_expired(unsigned timer);

uint64_t load_now(void);
