/* SPDX-License-Identifier: MIT */
/* The board of the program in docs/scheduler.md */
#pragma once

#include <stdint.h>

#define LIMIT	    80
#define MOST_CYCLES 1000

void board_fetch_byte(void);
unsigned board_read_sensor(void);
uint32_t board_cycles(void);
void board_log(const char *text);

/* The program's. */
void uart_isr(void);
