/* SPDX-License-Identifier: MIT */
/* The tick of the board */
#pragma once

#include <stdint.h>

/* How many there were, and when the last one's handler began. */
extern volatile uint32_t board_ticks;
extern volatile uint32_t board_tick_at;

/* What its handler calls after ThreadX's, if it is set. */
extern void (*volatile board_tick)(void);
