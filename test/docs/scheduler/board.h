/* SPDX-License-Identifier: MIT */
/*
 * test/docs/scheduler/board.h - the board of the program in docs/scheduler.md
 */
#ifndef BOARD_H
#define BOARD_H

#include <stdint.h>

#define LIMIT	    80
#define MOST_CYCLES 1000

void board_fetch_byte(void);
unsigned board_read_sensor(void);
uint32_t board_cycles(void);
void board_log(const char *text);

/* The program's. */
void uart_isr(void);

#endif
