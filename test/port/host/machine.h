/* SPDX-License-Identifier: MIT */
/*
 * test/port/host/machine.h - a machine for a port's source, as it is, on a host
 *
 * The port is compiled with the compiler's calls for a race detector, which
 * come before each access to volatile memory; they are machine.c's. So a model
 * of the timer answers each access to its registers, and time passes with it.
 * No model knows the port's source; each is written from the manual.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The time, in counts of the timer's clock. */
extern uint64_t now;

/* How many counts an access takes, and the way from a wake-up to the port. */
extern unsigned access_counts;
extern unsigned wake_counts;

/* When the other interrupt comes, and whether it has. */
extern uint64_t other_at;
extern bool other_pending;

/* How often the processor has slept. */
extern unsigned sleeps;

void advance(uint64_t counts);

/* Lets handlers run that wait; interrupts are on. */
void let_in(void);

__attribute__((format(printf, 1, 2), noreturn)) void fail(const char *what,
							  ...);

/* --- what a model of a timer has --- */

/* The pages of its registers. */
extern const uintptr_t timer_pages[2];

void timer_reset(uint64_t seed);
void timer_advance(uint64_t counts);
uint32_t timer_read(uintptr_t address);
void timer_write(uintptr_t address, uint32_t value);
bool timer_pending(void);
void timer_handle(void);

/* In how many counts its interrupt comes, if nothing is written. */
uint64_t timer_ahead(void);

/* The longest time that the port can let the tick stay away, in ticks. */
extern const uint32_t timer_longest;

/* By how many accesses a tick may be off its place, until the next sleep. */
extern const unsigned timer_off;

/* --- what the scenarios have --- */

void other_handler(void);

/* The timer's interrupt has come: by itself, or as a register was written. */
void tick_came(bool by_write);
