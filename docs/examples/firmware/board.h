/* SPDX-License-Identifier: MIT */
/*
 * board.h - what the firmware needs from its board; test.c has a fake one
 */
#ifndef BOARD_H
#define BOARD_H

#include <stdbool.h>

/* The level of the pin: the button is down. */
bool board_button(void);

bool board_lid_is_open(void);

/* Sends a request to the server. */
void board_send(void);

/* Turns the pump on or off. */
void board_pump(bool on);

/* The hardware watchdog resets the board some time after the last kick. */
void board_kick(void);

/* Something has given no sign of life for too long. */
void board_alarm(void);

/* Interrupts are off in between. */
void board_irq_off(void);
void board_irq_on(void);

#endif
