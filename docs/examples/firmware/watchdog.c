/* SPDX-License-Identifier: MIT */
/*
 * watchdog.c - kicks the hardware watchdog while all are alive
 *
 * Once a period, if the main loop has turned and the sensor has measured since.
 * A stall counts as one period.
 */
#include "board.h"
#include "firmware.h"

/* One bit for each that has to be alive; a handler sets its own, too. */
enum { LOOP = 1, SENSOR = 2, ALL = LOOP | SENSOR };

struct jif_periodic watchdog_period;
static volatile uint8_t alive;
static unsigned silent;

void sensor_isr(void)
{
	alive |= SENSOR;
}

void watchdog_turn(void)
{
	board_irq_off();
	alive |= LOOP;
	board_irq_on();
}

static void on_period(struct jif_periodic *p)
{
	(void)p;
	if (alive == ALL) {
		alive = 0;
		silent = 0;
		board_kick();
	} else if (++silent == SILENT_MAX) {
		board_alarm();
	}
}

void watchdog_init(void)
{
	alive = 0;
	silent = 0;
	jif_periodic_init(&watchdog_period, on_period, JIF_CATCHUP_SKIP);
	must(jif_periodic_start(&wheel, &watchdog_period, KICK_PERIOD,
				KICK_PERIOD, JIF_FOREVER));
}
