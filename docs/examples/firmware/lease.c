/* SPDX-License-Identifier: MIT */
/*
 * lease.c - the pump runs while the lease is valid
 *
 * Half-way through, it is asked for anew; an answer replaces it. The lid stops
 * the pump from its handler, which may come in anywhere: also when a timer has
 * expired and its function is about to be called.
 */
#include "board.h"
#include "firmware.h"

struct jif_timer lease_renewal, lease_end;
static volatile bool held;
static uint32_t end;

bool lease_is_valid(void)
{
	return held && jif_time_before(jif_now(), end);
}

void lease_stop(void)
{
	if (!held)
		return;
	held = false;
	jif_timer_del(&wheel, &lease_renewal);
	jif_timer_del(&wheel, &lease_end);
	board_pump(false);
}

void lid_isr(void)
{
	lease_stop();
}

static void on_renewal(struct jif_timer *timer)
{
	(void)timer;
	board_irq_off();
	if (held)
		request_start();
	board_irq_on();
}

static void on_end(struct jif_timer *timer)
{
	(void)timer;
	lease_stop();
}

void lease_start(uint32_t ticks)
{
	board_irq_off();
	if (!board_lid_is_open()) {
		end = jif_now() + ticks;
		jif_timer_mod(&wheel, &lease_renewal, jif_now() + ticks / 2);
		jif_timer_mod(&wheel, &lease_end, end);
		board_pump(true);
		held = true;
	}
	board_irq_on();
}

void lease_init(void)
{
	held = false;
	jif_timer_init(&lease_renewal, on_renewal);
	jif_timer_init(&lease_end, on_end);
}
