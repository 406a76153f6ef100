/* SPDX-License-Identifier: MIT */
/*
 * firmware.c - the main loop
 */
#include "firmware.h"

struct jif_wheel wheel;

void firmware_init(void)
{
	jif_wheel_init(&wheel, jif_now());
	button_init();
	request_init();
	lease_init();
	watchdog_init();
}

void firmware_turn(void)
{
	jif_wheel_run(&wheel, jif_now());
	request_turn();
	watchdog_turn();
}
