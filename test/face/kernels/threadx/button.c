/* SPDX-License-Identifier: MIT */
/* The board of docs/examples/threadx.c */
#include <tx_api.h>

#include "../../../target/target.h"
#include "../../../tools/docs/examples/stand-in/board.h"
#include "threadx.h"

#define MS (1000 / TX_TIMER_TICKS_PER_SECOND)

void button_isr(void);

/* The button is pressed, and bounces; then the program ends. */
static void on_tick(void)
{
	uint32_t ms = (board_ticks - FIRST_TICK) * MS;

	if (ms == 1200 || ms == 1210)
		button_isr();
	if (ms == 3000)
		target_exit(0);
}

void board_log(const char *text)
{
	uint32_t ms = (board_ticks - FIRST_TICK) * MS;

	board_tick = on_tick;
	for (uint32_t i = 1000; i > 1 && i > ms; i /= 10)
		target_puts(" ");
	target_puts(" ");
	target_put_number(ms);
	target_puts(": ");
	target_put_text(text);
	target_puts("\n");
}
