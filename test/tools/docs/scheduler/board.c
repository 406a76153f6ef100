/* SPDX-License-Identifier: MIT */
/*
 * test/tools/docs/scheduler/board.c - three seconds of the board of the program
 * in docs/scheduler.md
 */
#include "board.h"

#include <jif/jiffies.h>
#include <jif/port.h>
#include <stdio.h>
#include <stdlib.h>

#define END 3000

/* When a byte comes. */
static const uint32_t bytes[] = { 300, 900, END };
static unsigned fetched;

void board_fetch_byte(void)
{
	fetched++;
}

unsigned board_read_sensor(void)
{
	return jif_now() / 500 == 1 ? 99 : 20;
}

uint32_t board_cycles(void)
{
	static uint32_t cycles;

	return cycles += 100;
}

void board_log(const char *text)
{
	printf("%4u: %s\n", (unsigned)jif_now(), text);
}

void jif_port_start(void)
{
}

/* A byte ends the sleep. */
void jif_port_idle(uint32_t ticks)
{
	while (ticks--) {
		jif_tick();
		if (jif_now() >= END)
			exit(0);
		if (jif_now() >= bytes[fetched]) {
			uart_isr();
			return;
		}
	}
}
