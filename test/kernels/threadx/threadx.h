/* SPDX-License-Identifier: MIT */
/*
 * test/kernels/threadx/threadx.h - the tick of the board
 */
#ifndef THREADX_H
#define THREADX_H

#include <stdint.h>

/* How many there were, and when the last one's handler began. */
extern volatile uint32_t board_ticks;
extern volatile uint32_t board_tick_at;

/* What its handler calls after ThreadX's, if it is set. */
extern void (*volatile board_tick)(void);

#endif
