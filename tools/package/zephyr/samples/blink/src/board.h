/* SPDX-License-Identifier: MIT */
/*
 * board.h - what the sample prints with
 */
#ifndef BOARD_H
#define BOARD_H

#include <zephyr/kernel.h>
#include <zephyr/sys/printk.h>

static inline void board_log(const char *text)
{
	printk("%6u: %s\n", k_uptime_get_32(), text);
}

#endif
