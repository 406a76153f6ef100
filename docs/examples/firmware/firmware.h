/* SPDX-License-Identifier: MIT */
/*
 * firmware.h - a pump that a server leases to whoever presses a button
 *
 * A press asks for the lease, again and again with a growing pause until the
 * server answers. The pump runs while the lease is valid and the lid is closed.
 * The hardware watchdog is kicked while main loop and sensor are alive.
 */
#ifndef FIRMWARE_H
#define FIRMWARE_H

#include <jif/jif.h>

#include "board.h"

/* In ticks of a millisecond. */
#define SETTLE	    20
#define HELD	    1000
#define PAUSE	    100
#define PAUSE_MAX   1600
#define TRIES	    8
#define KICK_PERIOD 100
#define SILENT_MAX  3
#define LEASE	    60000

extern struct jif_wheel wheel;

/* What is refused never comes. */
static inline void must(int result)
{
	if (result < 0)
		board_alarm();
}

void firmware_init(void);

/* A turn of the main loop. */
void firmware_turn(void);

/* The button: its pin has changed. */
extern struct jif_timer button_settles, button_is_held;
void button_init(void);
void button_isr(void);

/* The request: the server has answered. */
extern struct jif_timer request_timeout;
void request_init(void);
void request_start(void);
void request_turn(void);
void request_isr(void);

/* The lease, for so many ticks from now on; the lid has been opened. */
extern struct jif_timer lease_renewal, lease_end;
void lease_init(void);
void lease_start(uint32_t ticks);
void lease_stop(void);
bool lease_is_valid(void);
void lid_isr(void);

/* The watchdog: the sensor has measured; the main loop has turned. */
extern struct jif_periodic watchdog_period;
void watchdog_init(void);
void sensor_isr(void);
void watchdog_turn(void);

#endif
