/* SPDX-License-Identifier: MIT */
/*
 * request.c - a request that is sent again, with a pause that doubles
 *
 * The handler only says that there is an answer; the main loop takes it. It may
 * come when the time-out has expired, and then it counts.
 */
#include "board.h"
#include "firmware.h"

struct jif_timer request_timeout;
static volatile bool answered;
static bool waiting;
static uint32_t pause;
static unsigned tries;

static void send(void)
{
	tries++;
	must(jif_timer_mod_in(&wheel, &request_timeout, pause));
	board_send();
}

static void on_timeout(struct jif_timer *timer)
{
	(void)timer;
	if (answered)
		return;
	if (tries == TRIES) {
		waiting = false;
		return;
	}
	pause = pause * 2 > PAUSE_MAX ? PAUSE_MAX : pause * 2;
	send();
}

void request_start(void)
{
	if (waiting)
		return;
	waiting = true;
	answered = false;
	pause = PAUSE;
	tries = 0;
	send();
}

void request_isr(void)
{
	answered = true;
}

void request_turn(void)
{
	if (!waiting || !answered)
		return;
	waiting = false;
	answered = false;
	jif_timer_del(&wheel, &request_timeout);
	lease_start(LEASE);
}

void request_init(void)
{
	waiting = false;
	answered = false;
	jif_timer_init(&request_timeout, on_timeout);
}
