/* SPDX-License-Identifier: MIT */
/*
 * test/tools/docs/scheduler/board.c - three seconds of a board on the simulated
 * machine
 */
#include "board.h"

#include <jif/jiffies.h>
#include <jif/sim.h>
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

static void interrupt(void)
{
	if (jif_now() >= bytes[fetched] && bytes[fetched] < END)
		uart_isr();
}

/* A byte ends the sleep. */
static uint32_t sleep_for(uint32_t ticks)
{
	uint32_t now = jif_now();

	if (now >= END)
		exit(0);
	if (ticks > bytes[fetched] - now)
		ticks = bytes[fetched] - now;
	return ticks;
}

__attribute__((constructor)) static void start_board(void)
{
	jif_sim.irq = interrupt;
	jif_sim.sleep = sleep_for;
}
