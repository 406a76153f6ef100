/* SPDX-License-Identifier: MIT */
/*
 * firmware.c - the main loop
 */
#include "firmware.h"

struct jif_wheel wheel;

void firmware_init(void)
{
	jif_wheel_init_time(&wheel, jif_time_jiffies);
	button_init();
	request_init();
	lease_init();
	watchdog_init();
}

void firmware_turn(void)
{
	jif_wheel_poll(&wheel);
	request_turn();
	watchdog_turn();
}
