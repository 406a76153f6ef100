/* SPDX-License-Identifier: MIT */
/* What the tests have of their board */
#pragma once

#include <stdint.h>

/* With the time in front. */
void board_log(const char *text);

/* Without; and a number behind. */
void board_say(const char *text, uint32_t number);

/* From a task: has board_interrupt() called at random times from now on. */
void board_start(uint32_t seed);

/* After that: it comes as soon as interrupts are on. */
void board_pend(void);

/* Of the stand-in: it comes once, after that many ends of critical sections. */
void board_interrupt_at(uint32_t number);

/* From now on, ticks come by board_tick() alone, as the kernel's interrupt. */
void board_hold_ticks(void);
void board_tick(void);

/* The product's: a handler that may call FreeRTOS. */
void board_interrupt(void);

/* Counts instructions, where the board can tell. */
uint32_t board_clock(void);

void board_exit(int status) __attribute__((noreturn));
